import { expect, it } from "vitest";
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

const captain = (counselor: string, keptPaise: number) => ({
  counselor,
  ...figures({ keptPaise, kept: 5 }),
});
const ofCaptains = (asha: number, rohan: number) =>
  slices(
    { keptPaise: 900_000, kept: 10 },
    { byCounselor: [captain("Asha", asha), captain("Rohan", rohan)] },
  );
const many = { keptPaise: 1_000_000, kept: 10, paid: 10, noShow: 6, cancelled: 5 };
const more = { keptPaise: 1_600_000, kept: 16, paid: 16, noShow: 2, cancelled: 6 };
const NONE = slices({});
const same = slices({ keptPaise: 900_000, kept: 9, paid: 9 });
const four = slices({ keptPaise: 9_000_000, kept: 4, paid: 4, cancelled: 4 });
const kept = (sessions: number) => slices({ keptPaise: 600_000, kept: sessions });

const MONTHS: Record<string, [now: Slices, before: Slices]> = {
  "the three that changed most by rupees, then by sessions": [
    slices({ ...more, refundedPaise: 700_000, refunded: 5 }),
    slices(many),
  ],
  "captains where there are several": [ofCaptains(800_000, 100_000), ofCaptains(500_000, 400_000)],
  nothing: [NONE, NONE],
  "nothing changed": [same, same],
  "what rests on only four sessions": [four, NONE],
  "what rested on only four sessions": [NONE, four],
  "five more": [slices({ noShow: 5 }), NONE],
  "five fewer": [NONE, slices({ noShow: 5 })],
  "a session more for the same sum": [kept(6), kept(5)],
  "fewer sessions for the same sum": [kept(1), kept(5)],
};

it("says these sentences of these months", async () => {
  const lines = Object.entries(MONTHS).map(([name, [now, before]]) => {
    return `${name}: ${changesSentence(biggestChanges(now, before), "October 2026")}`;
  });
  await expect(`${lines.join("\n")}\n`).toMatchFileSnapshot("golden-changes.txt");
});
