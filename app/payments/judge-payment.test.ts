import { expect, it } from "vitest";
import type { ProviderPayment } from "#app/core/services.ts";
import type { PaymentOutcome } from "#app/model/statuses.ts";
import {
  isDealtWith,
  isSettled,
  type Judgement,
  judgePayment,
  type Ordered,
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
];

it.each<Case>([
  // No money yet, whatever it was ordered for.
  [{ status: "created" }, {}, "authorized"],
  [{ status: "authorized", amountPaise: 1 }, { status: "confirmed" }, "authorized"],
  [{ status: "a new word" }, {}, "authorized"],
  [{ status: "failed" }, null, "failed"],
  // Of no appointment: also what went back, and what has another sum.
  [{}, null, "unmatched"],
  [{ status: "refunded", refundedPaise: 117_900 }, null, "returned"],
  [{ currency: "USD" }, null, "unmatched"],
  // Gone back whole before it was seen, whatever its sum was and however its booking stands.
  [{ refundedPaise: 117_900 }, { status: "confirmed" }, "returned"],
  [{ amountPaise: 5, refundedPaise: 5 }, { time: "gone" }, "returned"],
  [{ refundedPaise: 117_899 }, {}, "applied"],
  // Another sum, of a booking that can still be paid, whatever became of its time.
  [{ amountPaise: 117_800 }, {}, "wrong_amount"],
  [{ currency: "USD" }, {}, "wrong_amount"],
  [{ amountPaise: 117_800 }, { time: "begun" }, "wrong_amount"],
  // Nobody is asked to pay again what is paid or cancelled.
  [{ amountPaise: 117_800 }, { status: "confirmed" }, "second"],
  [{ currency: "USD" }, { status: "rescheduled" }, "second"],
  [{ amountPaise: 117_800 }, { status: "cancelled" }, "booking_cancelled"],
  // A paid session keeps its first payment.
  [{}, { status: "confirmed" }, "second"],
  [{}, { status: "confirmed", time: "gone" }, "second"],
  [{}, {}, "applied"],
  [{}, { time: "free" }, "applied"],
  [{}, { time: "gone" }, "time_gone"],
  [{}, { time: "begun" }, "session_begun"],
  // A cancelled booking takes no money, even while its time is free.
  ...(["held", "free", "gone", "begun"] as const).map(
    (time): Case => [...([{}, { status: "cancelled", time }, "booking_cancelled"] as const)],
  ),
])("%j for %j is %s", (payment, ordered, judgement) => {
  const given = { ...PAID, ...payment };
  expect(judgePayment(given, ordered && { ...ORDERED, ...ordered })).toBe(judgement);
});

it("deals again with a payment only while there was no money", () => {
  const outcomes: PaymentOutcome[] = [
    ...(["authorized", "failed", "applied", "second", "wrong_amount"] as const),
    ...(["time_gone", "booking_cancelled", "session_begun"] as const),
    ...(["unmatched", "assigned", "returned"] as const),
  ];
  expect(outcomes.filter((outcome) => !isSettled(outcome))).toEqual(["authorized", "failed"]);
  const whole = { ...PAID, refundedPaise: PAID.amountPaise };
  const open = outcomes.filter((outcome) => !isDealtWith(outcome, whole, false));
  expect(open).toEqual(["authorized", "failed"]);
});

it.each([
  [117_900, false, true],
  [117_900, true, true],
  // Its refund failed, at least of a part: it is judged anew, unless we owe it already.
  [117_899, false, false],
  [0, false, false],
  [0, true, true],
])(
  "of what was returned, with %i back and owed by us: %s, it is settled that: %s",
  (refundedPaise, owed, isDone) => {
    expect(isDealtWith("returned", { ...PAID, refundedPaise }, owed)).toBe(isDone);
  },
);
