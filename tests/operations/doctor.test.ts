/** The doctor by schedule: each fault is played, reported once, and reported again when it comes back. */
import fs from "node:fs/promises";
import { syncBuiltinESMExports } from "node:module";
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import type { Deps } from "#app/core/deps.server.ts";
import { parseEnv } from "#app/core/env.server.ts";
import { sha256 } from "#app/core/secrets.server.ts";
import type { Check } from "#app/doctor/checks.server.ts";
import { about, type Finding, lastFindings } from "#app/doctor/finding.server.ts";
import { ALL_CHECKS, scheduledDoctor } from "#app/jobs/doctor.server.ts";
import { DAY, HOUR, MINUTE } from "#app/model/dates.ts";
import type { MessageData } from "#app/model/messages.ts";
import { createRazorpay } from "#app/payments/razorpay.server.ts";
import { makeBackup } from "#db/backup.server.ts";
import { hasPaymentSince } from "#db/queries/health.server.ts";
import { readSetting, writeSetting } from "#db/queries/settings.server.ts";
import type { TestApp } from "#tests/helpers/app.ts";
import { bookAndPay } from "#tests/support/admin.ts";
import { dayAhead } from "#tests/support/bookings.ts";
import { eventually } from "#tests/support/eventually.ts";
import { shared, sharedApp, sharedDeps } from "#tests/support/hooks.ts";
import { startHttps } from "#tests/support/https-server.ts";
import { quickCopies } from "#tests/support/quick-threads.ts";

/** In blocks of a MiB; the sandbox has no disk that can be filled. */
const disk = { bsize: 2 ** 20, blocks: 3_000, bfree: 2_000, bavail: 2_000 };
const { statfs } = fs;
/** For modules that an earlier file of the same process loaded too. */
function useDisk(way: unknown): void {
  Object.assign(fs, { statfs: way });
  syncBuiltinESMExports();
}
quickCopies();
beforeAll(() => useDisk(async () => disk));
afterAll(() => useDisk(statfs));

const clock = { now: Date.now() };
const app = sharedApp({
  now: () => clock.now,
  env: { BACKUP_EVERY_HOURS: "100000" },
  sandbox: { whatsappAuto: "none" },
});
const https = shared(startHttps, (made) => made.close());
const rest = sharedDeps();
let base: Deps;
const signal = new AbortController().signal;

beforeAll(async () => {
  base = { ...rest.deps, ...over({}), db: app.db, now: () => clock.now };
  await backUpNow();
});
beforeEach(() => {
  app.db.runRaw("DELETE FROM setting WHERE key = 'doctor'");
  app.db.runRaw("DELETE FROM message");
});

/** What the doctor is given: outside production the sample captains are nothing wrong. */
function over(changes: Record<string, string>): Pick<Deps, "env" | "provider"> {
  const own = { NODE_ENV: "development", DOCTOR_EVERY_HOURS: "24", BACKUP_EVERY_HOURS: "24" };
  const { env } = parseEnv({ ...app.env, ...own, ...changes });
  return { env, provider: createRazorpay(env.razorpay) };
}

/** A day later a process starts anew and looks: all that is known stands in the file. */
async function lookNextDay(deps = base, checks?: readonly Check[], longest?: number) {
  clock.now += DAY;
  writeSetting(app.db, "last_backup", JSON.stringify({ at: clock.now, bytes: 1, ms: 1 }));
  const run = scheduledDoctor(checks, longest);
  await run(deps, signal);
  clock.now += 5 * MINUTE;
  await run(deps, signal);
}
async function nextDay(...asked: Parameters<typeof lookNextDay>) {
  await lookNextDay(...asked);
  return takeMails();
}

/** The subjects of each mail since the last look. */
function takeMails(): string[][] {
  const rows = app.db.allRaw<{ data: string }>(
    "SELECT data FROM message WHERE kind = 'admin_doctor' ORDER BY created_at",
  );
  app.db.runRaw("DELETE FROM message WHERE kind = 'admin_doctor'");
  return rows.map(({ data }) =>
    ((JSON.parse(data) as MessageData).findings ?? []).map(({ subject }) => subject),
  );
}

const backUpNow = () =>
  makeBackup(app.db, { folder: app.env.BACKUP_DIR!, keep: 1, now: clock.now });

let daysAhead = 20;
async function paid(): Promise<string> {
  daysAhead += 1;
  const { id } = await bookAndPay(app, { date: dayAhead(daysAhead) });
  await eventually(() => expect(whatsAppOf(id)).toMatch(/sent|failed/));
  return id;
}
const whatsAppOf = (id: string) =>
  app.db.firstRaw<{ state: string }>(
    "SELECT state FROM message WHERE appointment_id = ? AND channel = 'whatsapp'",
    [id],
  )?.state;

