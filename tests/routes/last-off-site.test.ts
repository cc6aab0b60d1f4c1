/** Age and size of the last copy off the machine, as the account page and the figures show them. */
import { expect, it } from "vitest";
import { adminInstant, HOUR } from "#app/model/dates.ts";
import { bookAndPay } from "#tests/support/admin.ts";
import { dayAhead } from "#tests/support/bookings.ts";
import { eventually } from "#tests/support/eventually.ts";
import { sharedAdmin, sharedApp } from "#tests/support/hooks.ts";
import { offSiteEnv } from "#tests/support/off-site.ts";

const METRICS_TOKEN = "a-token-of-tests";
const LATE = "It should be newer: the mail to the admins and the log say why it is not.";

const clock = { now: Date.now() };
const app = sharedApp({ now: () => clock.now });
const admin = sharedAdmin(app);

/** From the place's name to the end of the paragraph. */
async function paragraph(): Promise<string | undefined> {
  const { html } = await admin.page("/admin/account");
  return /Off the machine: ([^<]+)</.exec(html)?.[1];
}

async function figures() {
  const { text } = await app.api("/metrics", { token: METRICS_TOKEN });
  const read = (name: string) => Number(new RegExp(`^${name} (\\S+)$`, "m").exec(text)?.[1]);
  return {
    seconds: read("last_off_site_copy_timestamp_seconds"),
    bytes: read("last_off_site_copy_bytes"),
  };
}

/** From now on; the app has tried it by the end. */
async function storeFails(change: () => unknown): Promise<void> {
  const { switches } = app.sandbox;
  const before = switches.fired("s3_error");
  switches.set({ name: "s3_error", count: 100_000, value: 403 });
  await change();
  await eventually(() => expect(switches.fired("s3_error")).toBeGreaterThan(before));
}

/** How long visitors are promised that a copy lives. */
async function promised(): Promise<string | undefined> {
  return /at most (\w+ days?)/.exec((await app.api("/privacy")).html)?.[1];
}

it("are none where none is wanted, and the page says what that means", async () => {
  await app.restart({ METRICS_TOKEN });
  expect(await promised()).toBe("14 days");
  const { text } = await admin.page("/admin/account");
  expect(text).toContain("No copy leaves the machine.");
  expect(await paragraph()).toBeUndefined();
  expect(await figures()).toEqual({ seconds: 0, bytes: 0 });
});

it("are none while the store takes none", async () => {
  await storeFails(() => app.restart(offSiteEnv(app.sandbox)));
  // Thirty, and as long as a bucket that keeps versions hides them.
  expect(await promised()).toBe("33 days");
  expect(await paragraph()).toBe("there is no copy yet.");
  expect(await figures()).toEqual({ seconds: 0, bytes: 0 });
});

it("are those of the copy that the store has, and late once none has followed", async () => {
  app.sandbox.switches.clear("s3_error");
  clock.now += HOUR;
  await eventually(async () => expect((await figures()).bytes).toBeGreaterThan(0));
  const at = Math.floor(clock.now / 1000) * 1000;
  const sent = [...app.sandbox.s3.objects].filter(([name]) => name.endsWith(".sealed"));
  expect(sent).toHaveLength(1);
  const bytes = sent[0]![1].length;
  expect(await figures()).toEqual({ seconds: at / 1000, bytes });
  const size = `${Math.max(0.1, bytes / 2 ** 20).toFixed(1)} MB`;
  const words = `the last good copy is of ${adminInstant(at)}, ${size}.`;
  expect(await paragraph()).toBe(words);

  // Two intervals, and an hour to send it.
  await storeFails(() => {
    clock.now = at + 3 * HOUR;
  });
  expect(await paragraph()).toBe(words);
  clock.now += 1;
  expect(await paragraph()).toBe(`${words} ${LATE}`);
  expect(await figures()).toEqual({ seconds: at / 1000, bytes });
});

it("leaves soon after money moved, however seldom the rest is looked at", async () => {
  app.sandbox.switches.clear("s3_error");
  const often = { WORKER_INTERVAL_MS: "60000", BACKUP_S3_AFTER_SECONDS: "4" };
  const before = (await figures()).seconds;
  clock.now += HOUR;
  await app.restart({ ...offSiteEnv(app.sandbox), ...often });
  await eventually(async () => expect((await figures()).seconds).not.toBe(before));
  await bookAndPay(app, { date: dayAhead(20) });
  const noted = "SELECT 1 FROM setting WHERE key = 'off_site_money_moved_at' AND value <> ''";
  await eventually(() => expect(app.db.allRaw(noted)).toHaveLength(1));
  const { seconds } = await figures();
  clock.now += 2_000;
  await expect.poll(async () => (await figures()).seconds, { timeout: 10_000 }).not.toBe(seconds);
});
