/** What the booking status page shows, read in one go. Changes nothing. */
import type { Deps } from "#app/core/deps.server.ts";
import { type Appointment, isPaid } from "#app/model/appointment.ts";
import { changeableUntil } from "#app/model/change-window.ts";
import { isId } from "#app/model/ids.ts";
import {
  type MoneySums,
  type Refund,
  refundOfCancellation,
  shownRefunds,
  sumsOf,
} from "#app/model/refund.ts";
import type { Db } from "#db/connection.server.ts";
import type { PrintableDocument } from "#db/ledger-document.ts";
import { findAppointment } from "#db/queries/appointments.server.ts";
import { listDocumentsOf } from "#db/queries/documents.server.ts";
import {
  findOpenOrder,
  listPaymentsOf,
  listRefundsOf,
  type Order,
} from "#db/queries/payments.server.ts";
import { isUnderWay } from "./payment-under-way.ts";
import { renewal } from "./payment-window.ts";
import { timeToRenew } from "./take-time.server.ts";

/**
 * `payable`: within the payment window. `renewable`: the window is over, the time can still be had.
 * `checking`: money is on its way and nobody is to pay twice. `over`: it has to be booked again.
 */
export type PaymentState = "payable" | "renewable" | "checking" | "over" | "paid" | "none";

export interface BookingPage {
  appointment: Appointment;
  payment: {
    state: PaymentState;
    /** The open one; without an `orderId` until the provider has answered. */
    order: Order | null;
  };
  /** Of this booking, oldest first; without those whose money went back another way. */
  refunds: Refund[];
  /** That of its cancellation, if money goes back for it. */
  cancellationRefund: Refund | null;
  /** What was paid, goes back and stays. */
  sums: MoneySums;
  /** Until when the customer may move or cancel it, milliseconds UTC; null if it cannot be. */
  selfServiceUntil: number | null;
  /** Its invoice and credit notes. */
  documents: readonly PrintableDocument[];
}

export function readBookingPage(
  deps: Pick<Deps, "db" | "env" | "now">,
  id: string | undefined,
): BookingPage | null {
  const appointment = isId(id) ? findAppointment(deps.db, id) : null;
  if (!appointment) return null;
  const now = deps.now();
  const until = changeableUntil(appointment.startsAt, deps.env.selfServiceCutoffHours);
  return {
    appointment,
    payment: {
      state: paymentState(deps, appointment, now),
      order: findOpenOrder(deps.db, appointment.id),
    },
    ...readMoneyBack(deps.db, appointment.id),
    selfServiceUntil: appointment.status !== "cancelled" && now < until ? until : null,
    documents: listDocumentsOf(deps.db, appointment.id),
  };
}

/** What went back of the booking's money, and the sums of it. */
export function readMoneyBack(db: Db, appointmentId: string) {
  const refunds = listRefundsOf(db, appointmentId);
  // What had left a payment before it was assigned is nothing that this customer was told of.
  const own = refunds.filter((refund) => refund.appointmentId === appointmentId);
  return {
    refunds: shownRefunds(own) satisfies Refund[],
    cancellationRefund: refundOfCancellation(own),
    sums: sumsOf(listPaymentsOf(db, appointmentId), refunds),
  };
}

export function paymentState(
  { db, env }: Pick<Deps, "db" | "env">,
  appointment: Appointment,
  now: number,
): PaymentState {
  if (isPaid(appointment)) return "paid";
  if (appointment.status !== "pending_payment") return "none";
  const underWay = listPaymentsOf(db, appointment.id).some(
    ({ outcome, providerStatus, createdAt, updatedAt }) =>
      outcome === "authorized" &&
      isUnderWay(providerStatus, providerStatus === "created" ? createdAt : updatedAt, now),
  );
  if (underWay) return "checking";
  if ((appointment.window?.payBefore ?? 0) > now) return "payable";
  const time = timeToRenew(db, appointment, now);
  return renewal(appointment, time, env, now) === null ? "renewable" : "over";
}
