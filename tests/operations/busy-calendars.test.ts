/** Captains' imported calendars over a real file, read from the sandbox. */
import { beforeEach, describe, expect, it, vi } from "vitest";
import {
  type BusyCalendarState,
  readBusyCalendar,
  readDueCalendars,
  refreshBusyCalendar,
  sealBusyCalendars,
  setBusyCalendar,
} from "#app/availability/busy-calendars.server.ts";
import { keepClash, listClashes } from "#app/availability/clashes.server.ts";
import { runBusyCalendars } from "#app/jobs/worker.server.ts";
import { addDays, DAY, dateInIndia, HOUR, instantOf, MINUTE } from "#app/model/dates.ts";
import type { Outcome } from "#app/model/outcome.ts";
import { readOfferVersion } from "#db/queries/availability.server.ts";
import { findBusyCalendar } from "#db/queries/busy-calendars.server.ts";
import { startSandbox } from "#scripts/sandbox/sandbox.ts";
import type { SwitchName } from "#scripts/sandbox/switches.ts";
import { fresh, freshDeps } from "#tests/support/hooks.ts";
import { quickCalendars } from "#tests/support/quick-threads.ts";
import { ADMIN_ACTOR, bookByStaff } from "#tests/support/till.ts";

const NEVER = new AbortController().signal;

quickCalendars();
const world = freshDeps();
const sandbox = fresh(startSandbox, (made) => made.close());
let url: string;
let midnight: number;
beforeEach(() => {
  const today = dateInIndia(world.clock.now);
  midnight = instantOf(addDays(today, 1));
  // Quarters of an hour later it is the same day, also late in the evening.
  world.clock.now = instantOf(today, "09:00");
  url = sandbox.addresses.calendarUrl!;
});

/** Hours from the next midnight in India, each an hour long. */
function setEvents(...hours: number[]): void {
  const utc = (instant: number) => new Date(instant).toISOString().replace(/[-:]|\.\d+/g, "");
  const events = hours.map(
    (hour) =>
      `BEGIN:VEVENT\r\nUID:${hour}\r\nDTSTART:${utc(midnight + hour * HOUR)}\r\nDURATION:PT1H\r\nEND:VEVENT\r\n`,
  );
  const text = `BEGIN:VCALENDAR\r\nVERSION:2.0\r\n${events.join("")}END:VCALENDAR\r\n`;
  sandbox.calendars.texts.set("roster", text);
}

const set = (address: string | null) => setBusyCalendar(world.deps, ADMIN_ACTOR, "asha", address);
const refresh = () => refreshBusyCalendar(world.deps, "asha");
const state = () => {
  const read = readBusyCalendar(world.deps, "asha");
  if (!read.ok) throw new Error(read.message);
  return read.value;
};
const version = () => readOfferVersion(world.deps.db);
const stored = () => findBusyCalendar(world.deps.db, "asha");
const run = () => runBusyCalendars(world.deps, NEVER);
const mails = () =>
  world.deps.db.allRaw<{ cause: string; data: string }>("SELECT cause, data FROM message");

async function done(outcome: Promise<Outcome<BusyCalendarState>>): Promise<BusyCalendarState> {
  const result = await outcome;
  if (!result.ok) throw new Error(result.message);
  return result.value;
}

it("requests to read one captain's calendar at once are one read", async () => {
  await done(set(url));
  sandbox.switches.set({ name: "calendar_no_etag" });
  const reads = vi.spyOn(sandbox.calendars.texts, "get");
  const all = Array.from({ length: 200 }, () => done(refresh()));
  expect(new Set((await Promise.all(all)).map(({ error }) => error))).toEqual(new Set([null]));
  expect(reads).toHaveBeenCalledTimes(1);
});

