/** Erases a customer: their personal data goes everywhere but from the ledger and the opt-outs. */
import { change } from "#app/core/change.server.ts";
import type { Deps } from "#app/core/deps.server.ts";
import type { Actor } from "#app/model/actor.ts";
import { formatSession } from "#app/model/dates.ts";
import { isId } from "#app/model/ids.ts";
import { formatRupees } from "#app/model/money.ts";
import { failure, type Outcome, success } from "#app/model/outcome.ts";
import { findCustomer, listAppointmentsOf } from "#db/queries/customers.server.ts";
import { eraseCustomer as eraseAddress } from "#db/queries/erasures.server.ts";
import { listOwedByPerson } from "#db/queries/payments.server.ts";
import { NO_CUSTOMER, sessionsAhead } from "./read-customer.server.ts";

/**
 * What is due is sent first. The log says who did it, not of whom. Refusals: `not_found`, `in_use` with
 * a session to come, or while a person owes them money.
 */
export function eraseCustomer(
  deps: Pick<Deps, "db" | "now" | "wake">,
  actor: Actor,
  id: string,
): Outcome<{ id: string }> {
  return change(deps, actor, ({ tx, now, log }) => {
    const customer = isId(id) ? findCustomer(tx, id) : null;
    if (!customer) return NO_CUSTOMER;
    const bookings = listAppointmentsOf(tx, customer.email);
    const [next] = sessionsAhead(bookings, now).reverse();
    if (next) {
      return failure(
        "in_use",
        `There is a session to come, on ${formatSession(next.date, next.timeSlot)}. Please cancel it first, or wait until it is over; then erase.`,
      );
    }
    const ids = bookings.map((booking) => booking.id);
    const [owed] = listOwedByPerson(tx, ids);
    if (owed) {
      return failure(
        "in_use",
        `${formatRupees(owed.amountPaise)} is still owed to this customer, and does not go back by itself. Please try the refund again, or pay it by hand and mark it as paid back; then erase.`,
      );
    }
    eraseAddress(tx, customer.email, now);
    log("customer_erase", id, { after: { sessions: customer.sessions } });
    return success({ id });
  });
}
