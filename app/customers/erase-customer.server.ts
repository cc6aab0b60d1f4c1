/** Erases a customer: their personal data goes everywhere but from the ledger and the opt-outs. */
import { change } from "#app/core/change.server.ts";
import type { Deps } from "#app/core/deps.server.ts";
import type { Actor } from "#app/model/actor.ts";
import { formatSession } from "#app/model/dates.ts";
import { isId } from "#app/model/ids.ts";
import { failure, type Outcome, success } from "#app/model/outcome.ts";
import { findCustomer, listAppointmentsOf } from "#db/queries/customers.server.ts";
import { eraseCustomer as eraseAddress } from "#db/queries/erasures.server.ts";
import { NO_CUSTOMER, sessionsAhead } from "./read-customer.server.ts";

/** The log says who did it, not of whom. Refusals: `not_found`, `in_use`. */
export function eraseCustomer(
  deps: Pick<Deps, "db" | "now" | "wake">,
  actor: Actor,
  id: string,
): Outcome<{ id: string }> {
  return change(deps, actor, ({ tx, now, log }) => {
    const customer = isId(id) ? findCustomer(tx, id) : null;
    if (!customer) return NO_CUSTOMER;
    const [next] = sessionsAhead(listAppointmentsOf(tx, customer.email), now).reverse();
    if (next) {
      return failure(
        "in_use",
        `There is a session to come, on ${formatSession(next.date, next.timeSlot)}. Please cancel it first, or wait until it is over; then erase.`,
      );
    }
    eraseAddress(tx, customer.email, now);
    log("customer_erase", id, { after: { sessions: customer.sessions } });
    return success({ id });
  });
}
