/** Razorpay's ids and entities, parsed into the app's types. */
import { z } from "zod";
import type {
  Payer,
  ProviderDispute,
  ProviderFee,
  ProviderOrder,
  ProviderPayment,
  ProviderRefund,
  SettledLine,
} from "#app/core/services.ts";
import { normalisePhone } from "#app/model/phone.server.ts";

export const ORDER_ID = /^order_[A-Za-z0-9]{14}$/;
export const PAYMENT_ID = /^pay_[A-Za-z0-9]{14}$/;
export const REFUND_ID = /^rfnd_[A-Za-z0-9]{14}$/;
export const DISPUTE_ID = /^disp_[A-Za-z0-9]{14}$/;

export const orderSchema = z
  .object({
    id: z.string().regex(ORDER_ID),
    amount: z.coerce.number().int(),
    currency: z.string(),
    receipt: z.string().nullish(),
    status: z.enum(["created", "attempted", "paid"]),
  })
  .transform(
    (order): ProviderOrder => ({
      orderId: order.id,
      amountPaise: order.amount,
      currency: order.currency,
      receipt: order.receipt ?? null,
      status: order.status,
    }),
  );

/** An unreadable fee or tax counts as unknown, so that the payment is still booked. */
const feeSchema = z.coerce.number().int().nonnegative().nullish().catch(null);

const payerText = z.string().trim().max(254).nullish().catch(null);

/** Each payment method has its own; any may be missing. */
const acquirerSchema = z
  .object({
    rrn: payerText,
    bank_transaction_id: payerText,
    transaction_id: payerText,
    auth_code: payerText,
  })
  .nullish()
  .catch(null);

export const paymentSchema = z
  .object({
    id: z.string().regex(PAYMENT_ID),
    order_id: z.string().nullish(),
    amount: z.coerce.number().int(),
    currency: z.string(),
    status: z.string(),
    amount_refunded: z.coerce.number().int().nullish(),
    captured: z.boolean().nullish().catch(null),
    method: z.string().nullish(),
    fee: feeSchema,
    tax: feeSchema,
    email: payerText,
    contact: payerText,
    international: z.boolean().nullish().catch(null),
    acquirer_data: acquirerSchema,
    created_at: z.number(),
  })
  .transform(
    (payment): ProviderPayment => ({
      paymentId: payment.id,
      orderId: payment.order_id || null,
      amountPaise: payment.amount,
      currency: payment.currency,
      status: payment.status,
      refundedPaise: payment.amount_refunded ?? 0,
      ...(payment.status === "refunded" && payment.captured === false && { isUncaptured: true }),
      method: payment.method ?? null,
      fee: feeOf(payment),
      ...referenceOf(payment.acquirer_data),
      ...(typeof payment.international === "boolean" && { isInternational: payment.international }),
      ...payerOf(payment),
      createdAt: payment.created_at * 1000,
    }),
  );

/** Razorpay's placeholder if no e-mail address was asked for. */
const NO_EMAIL = "void@razorpay.com";

/** The number as bookings have it, so that it is found with its customer, and erased with them. */
function payerOf(payment: { email?: string | null; contact?: string | null }): { payer?: Payer } {
  const email = payment.email && payment.email !== NO_EMAIL ? payment.email : null;
  const phone = payment.contact ? normalisePhone(payment.contact) : null;
  return email || phone ? { payer: { email, phone } } : {};
}

function referenceOf(acquirer: z.output<typeof acquirerSchema>): { reference?: string } {
  const reference =
    acquirer?.rrn ||
    acquirer?.bank_transaction_id ||
    acquirer?.transaction_id ||
    acquirer?.auth_code;
  return reference ? { reference } : {};
}

/** Razorpay's `fee` includes its `tax`. */
function feeOf({ fee, tax }: { fee?: number | null; tax?: number | null }): ProviderFee | null {
  if (typeof fee !== "number" || typeof tax !== "number" || tax > fee) return null;
  return { feePaise: fee - tax, feeTaxPaise: tax };
}

/** A line of the settlement recon report; null if it is not settled yet. */
export const settledSchema = z
  .object({
    entity_id: z.string(),
    type: z.string(),
    payment_id: z.string().nullish(),
    credit: z.coerce.number().int(),
    debit: z.coerce.number().int(),
    fee: feeSchema,
    tax: feeSchema,
    settlement_id: z.string().nullish(),
    settlement_utr: z.string().nullish(),
    settled_at: z.number().nullish(),
    description: z.string().max(500).nullish().catch(null),
  })
  .transform((line): SettledLine | null => {
    const { settlement_id: settlementId, settled_at: settledAt, entity_id: entityId } = line;
    if (!settlementId || !settledAt) return null;
    return {
      settlementId,
      entityId,
      kind: line.type,
      paymentId: line.type === "payment" ? entityId : (line.payment_id ?? null),
      creditPaise: line.credit,
      debitPaise: line.debit,
      ...(feeOf(line) ?? { feePaise: 0, feeTaxPaise: 0 }),
      utr: line.settlement_utr ?? null,
      settledAt: settledAt * 1000,
      description: line.description ?? null,
    };
  });

export const refundSchema = z
  .object({
    id: z.string().regex(REFUND_ID),
    payment_id: z.string().regex(PAYMENT_ID),
    amount: z.coerce.number().int(),
    receipt: z.string().nullish().catch(null),
    status: z.string(),
    created_at: z.number().nullish().catch(null),
  })
  .transform(
    (refund): ProviderRefund => ({
      refundId: refund.id,
      paymentId: refund.payment_id,
      amountPaise: refund.amount,
      receipt: refund.receipt ?? null,
      status:
        refund.status === "processed" || refund.status === "failed" ? refund.status : "pending",
      createdAt: refund.created_at ? refund.created_at * 1000 : null,
    }),
  );

/** Kept as the provider sends it. */
const word = z.string().trim().max(40).catch("");

export const disputeSchema = z
  .object({
    id: z.string().regex(DISPUTE_ID),
    payment_id: z.string().regex(PAYMENT_ID),
    amount: z.coerce.number().int(),
    amount_deducted: z.coerce.number().int().nonnegative().nullish().catch(null),
    phase: word,
    status: word,
    respond_by: z.number().nullish().catch(null),
    created_at: z.number(),
  })
  .transform(
    (dispute): ProviderDispute => ({
      disputeId: dispute.id,
      paymentId: dispute.payment_id,
      amountPaise: dispute.amount,
      deductedPaise: dispute.amount_deducted ?? 0,
      phase: dispute.phase,
      status: dispute.status,
      respondBy: dispute.respond_by ? dispute.respond_by * 1000 : null,
      createdAt: dispute.created_at * 1000,
    }),
  );
