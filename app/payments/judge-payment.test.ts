import { expect, it } from "vitest";
import type { ProviderPayment } from "#app/core/payment-provider.ts";
import type { PaymentOutcome } from "#app/model/statuses.ts";
import {
  isSettled,
  type Judgement,
  judgePayment,
  type Ordered,
  outcomeOf,
} from "./judge-payment.ts";

const PAID: ProviderPayment = {
  paymentId: "pay_1",
  orderId: "order_1",
  amountPaise: 117_900,
  currency: "INR",
  status: "captured",
  refundedPaise: 0,
  method: "upi",
  fee: null,
  createdAt: 0,
};
const ORDERED: Ordered = { pricePaise: 117_900, status: "pending_payment", time: "held" };

type Case = [
  payment: Partial<ProviderPayment>,
  ordered: Partial<Ordered> | null,
  judgement: Judgement,
  outcome: PaymentOutcome,
];

it.each<Case>([
  // No money yet, whatever it was ordered for.
  [{ status: "created" }, {}, "authorized", "authorized"],
  [{ status: "authorized" }, {}, "authorized", "authorized"],
  [{ status: "authorized" }, null, "authorized", "authorized"],
  [{ status: "authorized", amountPaise: 1 }, { status: "confirmed" }, "authorized", "authorized"],
  [{ status: "a new word" }, {}, "authorized", "authorized"],
  [{ status: "failed" }, {}, "failed", "failed"],
  [{ status: "failed" }, null, "failed", "failed"],
  // Of no appointment: also what went back, and what has another sum.
  [{}, null, "unmatched", "unmatched"],
  [{ status: "refunded", refundedPaise: 117_900 }, null, "unmatched", "unmatched"],
  [{ currency: "USD" }, null, "unmatched", "unmatched"],
  // Gone back whole before it was seen, whatever its sum was and however its booking stands.
  [{ status: "refunded", refundedPaise: 117_900 }, {}, "returned", "returned"],
  [{ refundedPaise: 117_900 }, { status: "confirmed" }, "returned", "returned"],
  [{ amountPaise: 5, refundedPaise: 5 }, { time: "gone" }, "returned", "returned"],
  [{ refundedPaise: 117_899 }, {}, "in_time", "applied"],
  // Another sum, before it is asked how the booking stands.
  [{ amountPaise: 117_800 }, {}, "wrong_amount", "wrong_amount"],
  [{ amountPaise: 118_000 }, {}, "wrong_amount", "wrong_amount"],
  [{ currency: "USD" }, {}, "wrong_amount", "wrong_amount"],
  [{ amountPaise: 117_800 }, { status: "confirmed" }, "wrong_amount", "wrong_amount"],
  [{ amountPaise: 117_800 }, { status: "cancelled" }, "wrong_amount", "wrong_amount"],
  // A paid session keeps its first payment.
  [{}, { status: "confirmed" }, "second", "second"],
  [{}, { status: "rescheduled" }, "second", "second"],
  [{}, { status: "confirmed", time: "gone" }, "second", "second"],
  [{}, {}, "in_time", "applied"],
  [{}, { time: "free" }, "late_and_free", "applied"],
  [{}, { time: "gone" }, "late_and_gone", "late"],
  // A cancelled booking takes no money, even while its time is free.
  [{}, { status: "cancelled", time: "free" }, "late_and_gone", "late"],
  [{}, { status: "cancelled", time: "gone" }, "late_and_gone", "late"],
])("%j for %j is %s", (payment, ordered, judgement, outcome) => {
  const given = { ...PAID, ...payment };
  expect(judgePayment(given, ordered && { ...ORDERED, ...ordered })).toBe(judgement);
  expect(outcomeOf(judgement)).toBe(outcome);
});

it("deals again with a payment only while there was no money", () => {
  const outcomes: PaymentOutcome[] = [
    ...(["authorized", "failed", "applied", "second", "wrong_amount"] as const),
    ...(["late", "unmatched", "assigned", "returned"] as const),
  ];
  expect(outcomes.filter((outcome) => !isSettled(outcome))).toEqual(["authorized", "failed"]);
});
