/** The hours a captain works. Sessions booked already stay, and are named in the answer. */
import { change } from "#app/core/change.server.ts";
import type { Deps } from "#app/core/deps.server.ts";
import type { Actor } from "#app/model/actor.ts";
import { failure, type Outcome, success } from "#app/model/outcome.ts";
import { findHours, type Hours, saveHours } from "#db/queries/hours.server.ts";
import { type Clash, forgetGone, listClashes } from "./clashes.server.ts";

const STALE = failure(
  "stale",
  "The hours were changed in the meantime. Please look at them again before you go on.",
);

/** Replaces week and buffer. The counselor must be one. Refusal: `stale`. */
export function setHours(
  deps: Pick<Deps, "db" | "now" | "wake">,
  actor: Actor,
  counselorKey: string,
  { week, bufferMinutes, version }: Omit<Hours, "version"> & { version?: number | undefined },
): Outcome<{ hours: Hours; affected: Clash[] }> {
  return change(deps, actor, ({ tx, now, log }) => {
    const { version: current, ...before } = findHours(tx, counselorKey);
    if (version !== undefined && version !== current) return STALE;
    const hours = { week, bufferMinutes, version: current + 1 };
    saveHours(tx, counselorKey, hours);
    forgetGone(tx, counselorKey, now);
    log("hours_set", counselorKey, { before, after: { week, bufferMinutes } });
    const affected = listClashes(tx, now, {
      session: (session) => session.counselorKey === counselorKey,
      cause: ({ kind }) => kind === "hours" || kind === "buffer",
    });
    return success({ hours, affected });
  });
}
