/** Checks what the browser reports after paying: signature, order, the provider's record. */
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

type PaymentClaim = Record<"appointmentId" | "orderId" | "paymentId" | "signature", string>;

interface Verified {
  appointment: Appointment;
  /** True while the money is not known to be captured, so that nobody pays again meanwhile. */
  checking: boolean;
  /** Set if this payment is refunded. */
  refund: Refund | null;
}

/**
 * Refusals: `not_found`, `invalid_signature`, `order_mismatch`, `amount_mismatch` (the money is
 * recorded and refunded), `unavailable` (the money is found later). If the provider cannot be read,
 * the answer is `checking`.
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
  "We cannot record your payment right now. Please do not pay again. We will find the payment within minutes and write to you.";

async function checkClaim(deps: Deps, claim: PaymentClaim): Promise<Outcome<Verified>> {
  const appointment = findAppointment(deps.db, claim.appointmentId);
  const isSigned = isCheckoutSignature(claim, claim.signature, deps.env.razorpay.keySecret);
  if (!appointment) return isSigned ? DELETED : UNKNOWN;
  if (!isSigned) {
    return failure("invalid_signature", "The payment could not be verified.");
  }
  const order = findOrder(deps.db, claim.orderId);
  if (order?.appointmentId !== appointment.id) return ORDER_MISMATCH;

  const report = await orNull(deps, "payment", readPayment(deps, claim.paymentId));
  if (!report) {
    rememberClaim(deps, claim, order);
    // Its webhook may have come meanwhile.
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
      `The amount paid is not the price of this booking. We are sending it back in full.${next}`,
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

/** Stores a well-signed claim that cannot be checked now, and makes its order due at once. */
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

const UNKNOWN = failure("not_found", "We do not know this booking.");

/** Signed by the provider: somebody paid for what was booked here. */
const DELETED = failure(
  "not_found",
  "We do not know this booking any more. Please do not pay again. If money has left your account, we will find it and send it back or write to you.",
);
const ORDER_MISMATCH = failure("order_mismatch", "This payment belongs to another booking.");
