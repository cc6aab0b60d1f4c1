import { describe, expect, it } from "vitest";
import { leftOf, standingRefunds } from "./refund.ts";
import { refundPromise } from "./wording.ts";

type Refunds = Parameters<typeof leftOf>[1];

const ours = { origin: "us", state: "processed", providerRefundId: "rfnd_1" } as const;
const wish = { origin: "us", state: "wanted", providerRefundId: null } as const;
const theirs = { origin: "provider", state: "processed", providerRefundId: "rfnd_2" } as const;

it.each<[refundedPaise: number, refunds: Refunds, left: number]>([
  [0, [], 1000],
  [400, [], 600],
  [1000, [], 0],
  // The same money, told twice.
  [400, [{ ...theirs, amountPaise: 400 }], 600],
  [0, [{ ...theirs, amountPaise: 400 }], 600],
  [300, [{ ...theirs, amountPaise: 400 }], 600],
  // A wish not yet accepted comes on top.
  [0, [{ ...wish, amountPaise: 1000 }], 0],
  [400, [{ ...wish, amountPaise: 250 }], 350],
  [
    400,
    [
      { ...theirs, amountPaise: 400 },
      { ...wish, amountPaise: 250 },
    ],
    350,
  ],
  // Ours that failed is still owed; theirs that failed moved nothing.
  [0, [{ ...ours, state: "failed", amountPaise: 1000 }], 0],
  [0, [{ ...theirs, state: "failed", amountPaise: 1000 }], 1000],
  [
    1000,
    [
      { ...ours, amountPaise: 1000 },
      { ...wish, amountPaise: 5 },
    ],
    0,
  ],
])("of 1000 with %i gone back and %j, %i are left", (refundedPaise, refunds, left) => {
  expect(leftOf({ amountPaise: 1000, refundedPaise }, refunds)).toBe(left);
});

describe("a refund stands for the customer", () => {
  const paymentId = "pay_1";
  const payment = { paymentId, amountPaise: 1000, refundedPaise: 0, capturedAt: 1 };
  const failed = { ...ours, state: "failed", paymentId, amountPaise: 1000 } as const;
  const byHand = { ...theirs, paymentId, amountPaise: 1000 };

  it("while it is the only one, failed or not", () => {
    expect(standingRefunds([payment], [failed])).toEqual([failed]);
    expect(standingRefunds([payment], [byHand])).toEqual([byHand]);
    expect(standingRefunds([payment], [{ ...failed, paymentId: "of another" }])).toHaveLength(1);
  });

  it("no longer once another took its place", () => {
    expect(standingRefunds([payment], [failed, byHand])).toEqual([byHand]);
    const part = { ...byHand, amountPaise: 1 };
    expect(standingRefunds([payment], [failed, part])).toEqual([part]);
    expect(standingRefunds([payment], [{ ...failed, amountPaise: 999 }, part])).toHaveLength(2);
  });

  it("never as a wish that was closed because all had gone back", () => {
    const closed = { ...ours, providerRefundId: null, paymentId, amountPaise: 1000 };
    expect(standingRefunds([payment], [byHand, closed])).toEqual([byHand]);
    const waiting = { ...wish, paymentId, amountPaise: 1000 };
    expect(standingRefunds([payment], [waiting])).toEqual([waiting]);
  });
});

it("a cancellation promises all that was paid only if all of it goes back", () => {
  expect(refundPromise("₹1,179", true)).toMatch(/^₹1,179 goes back to you in full, /);
  expect(refundPromise("₹179", false)).toMatch(/^₹179 goes back to you, /);
});
