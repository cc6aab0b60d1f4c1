/** A corrected address: the bookings that staff choose go over to the customer who has it. */
import type { z } from "zod";
import { editContact } from "#app/booking/edit-contact.server.ts";
import type { Deps } from "#app/core/deps.server.ts";
import type { Actor } from "#app/model/actor.ts";
import { failure, type Outcome, success } from "#app/model/outcome.ts";
import { inTransaction } from "#db/connection.server.ts";
import { findCustomer, findCustomerId, listAppointmentsOf } from "#db/queries/customers.server.ts";
import type { moveBookingsSchema } from "./fields.ts";
import { NO_CUSTOMER } from "./read-customer.server.ts";

/**
 * Each is corrected as any contact is: logged, and a paid one confirmed again. Answers the id of the
 * customer who has them now. Refusals: `not_found`, `stale` for a booking that is another's by now.
 */
export function moveBookings(
  deps: Pick<Deps, "db" | "env" | "now" | "wake">,
  actor: Actor,
  id: string,
  { email, bookings }: z.output<typeof moveBookingsSchema>,
): Outcome<{ id: string; moved: number }> {
  return inTransaction(deps.db, (tx) => {
    const customer = findCustomer(tx, id);
    if (!customer) return NO_CUSTOMER;
    const own = new Set(listAppointmentsOf(tx, customer.email).map((one) => one.id));
    if (bookings.some((booking) => !own.has(booking))) {
      return failure("stale", "A booking has changed in the meantime. Please look again.");
    }
    for (const booking of bookings) editContact(deps, actor, booking, { email });
    return success({ id: findCustomerId(tx, email) ?? id, moved: bookings.length });
  });
}
