/**
 * Captains' imported calendars: when each is read and what is stored. A calendar's address is a
 * secret: it is stored sealed, and never returned or logged.
 */
import { readCatalogue, refuseStale } from "#app/catalogue/read.server.ts";
import { change } from "#app/core/change.server.ts";
import type { Deps } from "#app/core/deps.server.ts";
import type { Env } from "#app/core/env.server.ts";
import { eventDomain, isLoopbackSite } from "#app/core/env-fields.ts";
import {
  broughtUnderFirst,
  open,
  type SealedPlace,
  seal,
  sha256,
} from "#app/core/secrets.server.ts";
import { QueueFull, WorkQueue } from "#app/core/work-queue.server.ts";
import type { Actor } from "#app/model/actor.ts";
import { counselorKeyed } from "#app/model/catalogue.ts";
import { addDays, DAY, dateInIndia, instantOf, MINUTE, past } from "#app/model/dates.ts";
import { invalid, type Outcome, success } from "#app/model/outcome.ts";
import { type Db, inTransaction } from "#db/connection.server.ts";
import {
  type BusyCalendar,
  countBusyTimes,
  deleteBusyCalendar,
  findBusyCalendar,
  listBusyCalendars,
  listDueCalendars,
  replaceBusyTimes,
  saveBusyCalendar,
  updateBusyCalendar,
} from "#db/queries/busy-calendars.server.ts";
import { readSetting, writeSetting } from "#db/queries/settings.server.ts";
import type { BusyPart } from "./busy-times.ts";
import { fetchCalendar } from "./calendar-fetch.server.ts";
import { parseCalendar } from "./calendar-parser.server.ts";
import {
  CalendarError,
  type CalendarErrorCode,
  calendarErrorWords,
  readAddress,
} from "./calendar-rules.ts";
import { forgetEndedCauses } from "./clashes.server.ts";

const EVERY = 15 * MINUTE;
/** Days ahead whose busy times are known, unless times are sold further ahead. */
const DAYS_AHEAD = 366;
/** Farther ahead sound calendars would hold more times than are read. */
const MOST_DAYS_AHEAD = 2 * DAYS_AHEAD;
/** A day more than times are sold, for the days that come into range until the next whole read. */
const daysAhead = ({ bookingWindowDays }: Pick<Env, "bookingWindowDays">) =>
  Math.min(Math.max(DAYS_AHEAD, bookingWindowDays + 1), MOST_DAYS_AHEAD);
/** After this long an unchanged calendar is read again, because later days have come into range. */
const FULL_READ_EVERY = DAY;

type CalendarDeps = Pick<Deps, "db" | "env" | "now" | "log">;

export type BusyCalendarState = ReturnType<typeof stateOf>;

/** One read at a time; a captain's refresh joins a scheduled read of the same calendar. */
const queue = new WorkQueue({ mostWaiting: 40, mostOfOwner: 2 });

const NO_CALENDAR = invalid({ url: ["Please set the calendar's address first."] });
const WRONG_ADDRESS = "Please enter the calendar's private address; it begins with https:// .";

/** Refusal: `not_found`. */
export function readBusyCalendar(
  { db, now }: Pick<Deps, "db" | "now">,
  key: string,
): Outcome<BusyCalendarState> {
  const counselor = counselorKeyed(readCatalogue(db), key);
  return counselor.ok ? success(stateOf(db, key, now())) : counselor;
}

function stateOf(db: Db, key: string, now: number) {
  const calendar = findBusyCalendar(db, key);
  return {
    /** Null if no calendar is set. */
    host: calendar?.host ?? null,
    /** The last successful read; null before it. */
    lastReadAt: calendar?.lastReadAt ?? null,
    /** Number of busy times that are not over. */
    busy: countBusyTimes(db, key, now),
    error: calendar?.error ? calendarErrorWords(calendar.error as CalendarErrorCode) : null,
    /** Changes whenever another address is set. */
    version: versionOf(calendar),
  };
}

/** The sealed address differs each time one is set, and its hash reveals nothing. */
function versionOf(calendar: BusyCalendar | null): number {
  return 1 + Buffer.from(sha256(calendar?.sealedUrl ?? ""), "base64url").readUInt32BE();
}

