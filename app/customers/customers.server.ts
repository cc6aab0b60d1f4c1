/** A customer, known by their e-mail address: read, exported, moved to another address, erased. */
import type { z } from "zod";
import { readAppointmentDetail } from "#app/booking/appointment-detail.server.ts";
import { keptOf } from "#app/booking/cancel-and-refund.server.ts";
import { editContact } from "#app/booking/edit-appointment.server.ts";
import { change } from "#app/core/change.server.ts";
import type { ChangeDeps, Deps } from "#app/core/deps.server.ts";
import type { Actor } from "#app/model/actor.ts";
import { type Appointment, isLive } from "#app/model/appointment.ts";
import { dateInIndia, formatSession, isoInstant } from "#app/model/dates.ts";
import { isId } from "#app/model/ids.ts";
import { formatMoney, formatRupees, type Money, rupeesOf } from "#app/model/money.ts";
import { failure, type Outcome, success } from "#app/model/outcome.ts";
import { type Db, inTransaction } from "#db/connection.server.ts";
import {
  type Customer,
  findCustomer,
  findCustomerId,
  listAppointmentsOf,
  listLooseMessages,
  listLoosePayments,
  listRowsOf,
} from "#db/queries/customers.server.ts";
import { eraseCustomer as eraseAddress } from "#db/queries/erasures.server.ts";
import { stillAsking } from "#db/queries/help-calls.server.ts";
import { isOptedOut } from "#db/queries/message-leases.server.ts";
import { listStillOwed, type Payment } from "#db/queries/payments.server.ts";
import type { moveBookingsSchema } from "./fields.ts";

export const NO_CUSTOMER = failure("not_found", "There is no such customer.");

/**
 * A customer with their bookings, newest session first, and the messages and payments that belong
 * to no booking. Null for an unknown customer.
 */
export function readCustomer(deps: Pick<Deps, "db">, id: string | undefined) {
  const customer = isId(id) ? findCustomer(deps.db, id) : null;
  if (!customer) return null;
  const { email } = customer;
  const bookings = listAppointmentsOf(deps.db, email);
  return {
    customer,
    bookings: bookings.map((booking) => readAppointmentDetail(deps, booking.id)!),
    messages: listLooseMessages(deps.db, email),
    payments: loosePayments(deps.db, email, bookings),
  };
}

function loosePayments(db: Db, email: string, bookings: readonly Appointment[]): Payment[] {
  return listLoosePayments(db, { email, phones: bookings.map(({ contact }) => contact.phone) });
}

/** Live sessions that are not over; they prevent erasing. */
export function sessionsAhead(bookings: readonly Appointment[], now: number): Appointment[] {
  return bookings.filter((booking) => isLive(booking, now) && booking.endsAt > now);
}

/** What is left of payments that no booking claims and nobody has sent back; it prevents erasing. */
export function unmatchedMoney(db: Db, payments: readonly Payment[]): Money[] {
  return payments
    .filter(({ outcome }) => outcome === "unmatched")
    .map((payment) => ({ ...payment, amountPaise: keptOf(db, payment) }))
    .filter(({ amountPaise }) => amountPaise > 0);
}

export function customerJson({ id, name, email, phone, sessions, paid, lastStartsAt }: Customer) {
  return { id, name, email, phone, sessions, paid, lastSession: dateInIndia(lastStartsAt) };
}

/** Everything stored about a customer, in readable form; logged. Refusal: `not_found`. */
export function readCustomerData(
  deps: ChangeDeps,
  actor: Actor,
  id: string | undefined,
): Outcome<object> {
  return change(deps, actor, ({ tx, now, log }) => {
    const customer = isId(id) ? findCustomer(tx, id) : null;
    if (!customer) return NO_CUSTOMER;
    log("customer_data", customer.id);
    const rows = Object.entries(listRowsOf(tx, customer.email));
    return success({
      madeAt: isoInstant(now),
      amounts: "rupees",
      customer: customerJson(customer),
      noWhatsApp: isOptedOut(tx, customer.phone),
      ...Object.fromEntries(rows.map(([name, list]) => [name, list.map(readableRow)])),
    });
  });
}

/** Internal fields, which say nothing about a person. */
const INTERNAL =
  /^(seq|version|calendarUid|calendarSequence|renewals|attempts|leaseUntil|nextTryAt)$/;

/** Paise as rupees and instants as ISO 8601, without null values and internal fields. */
function readableRow(row: object): object {
  const fields = Object.entries(row).flatMap(([name, value]) => {
    if (value === null || INTERNAL.test(name)) return [];
    if (typeof value !== "number") return [[name, value]];
    if (name.endsWith("Paise")) return [[name.replace("Paise", ""), rupeesOf(value)]];
    return [[name, /(At|Until|Before|After|By)$/.test(name) ? isoInstant(value) : value]];
  });
  return Object.fromEntries(fields);
}

/**
 * Corrects the e-mail address of the chosen bookings like any contact: logged, and a paid one is
 * confirmed again. Returns the id of the customer who then has them. Refusals: `not_found`, `stale`
 * (a booking is not the customer's).
 */
export function moveBookings(
  deps: ChangeDeps,
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
    for (const booking of bookings) {
      const corrected = editContact(deps, actor, booking, { email });
      if (!corrected.ok) return corrected;
    }
    return success({ id: findCustomerId(tx, email) ?? id, moved: bookings.length });
  });
}

/**
 * Erases a customer's personal data everywhere except in the ledger and the opt-outs. Messages that
 * are due are sent first. The log says who did it, not to whom. Refusals: `not_found`, `in_use`
 * (a session to come, money to be paid back by a person, unmatched money, or a call for help that
 * waits for an answer).
 */
export function eraseCustomer(deps: ChangeDeps, actor: Actor, id: string): Outcome<{ id: string }> {
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
    const [owed] = listStillOwed(tx, ids);
    if (owed) {
      return failure(
        "in_use",
        `${formatRupees(owed.amountPaise)} is still owed to this customer. Please wait until the refund has gone through, try it again, or pay it back by hand and mark it as paid back. Then erase.`,
      );
    }
    const [unmatched] = unmatchedMoney(tx, loosePayments(tx, customer.email, bookings));
    if (unmatched) {
      return failure(
        "in_use",
        `${formatMoney(unmatched)} came from this customer’s email address or phone number without a booking. Please assign it to a booking or send it back. Then erase.`,
      );
    }
    const [asking] = stillAsking(tx, bookings);
    if (asking) {
      return failure(
        "in_use",
        `This customer called for help at the session on ${formatSession(asking.date, asking.timeSlot)}, and waits for an answer. Please see to it first; then erase.`,
      );
    }
    eraseAddress(tx, customer.email, now);
    log("customer_erase", id, { after: { sessions: customer.sessions } });
    return success({ id });
  });
}
