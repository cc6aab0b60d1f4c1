/** What changed most against the previous range, in a sentence. */
import { formatCount, formatRupees, type SessionFigures } from "#app/model/money.ts";

/** Figures of a range: in total, per captain and per package. */
export interface Slices {
  total: SessionFigures;
  byCounselor: readonly (SessionFigures & { counselor: string })[];
  byPackage: readonly (SessionFigures & { package: number })[];
}

/** A sum with the number of sessions behind it, or only a number of sessions (0 paise). */
interface Thing {
  name: string;
  paise: number;
  sessions: number;
}

interface Change {
  now: Thing;
  before: Thing;
}

const FEWEST_SESSIONS = 5;
const MOST_NAMED = 3;

/** Ordered by rupees, then by sessions. */
export function biggestChanges(now: Slices, before: Slices): Change[] {
  const earlier = new Map(thingsOf(before).map((thing) => [thing.name, thing]));
  return thingsOf(now)
    .flatMap((thing) => {
      const other = earlier.get(thing.name);
      return other ? { now: thing, before: other } : [];
    })
    .filter((change) => Math.max(change.now.sessions, change.before.sessions) >= FEWEST_SESSIONS)
    .filter((change) => moved(change, "paise") + moved(change, "sessions") > 0)
    .sort(
      (one, other) =>
        moved(other, "paise") - moved(one, "paise") ||
        moved(other, "sessions") - moved(one, "sessions"),
    )
    .slice(0, MOST_NAMED);
}

const moved = ({ now, before }: Change, of: "paise" | "sessions") => Math.abs(now[of] - before[of]);

/** A single captain or package is left out: it is the whole. */
function thingsOf({ total, byCounselor, byPackage }: Slices): Thing[] {
  const revenue = (name: string, { keptPaise: paise, kept: sessions }: SessionFigures) => {
    return { name, paise, sessions };
  };
  const captains = byCounselor.map((one) => revenue(`the revenue of ${one.counselor}`, one));
  const packages = byPackage.map((one) =>
    revenue(`the revenue of ${one.package}-minute sessions`, one),
  );
  return [
    revenue("revenue kept", total),
    ...(captains.length > 1 ? captains : []),
    ...(packages.length > 1 ? packages : []),
    { name: "refunds", paise: total.refundedPaise, sessions: total.refunded },
    { name: "money taken back by banks", paise: total.takenBackPaise, sessions: total.takenBack },
    { name: "paid sessions", paise: 0, sessions: total.paid },
    { name: "cancelled sessions", paise: 0, sessions: total.cancelled },
    { name: "no-shows", paise: 0, sessions: total.noShow },
  ];
}

/** `before` names the previous range within a sentence. */
export function changesSentence(changes: readonly Change[], before: string): string {
  const enough = "figure of five or more sessions changed";
  if (changes.length === 0) return `No ${enough} compared with ${before}.`;
  const named = changes.map(changeWords).join("; ");
  const rest = changes.length < MOST_NAMED ? ` No other ${enough}.` : "";
  return `What changed most compared with ${before}: ${named}.${rest}`;
}

function changeWords({ now, before }: Change): string {
  const { name } = now;
  if (now.paise === 0 && before.paise === 0) {
    return `${name} ${wayOf(now.sessions, before.sessions, formatCount)}`;
  }
  const sessions = now.sessions === 1 ? "1 session" : `${formatCount(now.sessions)} sessions`;
  const more = now.sessions - before.sessions;
  const than =
    more === 0 ? "as many" : `${formatCount(Math.abs(more))} ${more > 0 ? "more" : "fewer"}`;
  return `${name} ${wayOf(now.paise, before.paise, formatRupees)} (${sessions}, ${than})`;
}

function wayOf(now: number, before: number, words: (value: number) => string): string {
  if (now === before) return `stayed at ${words(now)}`;
  if (before === 0) return `rose from nothing to ${words(now)}`;
  return `${now > before ? "rose" : "fell"} by ${words(Math.abs(now - before))} to ${words(now)}`;
}
