/** What a booking's page shows, and how a browser finds its last booking again. */
import { readOwnToken } from "#app/core/cookies.server.ts";
import type { ReadDeps } from "#app/core/deps.server.ts";
import { sha256 } from "#app/core/secrets.server.ts";
import { type Appointment, isPaid } from "#app/model/appointment.ts";
import { isId, newId } from "#app/model/ids.ts";
import {
  ofOthers,
  type Refund,
  refundOfCancellation,
  shownRefunds,
  sumsOf,
} from "#app/model/refund.ts";
import { underWayPaise } from "#app/model/under-way.ts";
import type { Db } from "#db/connection.server.ts";
import { findAppointment } from "#db/queries/appointments.server.ts";
import { listDocumentsOf } from "#db/queries/documents.server.ts";
import { findBookingOfToken, insertOwnBooking } from "#db/queries/holds.server.ts";
import { isOptedOut } from "#db/queries/message-leases.server.ts";
import { findOpenOrder, listPaymentsOf, listRefundsOf } from "#db/queries/payments.server.ts";
import { lastNotifiedAt } from "#db/queries/reminders.server.ts";
import { refuseErased, selfServiceEnd } from "./change-rules.ts";
import { mayMove, renewal } from "./payment-window.ts";
import { timeToRenew } from "./take-time.server.ts";

/**
 * `payable`: within the payment window. `renewable`: the window is over but can be opened again.
 * `checking`: a payment is under way, so nobody should pay again. `over`: a new booking is needed.
 * `none`: the booking is cancelled.
 */
export type PaymentState = "payable" | "renewable" | "checking" | "over" | "paid" | "none";

export type BookingPage = NonNullable<ReturnType<typeof readBookingPage>>;

export function readBookingPage(deps: ReadDeps, id: string | undefined) {
  const appointment = isId(id) ? findAppointment(deps.db, id) : null;
  if (!appointment) return null;
  const now = deps.now();
  const until = selfServiceEnd(appointment, deps.env);
  return {
    appointment,
    payment: {
      state: paymentState(deps, appointment, now),
      /** `orderId` is null until the provider has answered. */
      order: findOpenOrder(deps.db, appointment.id),
    },
    ...readMoneyBack(deps, appointment.id),
    /** Until when it can be moved or cancelled; null if it cannot. */
    selfServiceUntil: appointment.status !== "cancelled" && now < until ? until : null,
    mayMove: mayMove(appointment, deps.env, now),
    /** None once its customer is erased: the ledger is for staff then. */
    documents: refuseErased(appointment) ? [] : listDocumentsOf(deps.db, appointment.id),
    /** When the customer was last sent the session's time. */
    notifiedAt: lastNotifiedAt(deps.db, appointment.id) ?? appointment.createdAt,
    /** True if the number wants no WhatsApp messages. */
    isOptedOut: isOptedOut(deps.db, appointment.contact.phone),
  };
}

/** The booking's refunds, oldest first and without superseded ones, and the sums of its money. */
export function readMoneyBack({ db, now }: ReadDeps, appointmentId: string) {
  const payments = listPaymentsOf(db, appointmentId);
  const refunds = ofOthers(listRefundsOf(db, appointmentId), payments);
  // Refunds made before a payment was assigned to this booking are not part of it.
  const own = refunds.filter((refund) => refund.appointmentId === appointmentId);
  return {
    refunds: shownRefunds(own) as Refund[],
    cancellationRefund: refundOfCancellation(own),
    sums: sumsOf(payments, refunds),
    underWayPaise: underWayPaise(payments, now()),
  };
}

function paymentState({ db, env }: ReadDeps, appointment: Appointment, now: number): PaymentState {
  if (isPaid(appointment)) return "paid";
  if (appointment.status !== "pending_payment") return "none";
  if (underWayPaise(listPaymentsOf(db, appointment.id), now) > 0) return "checking";
  if ((appointment.window?.payBefore ?? 0) > now) return "payable";
  const time = timeToRenew(db, appointment, now);
  return renewal(appointment, time, env, now) === null ? "renewable" : "over";
}

// A phone may drop the page while the bank's app is open. The browser's token then finds its last
// booking, so that nobody books twice.

export function findOwnBooking(db: Db, token: string | null): Appointment | null {
  const id = token && findBookingOfToken(db, sha256(token));
  return id ? findAppointment(db, id) : null;
}

/** The id of the browser's unpaid booking, whose time it sees as free; empty without one. */
export async function readOwnHoldId({ db, env }: ReadDeps, request: Request): Promise<string> {
  const own = findOwnBooking(db, await readOwnToken(env, request));
  return own?.status === "pending_payment" ? own.id : "";
}

/** Keeps the browser's token if it is for this booking; otherwise makes a new one. */
export function tokenFor(tx: Db, token: string | null, appointmentId: string, now: number): string {
  if (token && findBookingOfToken(tx, sha256(token)) === appointmentId) return token;
  const fresh = newId();
  insertOwnBooking(tx, { tokenHash: sha256(fresh), appointmentId }, now);
  return fresh;
}

export type OwnBooking = NonNullable<Awaited<ReturnType<typeof readOwnBooking>>>;

/** The browser's last booking; null without one, or if it is cancelled or has begun. */
export async function readOwnBooking(deps: ReadDeps, request: Request) {
  const appointment = findOwnBooking(deps.db, await readOwnToken(deps.env, request));
  const now = deps.now();
  if (!appointment || appointment.status === "cancelled" || appointment.startsAt <= now)
    return null;
  return { appointment, state: paymentState(deps, appointment, now) };
}
