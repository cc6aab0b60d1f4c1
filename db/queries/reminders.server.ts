/** Which appointments get a reminder or miss their attendance, and what is planned for later. */
import { type Expression, expressionBuilder, sql } from "kysely";
import type { Appointment } from "#app/model/appointment.ts";
import { PAID } from "#app/model/statuses.ts";
import { COUNT, type Db, inTransaction, literal, literals, sqlite } from "#db/connection.server.ts";
import type { AppointmentTable, Tables } from "#db/tables.ts";
import { appointments, toAppointment } from "./appointments.server.ts";

/** The first `limit` without some, or a single one. */
export type Which = { limit: number; except: readonly string[] } | { only: string };

const ALL: Which = { limit: 100, except: [] };

const messages = sqlite.selectFrom("message as m").select("m.cause");

const ofWhich = (which: Which) =>
  "only" in which
    ? sql<boolean>`a.id = ${which.only}`
    : sql<boolean>`a.id NOT IN (SELECT value FROM json_each(${JSON.stringify(which.except)}))`;
const limitOf = (which: Which) => ("only" in which ? 1 : which.limit);

const hasNo = (rows: Expression<unknown>) => sql<boolean>`NOT EXISTS ${rows}`;

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
  const notifiedFrom = sql<number>`a.starts_at - ${rule.before + rule.margin}`;
  const cause = sql<string>`${`reminder_${rule.hours}h:`} || a.id || ':' || a.starts_at`;
  const notified = messages
    .where("m.appointment_id", "=", sql.ref<string>("a.id"))
    .where("m.audience", "=", "customer")
    .where("m.kind", "in", literals(["booking_confirmed", "booking_rescheduled"]))
    // A corrected address is news to the customer alone, and the captain waits for the reminder.
    .where(sql<boolean>`json_extract(m.data, '$.corrected') IS NULL`);
  const sessions = sqlite
    .selectFrom("appointment as a")
    .select("a.id")
    .where("a.status", "in", literals(PAID))
    .where("a.starts_at", ">", now + rule.until)
    .where("a.starts_at", "<=", now + rule.before)
    .where("a.created_at", "<=", notifiedFrom)
    .where(hasNo(messages.where("m.cause", "=", cause)))
    .where(hasNo(notified.where("m.created_at", ">", notifiedFrom)))
    .where(ofWhich(which))
    .orderBy("a.starts_at")
    .limit(limitOf(which));
  return db.all(sessions).map((row) => row.id);
}

/** When the customer was last notified of the time of their paid session; null if never. */
export function lastNotifiedAt(db: Db, appointmentId: string): number | null {
  const newest = sqlite
    .selectFrom("message")
    .select("created_at")
    .where("appointment_id", "=", appointmentId)
    .where("audience", "=", "customer")
    .where("kind", "in", literals(["booking_confirmed", "booking_rescheduled"]))
    .where(sql<boolean>`json_extract(data, '$.corrected') IS NULL`)
    .orderBy("created_at", "desc")
    .limit(1);
  return db.first(newest)?.created_at ?? null;
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
  const checked = sqlite
    .selectFrom("payment as p")
    .select("p.payment_id")
    .where("p.appointment_id", "=", sql.ref<string>("a.id"))
    .where("p.outcome", "=", literal("authorized"));
  const bookings = sqlite
    .selectFrom("appointment as a")
    .select("a.id")
    .where("a.status", "=", literal("pending_payment"))
    .where("a.hold_until", "<=", now)
    .where("a.hold_until", ">", since)
    .where("a.starts_at", ">", now)
    .where("a.personal_data_erased_at", "is", null)
    .where(hasNo(messages.where("m.cause", "=", sql<string>`'unpaid:' || a.id`)))
    .where(hasNo(checked))
    .where(ofWhich(which))
    .orderBy("a.hold_until")
    .limit(limitOf(which));
  return db.all(bookings).map((row) => row.id);
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
  "UPDATE payment_order SET next_check_at = @now WHERE next_check_at > @order",
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