describe("an address", () => {
  it("is read at once, and stored sealed, with nothing of the events but start and end", async () => {
    setEvents(24, 48);
    const address = `${url}?secret=hush`;
    expect(await done(set(address))).toMatchObject({
      host: new URL(url).host,
      lastReadAt: world.clock.now,
      busy: 2,
      error: null,
    });
    const row = JSON.stringify(stored());
    expect(row).not.toContain("hush");
    expect(row).toContain('"sealedUrl":"v1.');
    const entries = world.deps.db.allRaw<{ action: string; after: string }>(
      "SELECT action, before, after FROM activity",
    );
    expect(entries).toMatchObject([{ action: "busy_calendar_set" }]);
    expect(JSON.stringify(entries)).not.toContain("hush");
  });

  it("that replaces another drops the old times, also when it cannot be read; so does removing it", async () => {
    await done(set(url));
    expect(state().busy).toBeGreaterThan(0);
    sandbox.switches.set({ name: "calendar_error", value: 404 });
    const other = await done(set(`${url}?other`));
    expect(other).toMatchObject({ lastReadAt: null, busy: 0 });
    expect(other.error).toMatch(/copy its private address/);
    sandbox.switches.clear();
    expect((await done(refresh())).busy).toBeGreaterThan(0);
    const none = { host: null, lastReadAt: null, busy: 0, error: null };
    expect(await done(set(null))).toMatchObject(none);
    expect(await refresh()).toMatchObject({ code: "validation_failed" });
  });

  it("that leads into our network, or is no address, is refused, and the old one stays", async () => {
    await done(set(url));
    const before = [state(), stored(), version()];
    sandbox.switches.set({ name: "calendar_redirect" });
    for (const wrong of [`${url}?x`, "http://10.0.0.1/", "ftp://127.0.0.1/", "roster", ""]) {
      expect(await set(wrong)).toMatchObject({
        code: "validation_failed",
        errors: { url: [expect.stringMatching(/./)] },
      });
    }
    expect([state(), stored(), version()]).toEqual(before);
    const unknown = await setBusyCalendar(world.deps, ADMIN_ACTOR, "nobody", url);
    expect(unknown).toMatchObject({ code: "not_found" });
  });

  it("comes under the first session secret", async () => {
    await done(set(url));
    const { env } = world.deps;
    const changed = { ...env, sessionSecrets: ["n".repeat(32), ...env.sessionSecrets] as const };
    sealBusyCalendars({ ...world.deps, env: changed });
    const alone = { ...env, sessionSecrets: ["n".repeat(32)] as const };
    const read = await refreshBusyCalendar({ ...world.deps, env: alone }, "asha");
    expect(read).toMatchObject({ ok: true, value: { error: null } });
    const lost = { ...env, sessionSecrets: ["x".repeat(32)] as const };
    const unread = await refreshBusyCalendar({ ...world.deps, env: lost }, "asha");
    expect(unread).toMatchObject({ value: { error: expect.stringContaining("enter it again") } });
  });
});

describe("reading", () => {
  it("happens every 15 minutes, writes only what changed, and asks for the whole text once a day", async () => {
    setEvents(24, 48);
    await done(set(url));
    const begun = version();
    const seen = stored()!.wholeReadAt;
    world.clock.now += 15 * MINUTE - 1;
    setEvents(24, 48, 72);
    await run();
    expect(state().busy).toBe(2);
    setEvents(24, 48);
    world.clock.now += 1;
    await run();
    expect(stored()).toMatchObject({ wholeReadAt: seen, lastReadAt: world.clock.now });
    sandbox.switches.set({ name: "calendar_no_etag" });
    world.clock.now += 15 * MINUTE;
    await run();
    expect(stored()).toMatchObject({ wholeReadAt: world.clock.now, etag: null });
    expect(version()).toBe(begun);
    setEvents(24, 48, 72);
    sandbox.switches.clear();
    world.clock.now += 15 * MINUTE;
    await run();
    expect([state().busy, version()]).toEqual([3, begun + 1]);
    // There are other days ahead by then.
    world.clock.now += DAY;
    await run();
    expect(stored()!.wholeReadAt).toBe(world.clock.now);
  });

  it("has the days back that were over while the clock was ahead", async () => {
    setEvents(24);
    await done(set(url));
    world.clock.now += 3 * DAY;
    await done(refresh());
    expect(state().busy).toBe(0);
    world.clock.now -= 3 * DAY - HOUR;
    await done(refresh());
    expect(state().busy).toBe(1);
  });

  it("reaches as far as times are sold, also once that is further than before", async () => {
    const [near, far] = [365 * 24, 400 * 24];
    setEvents(near, far);
    expect((await done(set(url))).busy).toBe(1);
    expect(stored()!.etag).not.toBeNull();
    world.deps.env = { ...world.deps.env, bookingWindowDays: 400 };
    world.clock.now += 15 * MINUTE;
    await run();
    expect(state().busy).toBe(2);
    world.deps.env = { ...world.deps.env, bookingWindowDays: 399 };
    expect((await done(refresh())).busy).toBe(1);
  });

  it.each<[SwitchName, RegExp, (number | string)?]>([
    ["calendar_error", /private \(secret\) address/, 401],
    ["calendar_redirect", /not public/],
    ["calendar_lying_length", /larger than 2 MB/],
    ["calendar_lying_length", /no calendar/, 300],
  ])("keeps the last good times through %s", async (name, words, value) => {
    setEvents(24, 48);
    await done(set(url));
    const begun = version();
    sandbox.calendars.texts.clear();
    sandbox.switches.set({ name, value });
    sandbox.switches.set({ name: "calendar_no_etag" });
    const failed = await done(refresh());
    expect(failed).toMatchObject({ busy: 2, error: words, lastReadAt: world.clock.now });
    expect(version()).toBe(begun);
    sandbox.switches.clear();
    expect(await done(refresh())).toMatchObject({ busy: 14, error: null });
  });

  it("of an address that was replaced meanwhile is forgotten", async () => {
    await done(set(url));
    sandbox.switches.set({ name: "calendar_slow", value: 0.2, match: "roster" });
    world.clock.now += HOUR;
    const reading = readDueCalendars(world.deps, NEVER);
    const other = await done(set(url.replace("roster", "other")));
    await reading;
    expect(state()).toEqual(other);
  });
});

