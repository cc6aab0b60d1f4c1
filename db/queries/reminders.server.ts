/** Which appointments are to be written to. Instants are milliseconds UTC. */
import { type Expression, sql } from "kysely";
import { PAID } from "#app/model/statuses.ts";
import { type Db, literal, literals, sqlite } from "#db/connection.server.ts";

/** The first `limit` but for some, or one alone. */
type Which = { limit: number; except: readonly string[] } | { only: string };

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
 * reminder's moment gets none: the customer has just been told.
 */
export function listAppointmentsToRemind(
  db: Db,
  now: number,
  rule: { hours: 24 | 1; before: number; until: number; margin: number },
  which: Which = ALL,
): string[] {
  const toldFrom = sql<number>`a.starts_at - ${rule.before + rule.margin}`;
  const cause = sql<string>`${`reminder_${rule.hours}h:`} || a.id || ':' || a.starts_at`;
  const told = messages
    .where("m.appointment_id", "=", sql.ref<string>("a.id"))
    .where("m.audience", "=", "customer")
    .where("m.kind", "in", literals(["booking_confirmed", "booking_rescheduled"]));
  const sessions = sqlite
    .selectFrom("appointment as a")
    .select("a.id")
    .where("a.status", "in", literals(PAID))
    .where("a.starts_at", ">", now + rule.until)
    .where("a.starts_at", "<=", now + rule.before)
    .where("a.created_at", "<=", toldFrom)
    .where(hasNo(messages.where("m.cause", "=", cause)))
    .where(hasNo(told.where("m.created_at", ">", toldFrom)))
    .where(ofWhich(which))
    .orderBy("a.starts_at")
    .limit(limitOf(which));
  return db.all(sessions).map((row) => row.id);
}

/**
 * Bookings whose hold ended after `since` unpaid, whose session is still ahead, that were not yet
 * written to. One with an authorised payment is left alone: its money is being checked.
 */
export function listUnpaidToTell(db: Db, now: number, since: number, which: Which = ALL): string[] {
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
