import { describe, expect, it } from "vitest";
import {
  cancelOffer,
  customerRefundState,
  isNothingDone,
  isStuck,
  leftOf,
  type Refund,
  refundOfCancellation,
  returnedOutside,
  shownRefunds,
  standingFor,
  sumsFacts,
  sumsOf,
} from "./refund.ts";
import { refundPromise } from "./wording.ts";

/** As the database works `counts` out. */
function row(changes: Partial<Refund>): Refund & { paymentId: string } {
  const refund = { state: "processed", way: "provider", reason: "cancelled", ...changes } as const;
  const isNone =
    refund.state === "superseded" || (refund.way === "dashboard" && refund.state === "failed");
  return { paymentId: "pay_1", amountPaise: 1000, counts: isNone ? 0 : 1, ...refund };
}

const ours = row({});
const theirs = row({ way: "dashboard", reason: "dashboard" });
const superseded = row({ state: "superseded" });
const failedThere = row({ ...theirs, state: "failed", counts: 0 });

it.each<[refunds: Refund[], takenBackPaise: number, left: number]>([
  [[], 0, 1000],
  // From the moment it is wanted.
  [[{ ...theirs, amountPaise: 400 }, row({ state: "wanted", amountPaise: 250 })], 0, 350],
  [[superseded, failedThere], 0, 1000],
  // What the customer's bank took is not there.
  [[row({ amountPaise: 400 })], 500, 100],
  // More than there was went back outside.
  [[ours, { ...theirs, amountPaise: 5 }], 0, -5],
])("of 1000 with %j and %i taken back, %i are left", (refunds, takenBackPaise, left) => {
  expect(leftOf({ amountPaise: 1000, takenBackPaise }, refunds)).toBe(left);
});

it.each<[refunds: Refund[], takenBackPaise: number, none: number]>([
  [[], 0, 0],
  [[superseded, failedThere], 0, 0],
  [[superseded], 1200, 200],
  [[row({ state: "failed" })], 0, 0],
  [[superseded, theirs, { ...theirs, amountPaise: 300 }], 0, 300],
])("of 1000 with %j and %i taken back, %i stand in for none", (refunds, takenBackPaise, none) => {
  expect(returnedOutside({ amountPaise: 1000, takenBackPaise }, refunds)).toBe(none);
});

it("what was superseded is shown as the newest refund of its payment that stands in for it", () => {
  const own = { ...superseded, paymentId: "a" };
  const [first, second] = [1, 2].map((amountPaise) => ({ ...theirs, paymentId: "a", amountPaise }));
  const others = [own, first!, second!, { ...failedThere, paymentId: "a" }];
  expect(standingFor(own, [...others, { ...theirs, paymentId: "b" }])).toBe(second);
  expect(standingFor(own, [own])).toBe(own);
  expect(standingFor(first!, others)).toBe(first);
});

it("the sums of a booking count captured money alone, and are listed in the order of the page", () => {
  const payment = { paymentId: "a", amountPaise: 1000, takenBackPaise: 100, capturedAt: 1 };
  const never = { paymentId: "b", amountPaise: 7, takenBackPaise: 0, capturedAt: null };
  const refunds = [
    { ...ours, amountPaise: 400, paymentId: "a" },
    { ...superseded, amountPaise: 200, paymentId: "a" },
    { ...ours, amountPaise: 7, paymentId: "b" },
    { ...ours, amountPaise: 9, paymentId: "of another" },
  ];
  const sums = sumsOf([payment, never], refunds);
  expect(sums).toEqual({ paidPaise: 1000, backPaise: 400, takenPaise: 100, keptPaise: 500 });
  const facts = sumsFacts(sums, String).map(({ label, value }) => `${label} ${value}`);
  expect(facts).toEqual(["Paid 1000", "Refund 400", "Taken back by the bank 100", "Kept 500"]);
  const usual = sumsFacts({ ...sums, takenPaise: 0 }, String).map(({ label }) => label);
  expect(usual).toEqual(["Paid", "Refund", "Kept"]);
});