let looks = 0;
const countedCheck: Check = {
  step: 0,
  name: "counted",
  async examine() {
    looks += 1;
    return [];
  },
};

/** How often a process of its own looks in so many minutes. */
async function looksIn(minutes: number, deps = base, run = scheduledDoctor([countedCheck])) {
  looks = 0;
  for (let minute = 0; minute <= minutes; minute += 5) {
    await run(deps, signal);
    clock.now += 5 * MINUTE;
  }
  return looks;
}

interface Fault {
  subject: string;
  play(): unknown;
  mend(): unknown;
  changes?: () => Record<string, string>;
  only: string;
}

const turnOn = (setting: Parameters<TestApp["sandbox"]["switches"]["set"]>[0]) =>
  app.sandbox.switches.set(setting);
const turnOff = (name: Parameters<typeof turnOn>[0]["name"]) => app.sandbox.switches.clear(name);

const FAULTS: Record<string, Fault> = {
  "a webhook that is not called while payments come": {
    subject: "Razorpay's calls",
    only: "provider's calls",
    async play() {
      turnOn({ name: "webhook_off" });
      await paid();
      // Within an hour no call is missed yet.
      const hourAgo = clock.now - HOUR;
      expect(hasPaymentSince(app.db, { after: hourAgo, before: hourAgo })).toBe(false);
      clock.now += 2 * HOUR;
    },
    async mend() {
      turnOff("webhook_off");
      await paid();
      await eventually(() => expect(eventsSince(clock.now)).toBeGreaterThan(0));
    },
  },
  "a WhatsApp template that is paused": {
    subject: "WhatsApp template booking_confirmed",
    only: "whatsapp templates",
    async play() {
      turnOn({ name: "whatsapp_error", value: 132015 });
      expect(whatsAppOf(await paid())).toBe("failed");
    },
    async mend() {
      turnOff("whatsapp_error");
      expect(whatsAppOf(await paid())).toBe("sent");
    },
  },
  "a clock that is off": {
    subject: "Clock",
    only: "clock",
    play: () => turnOn({ name: "api_clock", match: "/v1/orders" }),
    mend: () => turnOff("api_clock"),
  },
  "a certificate that is soon over": {
    subject: "Certificate",
    changes: () => ({ PUBLIC_URL: https.url }),
    only: "certificate",
    play: () => Object.assign(https.state, { daysLeft: 5 }),
    mend: () => Object.assign(https.state, { daysLeft: 90 }),
  },
  "a disk that is over 80 % full": {
    subject: "Disk (DATABASE_PATH)",
    only: "disk",
    play: () => Object.assign(disk, { bfree: 590, bavail: 590 }),
    mend: () => Object.assign(disk, { bfree: 610, bavail: 610 }),
  },
};

const eventsSince = (at: number) =>
  app.db.firstRaw<{ n: number }>(
    "SELECT count(*) AS n FROM provider_event WHERE received_at >= ? AND kind <> 'doctor.check'",
    [at],
  )!.n;

