/** Unmatched payments, with the bookings that each may be meant for. */
import { keptOf } from "#app/booking/cancel-and-refund.server.ts";
import type { ReadDeps } from "#app/core/deps.server.ts";
import type { Appointment } from "#app/model/appointment.ts";
import { adminInstant, adminSession } from "#app/model/dates.ts";
import { tableId } from "#app/model/ids.ts";
import { formatAmount, formatMoney } from "#app/model/money.ts";
import { paymentMethodWords, statusLabel } from "#app/model/wording.ts";
import { likelyBookings, refuseAssignment } from "#app/payments/unmatched.server.ts";
import { disputeView } from "#app/routes/admin/parts/views.server.ts";
import { refundWarning } from "#app/routes/admin/parts/words.ts";
import { seekAppointments } from "#db/queries/appointment-list.server.ts";
import { findPayment, listUnmatchedPayments, type Payment } from "#db/queries/payments.server.ts";
import { listDisputesOfPayment } from "#db/queries/refunds.server.ts";

/** Bookings that one search shows. */
const MOST_SOUGHT = 10;

export type UnmatchedView = ReturnType<typeof unmatchedView>[number];
export type BookingChoice = ReturnType<typeof choice>;

export function unmatchedView({ db, now }: ReadDeps) {
  return listUnmatchedPayments(db).map((payment) => ({
    paymentId: payment.paymentId,
    orderId: payment.orderId,
    amount: formatMoney({ ...payment, amountPaise: keptOf(db, payment) }, formatAmount),
    isLeft: keptOf(db, payment) > 0,
    disputes: listDisputesOfPayment(db, payment.paymentId).map(disputeView(payment.currency)),
    warning: warningOf({ db }, payment),
    method: payment.method && paymentMethodWords(payment.method),
    when: adminInstant(payment.paidAt ?? payment.capturedAt ?? payment.createdAt),
    email: payment.payerEmail,
    phone: payment.payerPhone,
    likely: likelyBookings(db, payment, now()).map(({ appointment, isSameContact }) => ({
      ...choice(appointment),
      why: isSameContact ? "Same customer, same amount" : "Same amount, booked about then",
    })),
  }));
}

type PaymentOf = Pick<Payment, "paymentId" | "currency">;

/** A warning before its money goes back, also by an earlier refund; null unless one is undecided. */
export function warningOf({ db }: Pick<ReadDeps, "db">, payment: PaymentOf) {
  return refundWarning(listDisputesOfPayment(db, payment.paymentId), payment.currency);
}

function choice(appointment: Appointment) {
  const { id, contact, date, timeSlot, counselor, status } = appointment;
  return {
    id,
    name: contact.name,
    words: `${tableId(id)}, ${adminSession(date, timeSlot)}, ${counselor}, ${statusLabel(status)}`,
    /** Only in search results: why this payment cannot be assigned to it. */
    refusal: null as string | null,
    why: null as string | null,
  };
}

export function soughtBookings({ db, now }: ReadDeps, paymentId: string, q: string) {
  const payment = findPayment(db, paymentId);
  const found = seekAppointments(db, q, MOST_SOUGHT + 1);
  return {
    paymentId,
    q,
    hasMore: found.length > MOST_SOUGHT,
    bookings: found.slice(0, MOST_SOUGHT).map((appointment) => ({
      ...choice(appointment),
      refusal: payment && (refuseAssignment(db, appointment, payment, now())?.message ?? null),
    })),
  };
}
