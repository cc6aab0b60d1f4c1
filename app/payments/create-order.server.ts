/** The one open order of an appointment, and booking while it may be being paid. */
import { type Booked, bookSession } from "#app/booking/book-session.server.ts";
import type { BookingInput } from "#app/booking/booking-fields.ts";
import { type BookingOrigin, bookingToChange } from "#app/booking/booking-request.server.ts";
import { HELD_TOO_LONG, openHold } from "#app/booking/holds.server.ts";
import { renewal } from "#app/booking/payment-window.ts";
import { SLOT_TAKEN, takePlannedTime, timeToRenew } from "#app/booking/take-time.server.ts";
import type { Deps } from "#app/core/deps.server.ts";
import { providerKeyHashes } from "#app/core/key-hashes.server.ts";
import { ProviderError, type ProviderOrder } from "#app/core/services.ts";
import { elsewhere } from "#app/core/work-queue.server.ts";
import { type Appointment, isPaid, type PaymentWindow } from "#app/model/appointment.ts";
import { DAY } from "#app/model/dates.ts";
import { newId } from "#app/model/ids.ts";
import { type Money, moneyOf } from "#app/model/money.ts";
import { type Failure, failure, type Outcome, success } from "#app/model/outcome.ts";
import { isUnderWay } from "#app/model/under-way.ts";
import { type Db, inTransaction } from "#db/connection.server.ts";
import { findAppointment, updateAppointment } from "#db/queries/appointments.server.ts";
import {
  advanceOrder,
  findOpenOrder,
  insertOrder,
  type Order,
  updateOrder,
} from "#db/queries/payments.server.ts";
import { ORDER_KEYS, readSetting, writeSetting } from "#db/queries/settings.server.ts";
import { isMoney } from "./judge-payment.ts";
import { applyReports, orNull, readOrder } from "./payment-report.server.ts";

export interface PayableOrder extends Money {
  appointment: Appointment;
  orderId: string;
  window: PaymentWindow;
}

/** Banks approve at most 3 days after the last payment, the provider retries for at most 5. */
const WATCH_MS = 5 * DAY;

const NOT_FOUND = failure("not_found", "We do not know this booking.");

/** Running calls of this process: a second one for the same booking joins the first. */
const underWay = new Map<string, Promise<Outcome<PayableOrder>>>();

/**
 * The order to pay an appointment with. An ended payment window is opened again if the time is
 * still free. Refusals: `not_found`, `already_cancelled`, `already_paid`, `slot_taken`,
 * `payment_window_over`, `rate_limited`, `provider_unavailable` (the booking is kept).
 */
export function createOrder(deps: Deps, appointmentId: string): Promise<Outcome<PayableOrder>> {
  const key = `${deps.db.path}:${appointmentId}`;
  const known = underWay.get(key);
  // A joining request gives up its place while it waits, as the first one does.
  if (known) return elsewhere(known, true);
  const work = makeOrder(deps, appointmentId).finally(() => underWay.delete(key));
  underWay.set(key, work);
  return work;
}

/**
 * The same once the payment window was closed without an answer: it may have taken the money all the
 * same, so the provider is asked first. Further refusal: `stale` once the time to pay has ended, which
 * is not opened again for it.
 */
export async function orderAfterWindow(
  deps: Deps,
  appointmentId: string,
): Promise<Outcome<PayableOrder>> {
  await isBeingPaid(deps, appointmentId);
  const window = findAppointment(deps.db, appointmentId)?.window;
  return window && window.payBefore <= deps.now() ? ENDED : createOrder(deps, appointmentId);
}

const ENDED = failure("stale", "The time to start paying has ended.");

async function makeOrder(deps: Deps, appointmentId: string): Promise<Outcome<PayableOrder>> {
  const now = deps.now();
  const prepared = inTransaction(deps.db, (tx) => prepare(tx, deps, appointmentId, now));
  if (!prepared.ok) return prepared;
  const { order, isNew } = prepared.value;
  if (order.orderId === null) {
    try {
      const made = await askProvider(deps, order, isNew);
      inTransaction(deps.db, (tx) => {
        advanceOrder(tx, order.receipt, { found: made.orderId });
        const nextCheckAt = now + deps.env.reconcileAfterSeconds * 1000;
        updateOrder(tx, order.receipt, { nextCheckAt, lastError: null });
        const [keys = ""] = providerKeyHashes(deps.env);
        if (readSetting(tx, ORDER_KEYS) !== keys) writeSetting(tx, ORDER_KEYS, keys);
      });
    } catch (error) {
      if (!(error instanceof ProviderError)) throw error;
      deps.log.warn({ fault: error.fault, status: error.status }, "order not created");
      updateOrder(deps.db, order.receipt, { lastError: `${error.fault}: ${error.message}` });
      return failure(
        "provider_unavailable",
        "The payment provider does not answer right now. Your time is still held. Please try again in a moment.",
        { retryAfter: 5 },
      );
    }
  }
  // The appointment may have changed during the call.
  const appointment = findAppointment(deps.db, appointmentId);
  if (!appointment) return NOT_FOUND;
  const refusal = refuseStatus(appointment);
  if (refusal) return refusal;
  const open = findOpenOrder(deps.db, appointmentId);
  // It was moved to another package meanwhile, so the order has another amount than its price.
  if (!open?.orderId || open.amountPaise !== appointment.price.totalPaise) {
    return makeOrder(deps, appointmentId);
  }
  const { orderId, amountPaise, currency } = open;
  const { window } = appointment;
  if (window === null) throw new Error("a pending appointment without a hold");
  return success({ appointment, orderId, amountPaise, currency, window });
}

