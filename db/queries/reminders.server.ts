/** Which appointments get a reminder or miss their attendance, and what is planned for later. */
import { expressionBuilder } from "kysely";
import type { Appointment } from "#app/model/appointment.ts";
import { PAID } from "#app/model/statuses.ts";
import {
  COUNT,
  type Db,
  inTransaction,
  literal,
  literals,
  PAID_WORDS,
  sqlite,
} from "#db/connection.server.ts";
import type { AppointmentTable, Tables } from "#db/tables.ts";
import { appointments, toAppointment } from "./appointments.server.ts";

/** The first `limit` without some, or a single one. */
export type Which = { limit: number; except: readonly string[] } | { only: string };

const ALL: Which = { limit: 100, except: [] };

/** The first `a.id` of a condition and its order; by hand, since both are about the same messages. */
function listDue(db: Db, condition: string, values: object, which: Which): string[] {
  const { only, except, limit } = { only: null, except: [], limit: 1, ...which };
  const rows = db.allRaw<{ id: string }>(
    `SELECT a.id FROM appointment a WHERE (@only IS NULL OR a.id = @only)
       AND a.id NOT IN (SELECT value FROM json_each(@except)) AND ${condition} LIMIT @limit`,
    [{ ...values, only, except: JSON.stringify(except), limit }],
  );
  return rows.map(({ id }) => id);
}

// A corrected address is news to the customer alone, and the captain waits for the reminder.
const NOTIFIED = `m.audience = 'customer' AND m.kind IN ('booking_confirmed', 'booking_rescheduled')
  AND json_extract(m.data, '$.corrected') IS NULL`;

/**
 * Paid sessions that start within `before` but not within `until` milliseconds and have no
 * reminder of that kind yet. One booked, moved or confirmed again less than `margin` before the
 * reminder's moment gets none: the customer has just been notified.
 */
export function listAppointmentsToRemind(
  db: Db,
  now: number,
  rule: { hours: 24 | 1; before: number; until: number; margin: number },
  which: Which = ALL,
): string[] {
  const condition = `a.status IN (${PAID_WORDS}) AND a.starts_at > @from AND a.starts_at <= @to
    AND a.created_at <= a.starts_at - @lead
    AND NOT EXISTS (SELECT 1 FROM message m WHERE m.cause = @cause || a.id || ':' || a.starts_at)
    AND NOT EXISTS (SELECT 1 FROM message m WHERE m.appointment_id = a.id AND ${NOTIFIED}
      AND m.created_at > a.starts_at - @lead)
    ORDER BY a.starts_at`;
  const { hours, before, until, margin } = rule;
  const span = { from: now + until, to: now + before, lead: before + margin };
  return listDue(db, condition, { ...span, cause: `reminder_${hours}h:` }, which);
}

/** When the customer was last notified of the time of their paid session; null if never. */
export function lastNotifiedAt(db: Db, appointmentId: string): number | null {
  const newest = `SELECT max(m.created_at) AS at FROM message m
    WHERE m.appointment_id = ? AND ${NOTIFIED}`;
  return db.firstRaw<{ at: number | null }>(newest, [appointmentId])!.at;
}

/**
 * Bookings whose hold ended unpaid after `since`, whose session is still to come, and whose customer
 * was not notified yet. Without those with an authorised payment, which is being checked.
 */
export function listUnpaidToNotify(
  db: Db,
  now: number,
  since: number,
  which: Which = ALL,
): string[] {
  const condition = `a.status = 'pending_payment' AND a.hold_until <= @now AND a.hold_until > @since
    AND a.starts_at > @now AND a.personal_data_erased_at IS NULL
    AND NOT EXISTS (SELECT 1 FROM message m WHERE m.cause = 'unpaid:' || a.id)
    AND NOT EXISTS (SELECT 1 FROM payment p
      WHERE p.appointment_id = a.id AND p.outcome = 'authorized') ORDER BY a.hold_until`;
  return listDue(db, condition, { now, since }, which);
}

export interface Ended {
  /** Instants, both inclusive, between which a session ended. */
  since: number;
  until: number;
  /** Absent: of all captains. */
  counselorKey?: string;
}

