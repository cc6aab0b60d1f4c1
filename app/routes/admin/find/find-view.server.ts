/** What a name, a number or an ID leads to. */
import { href } from "react-router";
import type { Deps } from "#app/core/deps.server.ts";
import type { Appointment } from "#app/model/appointment.ts";
import { adminDate, adminSession } from "#app/model/dates.ts";
import { isId, tableId } from "#app/model/ids.ts";
import { formatAmount, formatMoney } from "#app/model/money.ts";
import { personName, statusLabel } from "#app/model/wording.ts";
import { panelOr } from "#app/routes/admin/parts/list-search.ts";
import {
  documentNumber,
  documentSlug,
  paidWhen,
  paymentWords,
} from "#app/routes/admin/parts/words.ts";
import { seekAppointments } from "#db/queries/appointment-list.server.ts";
import { findAppointment } from "#db/queries/appointments.server.ts";
import { findDocument } from "#db/queries/documents.server.ts";
import {
  findOrder,
  findPayment,
  findRefundByProviderId,
  listPaymentsOf,
  type Payment,
} from "#db/queries/payments.server.ts";

type Db = Deps["db"];

/** Of all customers together. */
const MOST_BOOKINGS = 50;

export type Found = ReturnType<typeof find>;

/** What of no booking may be seen. */
export interface FindReach {
  documents: boolean;
  unmatched: boolean;
}

/** `only`: the one thing that an ID or a number names. */
export function find({ db }: Pick<Deps, "db">, q: string, reach: FindReach) {
  const byId = bookingsById(db, q);
  const documents = [findDocument(db, documentNumber(q.toUpperCase()))].flatMap((document) =>
    document ? documentHit(db, document, reach) : [],
  );
  const payments = paymentsOf(db, q)
    .map((payment) => paymentHit(db, payment))
    .filter(({ ofBooking }) => ofBooking || reach.unmatched);
  const sought = q.startsWith("#") ? [] : seekAppointments(db, q, MOST_BOOKINGS + 1);
  // The middle of another booking's id is no hit beside the id that was meant.
  const others = byId.length === 0 ? sought : sought.filter((one) => isNamed(one, q));
  const customers = customersOf(others.slice(0, MOST_BOOKINGS));
  const exact = [...byId.map(bookingHit), ...documents, ...payments];
  const only = exact.length === 1 && customers.length === 0 ? exact[0]!.to : null;
  const hasMore = sought.length > MOST_BOOKINGS;
  return { q, only, bookings: byId.map(bookingHit), documents, payments, customers, hasMore };
}

/** The whole id, or its last 6 or 8 characters with or without the sign. */
function bookingsById(db: Db, q: string): Appointment[] {
  const typed = q.toLowerCase().replace(/^#\s*/, "");
  if (isId(typed)) return [findAppointment(db, typed) ?? []].flat();
  return /^([a-z0-9]{6}|[a-z0-9]{8})$/.test(typed)
    ? seekAppointments(db, `#${typed}`, MOST_BOOKINGS)
    : [];
}

/** By the provider's id of a payment, an order or a refund. */
function paymentsOf(db: Db, id: string): Payment[] {
  const paymentId = findRefundByProviderId(db, id)?.paymentId ?? id;
  const appointmentId = findOrder(db, id)?.appointmentId;
  if (appointmentId === undefined) return [findPayment(db, paymentId) ?? []].flat();
  return listPaymentsOf(db, appointmentId).filter(({ orderId }) => orderId === id);
}

function isNamed({ contact: { name, email, phone } }: Appointment, q: string): boolean {
  return `${name} ${email} ${phone}`.toLowerCase().includes(q.toLowerCase());
}

function customersOf(bookings: readonly Appointment[]) {
  const byEmail = Map.groupBy(bookings, ({ contact }) => contact.email.toLowerCase());
  return [...byEmail.values()].map((all) => {
    const { name, email, phone } = all[0]!.contact;
    return { name: personName(name), email, phone, bookings: all.map(bookingHit) };
  });
}

function bookingHit({ id, contact, student, date, timeSlot, counselor, status }: Appointment) {
  const whose = student ? `, for ${personName(student.name)}` : "";
  return {
    id,
    to: href("/admin/appointments/:id", { id }),
    title: `${tableId(id)}, ${adminSession(date, timeSlot)}`,
    name: contact.name,
    words: `${counselor}, ${statusLabel(status)}${whose}`,
  };
}

type LedgerEntry = NonNullable<ReturnType<typeof findDocument>>;

/** Without the Documents page the booking has its papers, and one that is gone has none. */
function documentHit(db: Db, document: LedgerEntry, reach: FindReach) {
  const { number, kind, onDate, totalPaise, customerName, appointmentId } = document;
  const pdf = href("/admin/documents/:number", { number: documentSlug(number) });
  const booking = appointmentId === null ? null : findAppointment(db, appointmentId);
  if (!booking && !reach.documents) return [];
  const label = kind === "invoice" ? "Invoice" : "Credit note";
  return {
    title: `${label} ${number}`,
    words: `${adminDate(onDate)}, ${formatAmount(totalPaise)}, ${customerName}`,
    pdf: reach.documents ? pdf : null,
    /** Null for a document whose booking is gone: a file is not gone to unasked. */
    to: panelOr(booking, null),
  };
}

function paymentHit(db: Db, payment: Payment) {
  const { paymentId, appointmentId, outcome } = payment;
  const booking = appointmentId === null ? null : findAppointment(db, appointmentId);
  return {
    title: paymentId,
    ofBooking: booking !== null,
    words: `${formatMoney(payment, formatAmount)}, ${paidWhen(payment)}, ${paymentWords(outcome)}`,
    to: panelOr(booking, outcome === "unmatched" ? href("/admin/unmatched") : null),
  };
}
