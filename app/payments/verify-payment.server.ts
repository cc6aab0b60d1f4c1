/** What the browser says after paying, checked: signature, order, and the provider's own word. */

import type { Deps } from "#app/core/deps.server.ts";
import { type Appointment, isPaid } from "#app/model/appointment.ts";
import { failure, type Outcome, success, UNAVAILABLE } from "#app/model/outcome.ts";
import type { Refund } from "#app/model/refund.ts";
import { inTransaction, isUnavailable } from "#db/connection.server.ts";
import { findAppointment } from "#db/queries/appointments.server.ts";
import {
  findOrder,
  findPayment,
  listRefundsOfPayment,
  type Order,
  savePayment,
  updateOrder,
} from "#db/queries/payments.server.ts";
import { isSettled } from "./judge-payment.ts";
import { applyReports, orNull, readPayment } from "./payment-report.server.ts";
import { isCheckoutSignature } from "./signature.server.ts";

export interface PaymentClaim {
  appointmentId: string;
  orderId: string;
  paymentId: string;
  signature: string;
}

export interface Verified {
  appointment: Appointment;
  /** True while the money cannot be seen as captured yet: nobody is to pay again meanwhile. */
  checking: boolean;
  /** Set when this payment goes back. */
  refund: Refund | null;
}

/**
 * Refusals: `not_found`, `invalid_signature`, `order_mismatch`, `amount_mismatch` (the money is
 * recorded and goes back), `unavailable` (the money is found later). A provider that cannot be read
 * now is no refusal but `checking`.
 */
export async function verifyPayment(deps: Deps, claim: PaymentClaim): Promise<Outcome<Verified>> {
  try {
    return await checkClaim(deps, claim);
  } catch (error) {
    if (!isUnavailable(error)) throw error;
    deps.log.error({ err: error }, "database unavailable");
    return { ...UNAVAILABLE, message: NOT_RECORDED };
  }
}

const NOT_RECORDED =
  "We cannot record your payment right now. Please do not pay again: we find it by ourselves within minutes, and write to you.";

async function checkClaim(deps: Deps, claim: PaymentClaim): Promise<Outcome<Verified>> {
  const appointment = findAppointment(deps.db, claim.appointmentId);
  if (!appointment) return failure("not_found", "We do not know this booking.");
  if (!isCheckoutSignature(claim, claim.signature, deps.env.razorpay.keySecret)) {
    return failure("invalid_signature", "The payment could not be verified.");
  }
  const order = findOrder(deps.db, claim.orderId);
  if (order?.appointmentId !== appointment.id) return ORDER_MISMATCH;

  const report = await orNull(deps, "payment", readPayment(deps, claim.paymentId));
  if (!report) {
    rememberClaim(deps, claim, order);
    // Its webhook may have come while the provider was asked.
    const present = findAppointment(deps.db, appointment.id) ?? appointment;
    return success({ appointment: present, checking: !isPaid(present), refund: null });
  }
  if (report.payment.orderId !== claim.orderId) return ORDER_MISMATCH;

  const [outcome = "authorized"] = applyReports(deps, [report]);
  const present = findAppointment(deps.db, appointment.id) ?? appointment;
  if (outcome === "wrong_amount") {
    const next = present.status === "pending_payment" ? " Please pay again." : "";
    return failure(
      "amount_mismatch",
      `The amount paid is not the price of this booking. We send it back in full.${next}`,
    );
  }
  const refunds = listRefundsOfPayment(deps.db, claim.paymentId);
  return success({
    appointment: present,
    checking: !isSettled(outcome),
    refund:
      refunds.find(({ reason, counts }) => counts && reason === outcome) ?? refunds[0] ?? null,
  });
}

/** A well-signed claim that cannot be checked now: shown as being checked, and read again at once. */
function rememberClaim(deps: Deps, claim: PaymentClaim, order: Order): void {
  const now = deps.now();
  inTransaction(deps.db, (tx) => {
    updateOrder(tx, order.receipt, { nextCheckAt: now });
    if (findPayment(tx, claim.paymentId)) return;
    savePayment(tx, {
      paymentId: claim.paymentId,
      orderId: claim.orderId,
      appointmentId: claim.appointmentId,
      amountPaise: order.amountPaise,
      currency: order.currency,
      providerStatus: "unknown",
      outcome: "authorized",
      createdAt: now,
      updatedAt: now,
    });
  });
  deps.wake();
}

const ORDER_MISMATCH = failure("order_mismatch", "This payment belongs to another booking.");
