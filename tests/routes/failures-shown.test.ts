/** What failed inside, as the owner sees it on the dashboard, and nobody else. */
import { expect, it } from "vitest";
import { listFailures } from "#db/queries/health.server.ts";
import { type AdminApi, book } from "#tests/support/admin.ts";
import { captainOf } from "#tests/support/captain.ts";
import { eventually } from "#tests/support/eventually.ts";
import { sharedAdmin, sharedApp } from "#tests/support/hooks.ts";
import { staffOf } from "#tests/support/staff.ts";

const app = sharedApp({ env: { LOG_LEVEL: "silent" } });
const owner = sharedAdmin(app);

const dashboard = async (by: AdminApi = owner) => (await by.page("/admin")).text;
const dismiss = (until: number) =>
  owner.page("/admin/failures", { form: { until: String(until) } });

it("shows owners what a page, a call and a job met, until they dismiss it", async () => {
  expect(await dashboard()).not.toContain("Something failed");
  app.db.runRaw("ALTER TABLE activity RENAME TO elsewhere");
  expect((await owner.page("/admin/activity")).status).toBe(500);
  const second = await owner.page("/admin/activity?q=priya%40visitors.example");
  const call = await owner("/activity-logs");
  expect([second.status, call.status]).toEqual([500, 500]);
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

  const text = await dashboard();
  expect(text).toMatch(/Something failed \d+ times since today/);
  expect(text).toMatch(
    /SqliteError SQLITE_ERROR in GET \/admin\/activity at [^"]+, 2 times, last 2/,
  );
  expect(text).toContain(`under the request id ${second.headers.get("x-request-id")}.`);
  expect(text).not.toMatch(/no such table|priya/);
  for (const other of [await staffOf(app), await captainOf(app)]) {
    expect(await dashboard(other)).not.toContain("Something failed");
  }

  const until = Number(/name="until" value="(\d+)"/.exec(text)![1]);
  expect((await dismiss(until - 3_600_000)).status).toBe(303);
  expect(await dashboard()).toContain("Something failed");
  // A job that met the fault may be reported only now.
  await eventually(async () => {
    expect((await dismiss(Date.now())).led).toEqual([303, "/admin"]);
    expect(await dashboard()).not.toContain("Something failed");
  });
});

it("a form that fails without scripts says that what was typed is a step back", async () => {
  const { id } = await book(app);
  const path = `/admin/appointments/${id}/edit`;
  const { version } = app.db.firstRaw<{ version: number }>("SELECT version FROM appointment")!;
  const form = { version: String(version), account: "admin", staffNote: "Prefers mornings" };
  app.db.runRaw(
    "CREATE TRIGGER broken BEFORE INSERT ON activity BEGIN SELECT RAISE(ABORT, 'broken'); END",
  );
  const broken = await owner.page(path, { form });
  expect([broken.status, broken.html]).toEqual([
    500,
    expect.stringContaining("go back in your browser: what you typed is still there"),
  ]);
  expect(broken.html).toContain('aria-label="Admin"');
  app.db.runRaw("DROP TRIGGER broken");
  expect((await owner.page(path, { form })).status).toBe(303);
});
