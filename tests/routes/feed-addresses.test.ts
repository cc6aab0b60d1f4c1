/** The addresses of captains' calendars: their own random values, renewed in the admin area. */
import { createHmac } from "node:crypto";
import { Kysely, SqliteDialect } from "kysely";
import { describe, expect, it } from "vitest";
import { up } from "#db/migrations/20261121T2330_feed_addresses.ts";
import { ASHA } from "#tests/support/bookings.ts";
import { sharedAdmin, sharedApp } from "#tests/support/hooks.ts";

const [OLD, FRESH] = ["o".repeat(32), "n".repeat(32)];

const app = sharedApp({ env: { SESSION_SECRET: OLD } });
const admin = sharedAdmin(app);

/** The address as it was derived from the session secret before addresses were stored. */
function derived(secret: string, key: string): string {
  const bytes = createHmac("sha256", secret).update(`calendar:${key}`).digest();
  return Array.from(bytes, (byte) => "abcdefghijklmnopqrstuvwxyz234567"[byte & 31]).join("");
}

const secrets = (): Record<string, string> =>
  Object.fromEntries(
    app.db
      .allRaw<{ key: string; secret: string }>(
        "SELECT counselor_key AS key, secret FROM counselor_feed",
      )
      .map(({ key, secret }) => [key, secret]),
  );
const statusOf = async (secret = "") => (await app.api(`/calendar/${secret}.ics`)).status;

describe("the addresses of captains' calendars", () => {
  it("are random in a new database, and stay through a change of the session secret", async () => {
    const before = secrets();
    expect(await statusOf(before.asha)).toBe(200);
    expect(await statusOf(derived(OLD, "asha"))).toBe(404);
    await app.restart({ SESSION_SECRET: FRESH });
    expect(secrets()).toEqual(before);
    expect(await statusOf(before.asha)).toBe(200);
  });

  it("stay what they were in a database from before, also with a new session secret first", async () => {
    // As the file was before addresses were stored, and was then migrated.
    app.db.runRaw("DROP TABLE counselor_feed");
    await up(new Kysely({ dialect: new SqliteDialect({ database: app.db.driver }) }));
    await app.restart({ SESSION_SECRET: `${FRESH},${OLD}` });
    const kept = { asha: derived(OLD, "asha"), rohan: derived(OLD, "rohan") };
    expect(secrets()).toEqual(kept);
    expect([await statusOf(kept.asha), await statusOf(kept.rohan)]).toEqual([200, 200]);
    await app.restart({ SESSION_SECRET: FRESH });
    expect(secrets()).toEqual(kept);
    // From then on they are a captain's own: one that comes later has a random one.
    app.db.runRaw("DELETE FROM counselor_feed WHERE counselor_key = 'rohan'");
    await app.restart();
    expect(secrets().rohan).toMatch(/^[a-z2-9]{32}$/);
    expect(Object.values({ ...kept, fresh: derived(FRESH!, "rohan") })).not.toContain(
      secrets().rohan,
    );
  });
});

describe("a new address", () => {
  it("ends the one before at once, for that captain alone, and is logged without either", async () => {
    const before = secrets();
    const form = { intent: "new-feed-address", counselor: ASHA };
    const done = await admin.page("/admin/account", { form });
    expect(done.led).toEqual([303, "/admin/account"]);
    const { asha, rohan } = secrets();
    expect(rohan).toBe(before.rohan);
    expect([await statusOf(before.asha), await statusOf(asha)]).toEqual([404, 200]);
    const { text } = await admin.page("/admin/account");
    expect(text).toContain(`${app.origin}/calendar/${asha}.ics`);
    expect(text).not.toContain(before.asha);
    const [line] = app.db.allRaw("SELECT * FROM activity WHERE action = 'feed_renewed'");
    expect(line).toMatchObject({ actor: "admin", target: "asha", before: null, after: null });
  });
});