/** A paid session that has ended, with that attendance; null: none was noted. */
export function paidAndEnded(
  { since, until, counselorKey }: Ended,
  attendance: "completed" | null,
) {
  const eb = expressionBuilder<Tables & { a: AppointmentTable }, "a">();
  return eb.and([
    eb("a.status", "in", literals(PAID)),
    attendance === null
      ? eb("a.attendance", "is", null)
      : eb("a.attendance", "=", literal(attendance)),
    eb("a.ends_at", ">=", since),
    eb("a.ends_at", "<=", until),
    ...(counselorKey === undefined ? [] : [eb("a.counselor_key", "=", counselorKey)]),
  ]);
}

/** Counts up to `atMost`: if attendance is never noted, counting all would take longer every year. */
export function countMissingAttendance(db: Db, ended: Ended, atMost: number): number {
  const some = sqlite
    .selectFrom("appointment as a")
    .select("a.seq")
    .where(paidAndEnded(ended, null));
  return db.first(sqlite.selectFrom(some.limit(atMost).as("some")).select(COUNT))!.count;
}

/** Those that ended last. */
export function listMissingAttendance(db: Db, ended: Ended, limit: number): Appointment[] {
  const newest = appointments
    .where(paidAndEnded(ended, null))
    .orderBy("a.ends_at", "desc")
    .limit(limit);
  return db.all(newest).map(toAppointment);
}

/** How far ahead rows of each kind, and leases, are planned at most, in milliseconds. */
export type Ahead = Record<
  "message" | "refund" | "event" | "order" | "calendar" | "room" | "lease",
  number
>;

// By hand: six tables alike. `@message` and the like are the latest instants that may be planned.
const BRING_FORWARD = [
  `UPDATE message SET next_try_at = @now, lease_until = NULL
   WHERE next_try_at IS NOT NULL AND id NOT IN (SELECT value FROM json_each(@underWay))
     AND (next_try_at > @message OR lease_until > @lease)`,
  `UPDATE refund SET next_try_at = @now, lease_until = NULL
   WHERE next_try_at IS NOT NULL AND (next_try_at > @refund OR lease_until > @lease)`,
  "UPDATE provider_event SET next_try_at = @now WHERE state = 'new' AND next_try_at > @event",
  // Also the first look at an order that was made while the clock was ahead.
  `UPDATE payment_order SET next_check_at = @now
   WHERE next_check_at > @order
     OR next_check_at > created_at AND created_at > @now AND checks = 0`,
  "UPDATE busy_calendar SET next_read_at = @now WHERE next_read_at > @calendar",
  // Also since when a room is awaited, because the fallback is counted from then.
  `UPDATE session_room SET next_try_at = @now, lease_until = NULL,
     created_at = min(created_at, @now), unsure_since = min(unsure_since, @now)
   WHERE next_try_at IS NOT NULL AND (next_try_at > @room OR lease_until > @lease
     OR created_at > @now OR unsure_since > @now)`,
];

/**
 * Makes rows that are planned for further ahead than that due at `now`, except the messages of
 * `underWay`; returns how many. Such rows exist after the clock was set back.
 */
export function bringForward(
  db: Db,
  now: number,
  ahead: Ahead,
  underWay: readonly string[],
): number {
  const latest = Object.entries(ahead).map(([kind, most]) => [kind, now + most]);
  const values = { ...Object.fromEntries(latest), now, underWay: JSON.stringify(underWay) };
  return inTransaction(db, (tx) =>
    BRING_FORWARD.reduce((sum, update) => sum + tx.runRaw(update, [values]), 0),
  );
}

/** Visitors' unpaid bookings whose hold was taken after `now` and ends after `after`. */
export function listHeldBeyond(db: Db, now: number, after: number): string[] {
  const held = sqlite
    .selectFrom("appointment")
    .select("id")
    .where("status", "=", literal("pending_payment"))
    // Null for bookings by staff.
    .where("client_address", "is not", null)
    .where("hold_until", ">", after)
    .where("held_at", ">", now);
  return db.all(held).map(({ id }) => id);
}
