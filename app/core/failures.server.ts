/**
 * Errors that nobody expected, counted by where they happen and what they are. An error's own words
 * may hold an address, a number or an id, so none are kept: its class, the route's pattern or the
 * job's name, and the lines of our code it came from. A job writes them, so that failing requests
 * do not wait and many errors at once are a single write.
 */
import { relative } from "node:path";
import { DAY } from "#app/model/dates.ts";
import { type Db, inTransaction } from "#db/connection.server.ts";
import { type Failure, saveFailures } from "#db/queries/health.server.ts";
import type { Deps } from "./deps.server.ts";

/** A failure that has not recurred for this long is neither shown nor kept. */
export const FAILURE_AGE = 7 * DAY;

/** Groups that wait to be written; further ones are only logged. */
const MOST_WAITING = 50;
const MOST_FRAMES = 3;
const LONGEST = 200;
/** The form of names of classes and codes; any other text may hold personal data. */
const NAME = /^[A-Za-z][A-Za-z0-9_]{0,59}$/;
const FRAME =
  /^ +at (?:async )?(?:(?:new )?([\w$.#<>]+)(?: \[as [\w$]+\])? \()?(?:file:\/\/)?(\/[^:()]+:\d+):\d+\)?$/;

const waiting = new WeakMap<Db, Map<string, Failure>>();

interface Place {
  /** The pattern of a route with its method, or a job's name. */
  area: string;
  requestId?: string;
}

/** Never throws. */
export function noteFailure(
  { db, now }: Pick<Deps, "db" | "now">,
  error: unknown,
  { area, requestId }: Place,
): void {
  try {
    const groups = waiting.get(db) ?? new Map<string, Failure>();
    waiting.set(db, groups);
    const at = now();
    const named = { area: area.slice(0, LONGEST), kind: kindOf(error), place: placeOf(error) };
    const key = Object.values(named).join("\n");
    const known = groups.get(key);
    if (!known && groups.size >= MOST_WAITING) return;
    groups.set(key, {
      ...named,
      requestId: requestId ?? known?.requestId ?? null,
      count: (known?.count ?? 0) + 1,
      firstAt: known?.firstAt ?? at,
      lastAt: at,
    });
  } catch {
    // What was thrown may be no error, or may throw when it is read.
  }
}

/** Writes what was noted since. If the database fails, throws its error and keeps what was noted. */
export function writeFailures({ db }: Pick<Deps, "db">): void {
  const groups = waiting.get(db);
  if (!groups?.size) return;
  inTransaction(db, (tx) => saveFailures(tx, [...groups.values()]));
  groups.clear();
}

/** `SqliteError SQLITE_CONSTRAINT_UNIQUE`. */
function kindOf(error: unknown): string {
  if (!(error instanceof Error)) return "no error";
  const { name, code } = error as { name: unknown; code?: unknown };
  return [name, code].filter((word) => typeof word === "string" && NAME.test(word)).join(" ");
}

/** The innermost lines of our own code; empty if the stack was changed. */
function placeOf(error: unknown): string {
  if (!(error instanceof Error) || !error.stack) return "";
  const { stack, message } = error;
  const begin = stack.indexOf(message);
  if (begin < 0) return "";
  const frames = stack
    .slice(begin + message.length)
    .split("\n")
    .flatMap((line) => {
      const [, called = "", file = ""] = FRAME.exec(line) ?? [];
      const own = file && relative(process.cwd(), decodeURI(file));
      return own && !/^\.\.|node_modules/.test(own) ? `${called} ${own}`.trim() : [];
    });
  return frames
    .slice(0, MOST_FRAMES)
    .join(" ← ")
    .slice(0, LONGEST * 2);
}