describe("the scheduled doctor", () => {
  it.each(Object.entries(FAULTS))(
    "reports %s once, and anew when it comes back",
    async (_, fault) => {
      const { subject, play, mend, changes, only } = fault;
      const deps = { ...base, ...over(changes?.() ?? {}) };
      const checks = ALL_CHECKS.filter(({ name }) => name === only);
      expect(await nextDay(deps, checks)).toEqual([]);
      await play();
      const [first, ...more] = await nextDay(deps, checks);
      expect(first).toContain(subject);
      expect(more).toEqual([]);
      expect(await nextDay(deps, checks)).toEqual([]);
      await mend();
      // A mail without findings: all is well again.
      expect(await nextDay(deps, checks)).toEqual([[]]);
      expect(await nextDay(deps, checks)).toEqual([]);
      await play();
      expect((await nextDay(deps, checks))[0]).toContain(subject);
      await mend();
      await nextDay(deps, checks);
    },
  );

  it("looks once a DOCTOR_EVERY_HOURS, not at once after a start, and with 0 never", async () => {
    const run = scheduledDoctor([countedCheck]);
    const often = { ...base, ...over({ DOCTOR_EVERY_HOURS: "2" }) };
    expect(await looksIn(0, often, run)).toBe(0);
    expect(await looksIn(6 * 60, often, run)).toBe(4);
    // A clock that was set back does not stop it.
    clock.now -= 30 * DAY;
    expect(await looksIn(0, often, run)).toBe(1);
    clock.now += 60 * DAY;
    const never = { ...base, ...over({ DOCTOR_EVERY_HOURS: "0" }) };
    expect(await looksIn(0, never, run)).toBe(0);
  });

  it("looks anew some minutes after a start with other keys, and keeps none of them", async () => {
    const mistyped = { ...base, ...over({ RAZORPAY_KEY_SECRET: "mistyped-secret-of-tests" }) };
    expect([await looksIn(10, mistyped), await looksIn(90, mistyped)]).toEqual([1, 0]);
    expect([await looksIn(10), await looksIn(90)]).toEqual([1, 0]);
    expect(lastFindings(base, ["counted"])).toMatchObject({ wrong: [] });
    expect(lastFindings(mistyped, ["counted"])).toBeNull();
    const kept = readSetting(app.db, "doctor")!;
    const { keySecret } = base.env.razorpay;
    for (const hidden of [keySecret, sha256(keySecret)]) expect(kept).not.toContain(hidden);
  });

  it("goes on past a check that hangs or throws, and what that found before still stands", async () => {
    const ill = about("Ill").wrong("is ill", "Mend it.");
    const check = (examine: Check["examine"]) => [
      { step: 0, name: "one", examine },
      { step: 1, name: "other", examine: async () => [about("Other").wrong("is ill", "Mend it.")] },
    ];
    const sees = (found: Finding[]) => {
      const examine = async () => found;
      return nextDay(base, check(examine));
    };
    expect(await sees([ill])).toEqual([["Ill", "Other"]]);
    const hangs = check(() => new Promise(() => {}));
    const throws = check(() => {
      throw new Error("a bug");
    });
    expect(await nextDay(base, hangs, 20)).toEqual([]);
    expect(await nextDay(base, throws, 20)).toEqual([]);
    await new Promise((resolve) => setTimeout(resolve, 60));
    expect([await sees([ill]), await sees([])]).toEqual([[], []]);
    expect(await sees([ill])).toEqual([["Ill"]]);
  });

  it("ends at once when the process does, and knows nothing of a look that was broken off", async () => {
    const stopping = new AbortController();
    const run = scheduledDoctor([{ step: 0, name: "slow", examine: () => new Promise(() => {}) }]);
    clock.now += DAY;
    await run(base, stopping.signal);
    clock.now += 5 * MINUTE;
    const going = run(base, stopping.signal);
    stopping.abort();
    await going;
    expect(JSON.parse(readSetting(app.db, "doctor")!)).toMatchObject({ at: 0, known: {} });
    // The next process takes it up, an hour later.
    const again = scheduledDoctor([countedCheck]);
    expect(await looksIn(55, base, again)).toBe(0);
    expect(await looksIn(0, base, again)).toBe(1);
  });

  it("asks nobody while nothing can be written", async () => {
    const run = scheduledDoctor([countedCheck]);
    clock.now += DAY;
    expect(await looksIn(0, base, run)).toBe(0);
    app.db.driver.pragma("query_only = ON");
    await expect(run(base, signal)).rejects.toThrow();
    app.db.driver.pragma("query_only = OFF");
    expect(looks).toBe(0);
    expect(await looksIn(0, base, run)).toBe(1);
  });

  it("mails no secret, whatever a service answers", async () => {
    const secrets = over({ SMTP_URL: "smtp://user:pass%40word-1@127.0.0.1:25" });
    const { razorpay, whatsapp, sessionSecrets } = secrets.env;
    const all = [razorpay.keySecret, whatsapp!.token, sessionSecrets[0], "pass@word-1"];
    const tells = async () => [about("Loud").wrong(`${all.join(" ")} is wrong`, "Mend it.")];
    await lookNextDay({ ...base, ...secrets }, [{ step: 0, name: "loud", examine: tells }]);
    const { data } = app.db.firstRaw<{ data: string }>(
      "SELECT data FROM message WHERE kind = 'admin_doctor'",
    )!;
    expect(JSON.parse(data).findings[0].says).toBe("… … … … is wrong");
  });

  it("is run by the app itself, and its mail arrives", async () => {
    app.sandbox.mailbox.clear();
    await app.restart({ DOCTOR_EVERY_HOURS: "24" });
    clock.now += 5 * MINUTE;
    const to = app.env.BUSINESS_EMAIL!;
    const [mail] = await app.sandbox.mailbox.waitFor({ to });
    expect(mail!.subject).toContain("Needs a look: Catalogue");
    expect(mail!.text).toMatch(/samples,\s+not\s+people/);
  });
});