/** Checks the status, renews an ended window and stores the receipt before calling Razorpay. */
function prepare(
  tx: Db,
  deps: Pick<Deps, "env">,
  appointmentId: string,
  now: number,
): Outcome<{ order: Order; isNew: boolean }> {
  const appointment = findAppointment(tx, appointmentId);
  if (!appointment) return NOT_FOUND;
  const refusal = refuseStatus(appointment);
  if (refusal) return refusal;
  let payBefore = appointment.window?.payBefore ?? 0;
  if (payBefore <= now) {
    const renewed = renew(tx, deps, appointment, now);
    if (!renewed.ok) return renewed;
    payBefore = renewed.value.payBefore;
  }
  const open = findOpenOrder(tx, appointmentId);
  if (open && open.amountPaise === appointment.price.totalPaise) {
    return success({ order: open, isNew: false });
  }
  if (open) advanceOrder(tx, open.receipt, "closed");
  const order: Order = {
    receipt: `bk_${newId()}`,
    appointmentId,
    orderId: null,
    ...moneyOf(appointment.price.totalPaise),
    state: "creating",
    createdAt: now,
    nextCheckAt: now + deps.env.reconcileAfterSeconds * 1000,
    checks: 0,
    watchUntil: payBefore + WATCH_MS,
    lastError: null,
  };
  insertOrder(tx, order);
  return success({ order, isNew: true });
}

function refuseStatus(appointment: Appointment): Failure | null {
  if (isPaid(appointment)) return failure("already_paid", "This booking is already paid.");
  if (appointment.status !== "cancelled") return null;
  return failure("already_cancelled", "This booking was cancelled. Please book a new time.");
}

function renew(
  tx: Db,
  { env }: Pick<Deps, "env">,
  appointment: Appointment,
  now: number,
): Outcome<PaymentWindow> {
  const refusal = renewal(appointment, timeToRenew(tx, appointment, now), env, now);
  if (refusal === "too_often") return HELD_TOO_LONG;
  if (refusal === "too_soon") {
    return failure(
      "payment_window_over",
      "The session starts too soon to be paid for now. Please book a later time.",
    );
  }
  if (refusal === "time_gone") return SLOT_TAKEN;
  const hold = openHold(tx, env, appointment, now);
  if (!hold.ok) return hold;
  const renewed = { window: hold.value, renewals: appointment.renewals + 1 };
  takePlannedTime(tx, { ...appointment, ...renewed }, now);
  updateAppointment(tx, appointment.id, now, renewed);
  return hold;
}

/** After a lost response the order is looked up by its receipt; there is never a second one. */
async function askProvider(
  { provider }: Pick<Deps, "provider">,
  order: Order,
  isNew: boolean,
): Promise<ProviderOrder> {
  const known = isNew ? null : await provider.findOrderByReceipt(order.receipt);
  if (known) return known;
  const { receipt, amountPaise, appointmentId } = order;
  try {
    return await provider.createOrder({ receipt, amountPaise, notes: { booking: appointmentId } });
  } catch (error) {
    if (!(error instanceof ProviderError) || error.fault !== "unknown") throw error;
    const found = await provider.findOrderByReceipt(order.receipt);
    if (found) return found;
    throw error;
  }
}

/**
 * Like `bookSession`, but if the request would change a booking, first asks the provider whether it
 * is being paid, and applies what was paid. Further refusal: `provider_unavailable`.
 */
export async function bookOrMove(
  deps: Deps,
  input: BookingInput,
  origin: BookingOrigin,
): Promise<Outcome<Booked>> {
  const own = bookingToChange(deps, input, origin);
  const paying = own ? await isBeingPaid(deps, own.id) : success(false);
  if (!paying.ok) return paying;
  return bookSession(deps, input, { ...origin, underWay: paying.value ? own!.id : null });
}

/** Whether a payment is under way. Applies what was paid. Refusal: `provider_unavailable`. */
export async function isBeingPaid(deps: Deps, appointmentId: string): Promise<Outcome<boolean>> {
  const order = findOpenOrder(deps.db, appointmentId);
  if (!order?.orderId) return success(false);
  const reports = await orNull(deps, "payments", readOrder(deps, order.orderId));
  if (!reports) return PROVIDER_UNREADABLE;
  if (reports.some(({ payment }) => isMoney(payment))) applyReports(deps, reports);
  const now = deps.now();
  return success(reports.some(({ payment }) => isUnderWay(payment.status, payment.createdAt, now)));
}

const PROVIDER_UNREADABLE = failure(
  "provider_unavailable",
  "We cannot tell right now whether the booking is being paid for, so nothing was changed. Please try again in a moment.",
  { retryAfter: 5 },
);
