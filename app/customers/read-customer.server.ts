/** One customer with all that their bookings say. Changes nothing. */
import {
  type AppointmentDetail,
  readAppointmentDetail,
} from "#app/booking/appointment-detail.server.ts";
import type { Deps } from "#app/core/deps.server.ts";
import { type Appointment, isLive } from "#app/model/appointment.ts";
import { dateInIndia } from "#app/model/dates.ts";
import { isId } from "#app/model/ids.ts";
import type { Message } from "#app/model/messages.ts";
import { failure } from "#app/model/outcome.ts";
import {
  type Customer,
  findCustomer,
  listAppointmentsOf,
  listLooseMessages,
  listLoosePayments,
} from "#db/queries/customers.server.ts";
import type { Payment } from "#db/queries/payments.server.ts";

export const NO_CUSTOMER = failure("not_found", "There is no such customer.");

export interface CustomerDetail {
  customer: Customer;
  /** The newest session first. */
  bookings: AppointmentDetail[];
  /** About no one booking. */
  messages: Message[];
  payments: Payment[];
}

/** Null for an id that no customer has. */
export function readCustomer(
  deps: Pick<Deps, "db">,
  id: string | undefined,
): CustomerDetail | null {
  const customer = isId(id) ? findCustomer(deps.db, id) : null;
  if (!customer) return null;
  const { email } = customer;
  return {
    customer,
    bookings: listAppointmentsOf(deps.db, email).map(
      (booking) => readAppointmentDetail(deps, booking.id)!,
    ),
    messages: listLooseMessages(deps.db, email),
    payments: listLoosePayments(deps.db, email),
  };
}

/** Sessions that keep their time and are not over: who has one cannot be erased. */
export function sessionsAhead(bookings: readonly Appointment[], now: number): Appointment[] {
  return bookings.filter((booking) => isLive(booking, now) && booking.endsAt > now);
}

/** As the calls answer it. */
export function customerJson({ id, name, email, phone, sessions, paid, lastStartsAt }: Customer) {
  return { id, name, email, phone, sessions, paid, lastSession: dateInIndia(lastStartsAt) };
}
