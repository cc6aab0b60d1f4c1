/** What failed inside, as the owner sees it on the dashboard, and nobody else. */
import { expect, it } from "vitest";
import { createSession } from "#app/auth/session.server.ts";
import type { Role } from "#app/model/actor.ts";
import { insertAdmin } from "#db/queries/admins.server.ts";
import { listFailures } from "#db/queries/health.server.ts";
import { adminOf, sessionCookie } from "#tests/support/admin.ts";
import { eventually } from "#tests/support/eventually.ts";
import { sharedApp } from "#tests/support/hooks.ts";

const app = sharedApp({ env: { LOG_LEVEL: "silent" } });

async function cookieOf(role: Role): Promise<string> {
  if (role === "owner") return sessionCookie((await adminOf(app)).token);
  const row = { id: role, username: role, email: `${role}@b.in`, passwordHash: "", role };
  const counselorKey = role === "captain" ? "asha" : null;
  insertAdmin(app.db, { ...row, counselorKey, createdAt: 0, updatedAt: 0 });
  return sessionCookie(
    createSession({ db: app.db, now: Date.now }, role, { userAgent: null }).token,
  );
}
const read = async (cookie: string, path = "/admin") =>
  app.api(path, { headers: { Cookie: cookie } });
const dismiss = (cookie: string, until: number) =>
  app.api("/admin/failures", {
    form: { until: String(until) },
    headers: { Cookie: cookie, Origin: app.origin },
  });

it("shows owners what a page, a call and a job met, until they dismiss it", async () => {
  const owner = await cookieOf("owner");
  const others = [await cookieOf("staff"), await cookieOf("captain")];
  expect((await read(owner)).text).not.toContain("Something failed");

  app.db.runRaw("ALTER TABLE activity RENAME TO elsewhere");
  expect((await read(owner, "/admin/activity")).httpStatus).toBe(500);
  const second = await read(owner, "/admin/activity?q=priya%40visitors.example");
  const call = await read(owner, "/api/admin/activity-logs");
  expect([second.httpStatus, call.httpStatus]).toEqual([500, 500]);
  await app.restart();
  await eventually(() => {
    const areas = listFailures(app.db, 0).map(({ area }) => area);
    expect(areas.sort()).toEqual([
      "GET /admin/activity",
      "GET /api/admin/activity-logs",
      "job: ratings",
    ]);
  });
  app.db.runRaw("ALTER TABLE elsewhere RENAME TO activity");

  const { text } = await read(owner);
  expect(text).toMatch(/Something failed \d+ times since today/);
  expect(text).toMatch(
    /SqliteError SQLITE_ERROR in GET \/admin\/activity at [^"]+, 2 times, last 2/,
  );
  expect(text).toContain(`under the request id ${second.headers.get("x-request-id")}.`);
  expect(text).not.toMatch(/no such table|priya/);
  for (const cookie of others) expect((await read(cookie)).text).not.toContain("Something failed");

  const until = Number(/name="until" value="(\d+)"/.exec(text)![1]);
  for (const cookie of others) {
    expect((await dismiss(cookie, until)).httpStatus).toBe(403);
  }
  expect((await dismiss(owner, until - 3_600_000)).httpStatus).toBe(303);
  expect((await read(owner)).text).toContain("Something failed");
  // A job that met the fault may be reported only now.
  await eventually(async () => {
    expect((await dismiss(owner, Date.now())).led).toEqual([303, "/admin"]);
    expect((await read(owner)).text).not.toContain("Something failed");
  });
});
