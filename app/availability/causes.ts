/** Why a session does not suit its captain's day, and the words for it. */
import { formatClock, formatSlot, instantOf } from "#app/model/dates.ts";
import type { DayPlan, Span } from "#app/model/day-plan.ts";
import { DAY } from "#app/model/duration.ts";
import { causeOf, type Obstacle, obstaclesOn, overlaps } from "./slots.ts";

export interface Cause {
  /** `hours`: it begins outside the day's times. `off`: its captain is off the page. */
  kind: Obstacle["kind"] | "hours" | "off";
  /** Names the cause for as long as it is the same one. */
  key: string;
  words: string;
  /** Of a buffer the start of the other session. */
  otherStartsAt?: number;
}

/** Named in one form, which stays well within the 64 kB of a body; of more the rest stays open. */
export const MOST_CAUSES = 1_000;

/** All that speaks against a session, on the plan of its day; its own time is no obstacle. */
export function causesAgainst(plan: DayPlan, session: Span & { timeSlot: string }): Cause[] {
  const causes: Cause[] = [];
  if (plan.isOff) causes.push({ kind: "off", key: "off", words: "The captain is off the page" });
  if (!(plan.setTimes ?? plan.usualTimes).includes(session.timeSlot)) {
    causes.push({ kind: "hours", key: "hours", words: "Outside the hours of the day" });
  }
  const taken = plan.taken.filter(({ startsAt }) => startsAt !== session.startsAt);
  for (const obstacle of obstaclesOn({ ...plan, taken })) {
    if (!overlaps(session, obstacle)) continue;
    causes.push({
      kind: obstacle.kind,
      key: causeOf(obstacle),
      words: obstacleWords(plan, obstacle),
      ...(obstacle.kind === "buffer" && { otherStartsAt: Number(obstacle.of) }),
    });
  }
  return causes;
}

/** A sentence without its full stop. */
export function obstacleWords(plan: DayPlan, obstacle: Obstacle): string {
  const { kind, of, startsAt, endsAt } = obstacle;
  const reason = obstacle.reason ? ` (${obstacle.reason})` : "";
  switch (kind) {
    case "taken":
      return "Another session is at this time";
    case "block":
      return `Blocked at ${formatSlot(String(of))}${reason}`;
    case "leave":
      return `On leave${reason}`;
    case "buffer":
      return `Less than ${plan.bufferMinutes} minutes from the session at ${formatClock(Number(of))}`;
    case "busy":
      return startsAt === instantOf(plan.date) && endsAt - startsAt === DAY
        ? "Busy all day in the imported calendar"
        : `Busy in the imported calendar from ${formatClock(startsAt)} to ${formatClock(endsAt)}`;
  }
}
