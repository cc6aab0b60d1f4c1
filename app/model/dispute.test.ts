import fc from "fast-check";
import { describe, expect, it } from "vitest";
import {
  DISPUTE_PHASES,
  DISPUTE_STATUSES,
  type Dispute,
  furthest,
  isStep,
  isUndecided,
} from "./dispute.ts";

const news = (phase: string, status: string, more: Partial<Dispute> = {}): Dispute => ({
  ...{ phase, status, amountPaise: 1000, deductedPaise: 0, respondBy: null },
  ...more,
});

const anyNews: fc.Arbitrary<Dispute> = fc.record({
  phase: fc.constantFrom(...DISPUTE_PHASES, "mediation", ""),
  status: fc.constantFrom(...DISPUTE_STATUSES, "escalated"),
  amountPaise: fc.constantFrom(1000, 2000),
  deductedPaise: fc.constantFrom(0, 900),
  respondBy: fc.constantFrom(null, 5, 9),
});

describe("a dispute after two pieces of news", () => {
  it.each([
    [news("chargeback", "lost"), news("chargeback", "under_review")],
    [news("chargeback", "won"), news("chargeback", "open")],
    [news("chargeback", "closed"), news("chargeback", "under_review")],
    [news("chargeback", "under_review"), news("chargeback", "open")],
    // A later phase opens again what was won.
    [news("pre_arbitration", "open"), news("chargeback", "won")],
    [news("arbitration", "open"), news("pre_arbitration", "lost")],
    [news("chargeback", "open"), news("retrieval", "closed")],
    [news("retrieval", "open"), news("fraud", "lost")],
    // Words that this program does not know, and none.
    [news("fraud", "open"), news("mediation", "lost")],
    [news("fraud", "open"), news("", "lost")],
    [news("chargeback", "open"), news("chargeback", "escalated")],
    // The same state, told more fully.
    [news("chargeback", "lost", { deductedPaise: 900 }), news("chargeback", "lost")],
    [news("chargeback", "open", { respondBy: 9 }), news("chargeback", "open", { respondBy: 5 })],
  ])("stands as %j and not as %j, whichever came first", (further, behind) => {
    expect(furthest(further, behind)).toBe(further);
    expect(furthest(behind, further)).toBe(further);
  });

  it("ends in the same state, in whatever order and however often the news came", () => {
    const told = fc.array(anyNews, { minLength: 1, maxLength: 8 });
    const shuffled = told.chain((all) =>
      fc.tuple(
        fc.constant(all),
        fc.shuffledSubarray([...all, ...all], { minLength: 2 * all.length }),
      ),
    );
    fc.assert(
      fc.property(shuffled, ([all, again]) => {
        expect(again.reduce(furthest)).toEqual(all.reduce(furthest));
      }),
    );
  });
});

it.each([
  ["open", true],
  ["under_review", true],
  ["escalated", true],
  ["won", false],
  ["lost", false],
  ["closed", false],
])("the bank may still take the money back while it is %s: %s", (status, undecided) => {
  expect(isUndecided({ status })).toBe(undecided);
});

it.each([
  [news("chargeback", "open"), news("chargeback", "open", { respondBy: 9 }), false],
  [news("chargeback", "open"), news("chargeback", "lost"), true],
  [news("chargeback", "won"), news("arbitration", "won"), true],
  // From before phases were kept.
  [news("", "lost"), news("chargeback", "lost"), false],
  [news("", "open"), news("chargeback", "lost"), true],
])("from %j to %j is a step to tell: %s", (before, next, step) => {
  expect(isStep(before, next)).toBe(step);
});