/**
 * Sets the address and reads it at once, or removes it. Busy times of the previous address
 * are dropped, even if the new one cannot be read. Refusals: `not_found`, `stale`, `validation_failed`
 * (`url`). Rejects with QueueFull, and when the client disconnects.
 */
export async function setBusyCalendar(
  deps: CalendarDeps & Pick<Deps, "wake">,
  actor: Actor,
  key: string,
  address: string | null,
  version?: number,
): Promise<Outcome<BusyCalendarState>> {
  const counselor = counselorKeyed(readCatalogue(deps.db), key);
  if (!counselor.ok) return counselor;
  const url = address === null ? null : readAddress(address, isLoopbackSite(deps.env));
  if (address !== null && !url) return invalid({ url: [WRONG_ADDRESS] });
  const begin = (signal: AbortSignal) => readCalendar(deps, { url: url!, etag: null }, signal);
  const read = url && (await queue.run({ owner: key, key: `${key} ${url.href}`, begin }));
  if (read?.error === "inside") return invalid({ url: [calendarErrorWords("inside")] });
  return change(deps, actor, ({ tx, now, log }) => {
    const old = findBusyCalendar(tx, key);
    const stale = refuseStale({ version: versionOf(old) }, version);
    if (stale) return stale;
    if (!url || !read) {
      if (old) log("busy_calendar_removed", key, { before: { host: old.host } });
      deleteBusyCalendar(tx, key);
      replaceBusyTimes(tx, key, []);
      forgetEndedCauses(tx, key, now);
      return success(stateOf(tx, key, now));
    }
    const isSame = old !== null && addressOf(deps.env, old) === url.href;
    if (!isSame) {
      const before = { host: old?.host ?? null };
      log("busy_calendar_set", key, { before, after: { host: url.host } });
      replaceBusyTimes(tx, key, []);
      saveBusyCalendar(tx, {
        counselorKey: key,
        sealedUrl: seal(deps.env.sessionSecrets, placeOf(key), url.href),
        host: url.host,
        nextReadAt: now + EVERY,
        updatedAt: now,
      });
    }
    storeRead(tx, now, findBusyCalendar(tx, key)!, read);
    return success(stateOf(tx, key, now));
  });
}

/**
 * Reads the calendar now; a failed read is reported in the state. Refusals: `not_found`,
 * `validation_failed` if none is set. Rejects with QueueFull, and when the client disconnects.
 */
export async function refreshBusyCalendar(
  deps: CalendarDeps,
  key: string,
): Promise<Outcome<BusyCalendarState>> {
  const counselor = counselorKeyed(readCatalogue(deps.db), key);
  if (!counselor.ok) return counselor;
  const calendar = findBusyCalendar(deps.db, key);
  if (!calendar) return NO_CALENDAR;
  await readInTurn(deps, calendar);
  return success(stateOf(deps.db, key, deps.now()));
}

/** Reads the due calendars one after the other; one that the full queue refuses stays due. */
export async function readDueCalendars(deps: CalendarDeps, signal: AbortSignal): Promise<void> {
  // Also while no calendar is imported, for one that will be.
  ownDomains(deps);
  for (const calendar of listDueCalendars(deps.db, deps.now())) {
    if (signal.aborted) return;
    await readInTurn(deps, calendar, signal).catch((error: unknown) => {
      if (!signal.aborted && !(error instanceof QueueFull)) throw error;
    });
  }
}

function readInTurn(
  deps: CalendarDeps,
  calendar: BusyCalendar,
  signal?: AbortSignal,
): Promise<void> {
  const { counselorKey: owner, sealedUrl } = calendar;
  const begin = (left: AbortSignal) => readAndKeep(deps, calendar, left);
  return queue.run({ owner, key: sealedUrl, begin }, signal);
}

/** Seals every stored address again under the first session secret. */
export function sealBusyCalendars({ db, env, log }: Pick<Deps, "db" | "env" | "log">): void {
  inTransaction(db, (tx) => {
    for (const { counselorKey, sealedUrl } of listBusyCalendars(tx)) {
      const sealed = broughtUnderFirst(env.sessionSecrets, placeOf(counselorKey), sealedUrl);
      if (sealed === null) {
        log.warn(
          { counselor: counselorKey },
          "no SESSION_SECRET opens the address of a captain's calendar: list the one before too, or enter the address again",
        );
      } else if (sealed !== sealedUrl) {
        updateBusyCalendar(tx, counselorKey, { sealedUrl: sealed });
      }
    }
  });
}

