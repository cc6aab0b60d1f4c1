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

const seen = (phase: string, status: string, more: Partial<Dispute> = {}): Dispute => ({
  phase,
  status,
  amountPaise: 1000,
  deductedPaise: 0,
  respondBy: null,
  ...more,
});

const anyReport: fc.Arbitrary<Dispute> = fc.record({
  phase: fc.constantFrom(...DISPUTE_PHASES, "mediation", ""),
  status: fc.constantFrom(...DISPUTE_STATUSES, "escalated"),
  amountPaise: fc.constantFrom(1000, 2000),
  deductedPaise: fc.constantFrom(0, 900),
  respondBy: fc.constantFrom(null, 5, 9),
});

describe("a dispute after two reports", () => {
  it.each([
    [seen("chargeback", "lost"), seen("chargeback", "under_review")],
    [seen("chargeback", "won"), seen("chargeback", "open")],
    [seen("chargeback", "closed"), seen("chargeback", "under_review")],
    [seen("chargeback", "under_review"), seen("chargeback", "open")],
    // A later phase opens again what was won.
    [seen("pre_arbitration", "open"), seen("chargeback", "won")],
    [seen("arbitration", "open"), seen("pre_arbitration", "lost")],
    [seen("chargeback", "open"), seen("retrieval", "closed")],
    [seen("retrieval", "open"), seen("fraud", "lost")],
    // Words that this program does not know, and none.
    [seen("fraud", "open"), seen("mediation", "lost")],
    [seen("fraud", "open"), seen("", "lost")],
    [seen("chargeback", "open"), seen("chargeback", "escalated")],
    // The same state, with more details.
    [seen("chargeback", "lost", { deductedPaise: 900 }), seen("chargeback", "lost")],
    [seen("chargeback", "open", { respondBy: 9 }), seen("chargeback", "open", { respondBy: 5 })],
  ])("stands as %j and not as %j, whichever came first", (further, behind) => {
    expect(furthest(further, behind)).toBe(further);
    expect(furthest(behind, further)).toBe(further);
  });

  it("ends in the same state, in whatever order and however often the reports came", () => {
    const reports = fc.array(anyReport, { minLength: 1, maxLength: 8 });
    const shuffled = reports.chain((all) =>
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
  [seen("chargeback", "open"), seen("chargeback", "open", { respondBy: 9 }), false],
  [seen("chargeback", "open"), seen("chargeback", "lost"), true],
  [seen("chargeback", "won"), seen("arbitration", "won"), true],
  // From before phases were kept.
  [seen("", "lost"), seen("chargeback", "lost"), false],
  [seen("", "open"), seen("chargeback", "lost"), true],
])("from %j to %j is a step to report: %s", (before, next, step) => {
  expect(isStep(before, next)).toBe(step);
});
