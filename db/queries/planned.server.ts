/** What is planned for later: messages, refunds, events, orders, calendars, and unpaid holds. */
import { type Db, inTransaction, literal, sqlite } from "#db/connection.server.ts";

/** How far ahead a plan of each kind goes at the most, and a lease, in milliseconds. */
export interface Ahead {
  message: number;
  refund: number;
  event: number;
  order: number;
  calendar: number;
  lease: number;
}

/**
 * What is planned for further ahead than that is due at `now`, but for the messages of `underWay`;
 * answers how many rows.
 */
export function bringForward(
  db: Db,
  now: number,
  ahead: Ahead,
  underWay: readonly string[],
): number {
  const due = { next_try_at: now, lease_until: null };
  const leased = now + ahead.lease;
  const messages = sqlite
    .updateTable("message")
    .set(due)
    .where("next_try_at", "is not", null)
    .where("id", "not in", underWay)
    .where((eb) =>
      eb.or([eb("next_try_at", ">", now + ahead.message), eb("lease_until", ">", leased)]),
    );
  const refunds = sqlite
    .updateTable("refund")
    .set(due)
    .where("next_try_at", "is not", null)
    .where((eb) =>
      eb.or([eb("next_try_at", ">", now + ahead.refund), eb("lease_until", ">", leased)]),
    );
  const events = sqlite
    .updateTable("provider_event")
    .set({ next_try_at: now })
    .where("state", "=", literal("new"))
    .where("next_try_at", ">", now + ahead.event);
  const orders = sqlite
    .updateTable("payment_order")
    .set({ next_check_at: now })
    .where("next_check_at", ">", now + ahead.order);
  const calendars = sqlite
    .updateTable("busy_calendar")
    .set({ next_read_at: now })
    .where("next_read_at", ">", now + ahead.calendar);
  return inTransaction(db, (tx) =>
    [messages, refunds, events, orders, calendars].reduce((sum, each) => sum + tx.run(each), 0),
  );
}

/** Visitors' unpaid bookings whose hold ends after `after`. */
export function listHeldBeyond(db: Db, after: number): string[] {
  const held = sqlite
    .selectFrom("appointment")
    .select("id")
    .where("status", "=", literal("pending_payment"))
    .where("source", "=", literal("visitor"))
    .where("hold_until", ">", after);
  return db.all(held).map(({ id }) => id);
}
