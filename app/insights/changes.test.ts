import { describe, expect, it } from "vitest";
import { type SessionFigures, sumOfFigures } from "#app/model/money.ts";
import { biggestChanges, changesSentence, type Slices } from "./changes.ts";

const figures = (changes: Partial<SessionFigures> = {}): SessionFigures => ({
  ...sumOfFigures([]),
  ...changes,
});

/** One captain and one package: what changes is said once. */
function slices(changes: Partial<SessionFigures>, more: Partial<Slices> = {}): Slices {
  const total = figures(changes);
  return {
    total,
    byCounselor: [{ counselor: "Asha", ...total }],
    byPackage: [{ package: 30, ...total }],
    ...more,
  };
}

const NONE = slices({});
const say = (now: Slices, before: Slices) =>
  changesSentence(biggestChanges(now, before), "October 2026");

describe("the sentence", () => {
  it("names the three that changed most by rupees, then by sessions", () => {
    const before = slices({ keptPaise: 1_000_000, kept: 10, paid: 10, noShow: 6, cancelled: 5 });
    const now = slices({
      ...{ keptPaise: 1_600_000, kept: 16, paid: 16, noShow: 2, cancelled: 6 },
      ...{ refundedPaise: 700_000, refunded: 5 },
    });
    expect(say(now, before)).toBe(
      "What changed most compared with October 2026: refunds rose from nothing to ₹7,000 (5 sessions, 5 more); revenue kept rose by ₹6,000 to ₹16,000 (16 sessions, 6 more); paid sessions rose by 6 to 16.",
    );
  });

  it("names captains and packages where there are several", () => {
    const captain = (counselor: string, keptPaise: number) => ({
      counselor,
      ...figures({ keptPaise, kept: 5 }),
    });
    const now = slices(
      { keptPaise: 900_000, kept: 10 },
      { byCounselor: [captain("Asha", 800_000), captain("Rohan", 100_000)] },
    );
    const before = slices(
      { keptPaise: 900_000, kept: 10 },
      { byCounselor: [captain("Asha", 500_000), captain("Rohan", 400_000)] },
    );
    expect(say(now, before)).toBe(
      "What changed most compared with October 2026: the revenue of Asha rose by ₹3,000 to ₹8,000 (5 sessions, as many); the revenue of Rohan fell by ₹3,000 to ₹1,000 (5 sessions, as many). No other figure of five or more sessions changed.",
    );
  });

  it("says that nothing changed, and leaves out what rests on only four sessions", () => {
    const quiet = "No figure of five or more sessions changed compared with October 2026.";
    expect(say(NONE, NONE)).toBe(quiet);
    const same = slices({ keptPaise: 900_000, kept: 9, paid: 9 });
    expect(say(same, same)).toBe(quiet);
    const four = slices({ keptPaise: 9_000_000, kept: 4, paid: 4, cancelled: 4 });
    expect(say(four, NONE)).toBe(quiet);
    expect(say(NONE, four)).toBe(quiet);
    expect(say(slices({ noShow: 5 }), NONE)).toBe(
      "What changed most compared with October 2026: no-shows rose from nothing to 5. No other figure of five or more sessions changed.",
    );
    expect(say(NONE, slices({ noShow: 5 }))).toContain("no-shows fell by 5 to 0.");
  });

  it("names a change of sessions where the sum stayed the same", () => {
    const before = slices({ keptPaise: 600_000, kept: 5 });
    const now = slices({ keptPaise: 600_000, kept: 6 });
    expect(say(now, before)).toContain("revenue kept stayed at ₹6,000 (6 sessions, 1 more).");
    const fewer = slices({ keptPaise: 600_000, kept: 1 });
    expect(say(fewer, before)).toContain("revenue kept stayed at ₹6,000 (1 session, 4 fewer).");
  });
});