it("notifies the owner once after a day, and again only after a good read", async () => {
  await done(set(url));
  sandbox.switches.set({ name: "calendar_error" });
  const begun = world.clock.now;
  const later = async (ms: number) => {
    world.clock.now = begun + ms;
    await run();
    return mails().length;
  };
  expect(await later(HOUR)).toBe(0);
  expect(await later(HOUR + DAY - 1)).toBe(0);
  expect(await later(HOUR + DAY)).toBe(1);
  expect(await later(3 * DAY)).toBe(1);
  expect(JSON.parse(mails()[0]!.data)).toMatchObject({
    counselor: "Capt. Asha Sample",
    at: begun + HOUR,
    error: expect.stringContaining("answered with an error"),
  });
  sandbox.switches.clear();
  expect(await later(3 * DAY + HOUR)).toBe(1);
  sandbox.switches.set({ name: "calendar_error" });
  expect(await later(4 * DAY)).toBe(1);
  expect(await later(5 * DAY)).toBe(2);
});

it("knows invitations of ours that were sent under a former domain", async () => {
  const sentBy = (mailFrom: string) => ({ ...world.deps, env: { ...world.deps.env, mailFrom } });
  await runBusyCalendars(sentBy("Old <hello@old.example>"), NEVER);
  setEvents(24, 48);
  const texts = sandbox.calendars.texts;
  texts.set("roster", texts.get("roster")!.replace("UID:24", "UID:session@old.example"));
  const now = sentBy("New <hello@new.example>");
  const read = await done(setBusyCalendar(now, ADMIN_ACTOR, "asha", url));
  expect(read.busy).toBe(1);
});

it("asks of a kept session anew once what took its time was gone and is back", async () => {
  const date = addDays(dateInIndia(world.clock.now), 2);
  const { id } = bookByStaff(world.deps, { date, timeSlot: "10:00" });
  const open = () => listClashes(world.deps.db, world.clock.now);
  setEvents(34);
  await done(set(url));
  const [{ version, causes }] = open() as [ReturnType<typeof open>[number]];
  const words = "Busy in the imported calendar from 10:00 AM to 11:00 AM";
  expect(causes).toMatchObject([{ words }]);
  keepClash(world.deps, ADMIN_ACTOR, id, { version, causes: causes.map(({ key }) => key) });
  expect(open()).toEqual([]);
  for (const hours of [[], [34]]) {
    setEvents(...hours);
    await done(refresh());
  }
  expect(open()).toMatchObject([{ id }]);
  const allDay = [instantOf(date), instantOf(date) + DAY];
  world.deps.db.runRaw("UPDATE busy_time SET starts_at = ?, ends_at = ?", allDay);
  expect(open()).toMatchObject([{ causes: [{ words: "Busy all day in the imported calendar" }] }]);
});
