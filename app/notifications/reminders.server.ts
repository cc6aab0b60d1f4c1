/** Messages that a clock causes: reminders before a session, one notice after an unpaid hold. */
import type { Deps } from "#app/core/deps.server.ts";
import { HOUR, MINUTE } from "#app/model/duration.ts";
import type { MessageEvent } from "#app/model/messages.ts";
import { inTransaction } from "#db/connection.server.ts";
import { findAppointment } from "#db/queries/appointments.server.ts";
import { listAppointmentsToRemind, listUnpaidToTell } from "#db/queries/reminders.server.ts";
import { queueMessages } from "./queue.server.ts";

/**
 * A reminder is due from `before` the session until `until` before it, unless the customer was
 * told of the session less than `margin` before that: nobody needs a reminder of what they have
 * just done.
 */
const REMINDERS = [
  { hours: 24, before: 24 * HOUR, until: 3 * HOUR, margin: 3 * HOUR },
  { hours: 1, before: HOUR, until: 5 * MINUTE, margin: HOUR },
] as const;

/** A server that was down for longer writes to nobody about a hold long forgotten. */
const UNPAID_NEWS = 24 * HOUR;

/** Queues the reminders that are due; each once for each start time. Returns how many sessions. */
export function runReminders(deps: Deps): number {
  let count = 0;
  for (const rule of REMINDERS) {
    const ids = listAppointmentsToRemind(deps.db, deps.now(), rule);
    count += queueEach(deps, ids, (appointment) => ({
      type: "reminder",
      appointment,
      hours: rule.hours,
    }));
  }
  return count;
}

/** Queues the one notice to customers whose hold ended unpaid. Returns how many. */
export function runUnpaidNotices(deps: Deps): number {
  const now = deps.now();
  const ids = listUnpaidToTell(deps.db, now, now - UNPAID_NEWS);
  return queueEach(deps, ids, (appointment) => ({ type: "unpaid", appointment }));
}

type AboutOne = Extract<MessageEvent, { type: "reminder" | "unpaid" }>;

function queueEach(
  deps: Deps,
  ids: readonly string[],
  eventOf: (appointment: AboutOne["appointment"]) => AboutOne,
): number {
  for (const id of ids) {
    inTransaction(deps.db, (tx) => {
      const appointment = findAppointment(tx, id);
      if (appointment) queueMessages(tx, deps.env, deps.now(), eventOf(appointment));
    });
  }
  if (ids.length > 0) deps.wake();
  return ids.length;
}