/** The new busy times, an unchanged calendar (`parts` is null), or why the read failed. */
type Read =
  | { parts: BusyPart[]; etag: string | null; error?: never }
  | { parts: null; error?: never }
  | { error: CalendarErrorCode };

async function readAndKeep(
  deps: CalendarDeps,
  calendar: BusyCalendar,
  signal: AbortSignal,
): Promise<void> {
  const address = addressOf(deps.env, calendar);
  const url = address === null ? null : URL.parse(address);
  const isOld = past(calendar.wholeReadAt, deps.now()) <= deps.now() - FULL_READ_EVERY;
  // When sold further ahead, the last whole read may not have reached as far.
  const isWhole = isOld || daysAhead(deps.env) > DAYS_AHEAD;
  const etag = isWhole ? null : calendar.etag;
  const read: Read = url ? await readCalendar(deps, { url, etag }, signal) : { error: "sealed" };
  if (signal.aborted) return;
  inTransaction(deps.db, (tx) => {
    // Another address may have been set in the meantime.
    const current = findBusyCalendar(tx, calendar.counselorKey);
    if (current?.sealedUrl === calendar.sealedUrl) storeRead(tx, deps.now(), current, read);
  });
}

async function readCalendar(
  { db, env, now, log }: CalendarDeps,
  { url, etag }: { url: URL; etag: string | null },
  signal: AbortSignal,
): Promise<Read> {
  try {
    const text = await fetchCalendar({ url, etag, isLoopbackSite: isLoopbackSite(env), signal });
    if (!text) return { parts: null };
    const today = dateInIndia(now());
    const query = {
      ownDomains: ownDomains({ db, env }),
      from: instantOf(today),
      to: instantOf(addDays(today, daysAhead(env) + 1)),
    };
    return { parts: await parseCalendar(text.bytes, query, signal), etag: text.etag };
  } catch (error) {
    const isKnown = error instanceof CalendarError;
    const code = isKnown ? error.code : "too_much";
    log.warn({ host: url.host, error: code }, "a captain's calendar was not read");
    // Any other error is a bug, and must not stop the other calendars from being read.
    if (!isKnown && !signal.aborted) log.error({ err: error }, "working a calendar out failed");
    return { error: code };
  }
}

/** Runs in the caller's transaction. A failed read leaves the busy times of the last successful one. */
function storeRead(tx: Db, at: number, calendar: BusyCalendar, read: Read): void {
  const { counselorKey } = calendar;
  const next = { nextReadAt: at + EVERY, updatedAt: at };
  if (read.error) {
    const failingSince = calendar.failingSince ?? at;
    updateBusyCalendar(tx, counselorKey, { ...next, error: read.error, failingSince });
    return;
  }
  if (read.parts) {
    replaceBusyTimes(tx, counselorKey, read.parts);
    forgetEndedCauses(tx, counselorKey, at);
  }
  updateBusyCalendar(tx, counselorKey, {
    ...next,
    ...(read.parts ? { etag: read.etag, wholeReadAt: at } : {}),
    lastReadAt: at,
    failingSince: null,
    toldAt: null,
    error: null,
  });
}

/** Null if none of the session secrets opens it. */
function addressOf({ sessionSecrets }: Env, calendar: BusyCalendar): string | null {
  return open(sessionSecrets, placeOf(calendar.counselorKey), calendar.sealedUrl);
}

function placeOf(counselorKey: string): SealedPlace {
  return { purpose: "busy-calendar", row: counselorKey };
}

/** Separated by spaces. */
const OWN_DOMAINS = "own_domains";

/**
 * Domains in the UIDs of our own events, in invitations and feeds. Captains' calendars keep events of
 * before a change of address or sender, so the former domains are noted.
 */
function ownDomains({ db, env }: Pick<Deps, "db" | "env">): string[] {
  const noted = readSetting(db, OWN_DOMAINS)?.split(" ") ?? [];
  const today = [new URL(env.publicUrl).hostname, eventDomain(env.mailFrom)];
  const all = [...new Set([...noted, ...today])];
  if (all.length > noted.length) writeSetting(db, OWN_DOMAINS, all.join(" "));
  return all;
}