it("a customer reads its way and its state", () => {
  const shown = (changes: Partial<Refund>) => customerRefundState(row(changes));
  const states = ["wanted", "sent", "pending", "processed", "failed", "needs_person"] as const;
  for (const state of states) expect(shown({ state })).toBe(state);
  expect(states.map((state) => shown({ state, way: "by_hand" }))).toEqual([
    ...["by_hand", "by_hand", "by_hand", "paid_back", "by_hand", "by_hand"],
  ]);
  expect([shown({ state: "superseded" }), shown(failedThere), shown(theirs)]).toEqual([
    ...["taken_back", "not_made", "processed"],
  ]);
});

it("waits for a person if it is owed and does not go by itself", () => {
  const stuck = (changes: Partial<Refund>) => isStuck(row(changes));
  expect([stuck({ state: "failed" }), stuck({ state: "needs_person" })]).toEqual([true, true]);
  expect(stuck({ state: "needs_person", way: "by_hand" })).toBe(true);
  expect(stuck({ state: "failed", way: "dashboard" })).toBe(false);
  const others = ["wanted", "sent", "pending", "processed", "superseded"] as const;
  expect(others.filter((state) => stuck({ state }))).toEqual([]);
});

it("was certainly not made only where the provider said so", () => {
  const faults = [...(["rejected", "balance"] as const), ...(["unknown", "down", "busy"] as const)];
  const done = faults.map((fault) => isNothingDone({ state: "needs_person", fault }));
  expect(done).toEqual([true, true, false, false, false]);
  expect(isNothingDone({ state: "needs_person", fault: null })).toBe(false);
  expect(isNothingDone({ state: "failed", fault: null })).toBe(true);
});

describe("the customer is shown", () => {
  const byDashboard = { ...theirs, amountPaise: 400 };

  it("none that another took the place of", () => {
    expect(shownRefunds([superseded, theirs])).toEqual([theirs]);
    expect(refundOfCancellation([superseded, theirs])).toBe(theirs);
    // Of which a part went back otherwise: the rest is still its own.
    const rest = row({ amountPaise: 600 });
    const parts = [rest, { ...superseded, amountPaise: 400 }, byDashboard];
    expect(shownRefunds(parts)).toEqual([rest, byDashboard]);
    expect(refundOfCancellation(parts)).toBe(rest);
    expect(refundOfCancellation([superseded, failedThere])).toBeNull();
  });

  it("of a cancellation only its own refund", () => {
    for (const reason of ["second", "wrong_amount", "by_staff", "unmatched"] as const) {
      expect(refundOfCancellation([row({ reason })])).toBeNull();
    }
    expect(refundOfCancellation([row({ reason: "booking_cancelled" })])).toBeNull();
    expect(refundOfCancellation([theirs])).toBeNull();
    for (const reason of ["cancelled", "time_gone", "session_begun"] as const) {
      const own = row({ reason });
      expect(refundOfCancellation([row({ reason: "second" }), own])).toBe(own);
    }
  });
});

it.each([
  [117_900, "cancel it with a full refund"],
  [50_000, "cancel it and get the other ₹500 back"],
  [1, "cancel it and get the other ₹0.01 back"],
  [0, "cancel it"],
])("a session of ₹1,179 of which %i paise are kept is offered so: %s", (keptPaise, offer) => {
  const sums = { paidPaise: 117_900, backPaise: 117_900 - keptPaise, takenPaise: 0, keptPaise };
  expect(cancelOffer(sums)).toBe(offer);
});

it("a cancellation promises all that was paid only if all of it goes back", () => {
  const card = { byHand: false };
  expect(refundPromise("₹1,179", { ...card, whole: true })).toMatch(
    /^₹1,179 goes back to you in full, the way you paid\. /,
  );
  expect(refundPromise("₹179", { ...card, whole: false })).toMatch(/^₹179 goes back to you, /);
});

it("a cancellation promises no way that money outside did not come", () => {
  expect(refundPromise("₹1,179", { whole: true, byHand: true })).toBe(
    "₹1,179 goes back to you in full. We pay it back ourselves, not through Razorpay, and write to you once it is done.",
  );
});
