/** Where the times of a day come from, and what takes some of them. */
import type { DayPlan } from "#app/model/day-plan.ts";
import { BLOCK_MINUTES } from "#app/model/time-slot.ts";
import { type Obstacle, obstacleTo, startTimes } from "./slots.ts";

export interface DayPreview {
  date: string;
  source: "leave" | "set" | "hours" | "off" | "default";
  /** Of the leave. */
  reason: string | null;
  /** What keeps even the shortest session from a time, or null. */
  times: { timeSlot: string; obstacle: Obstacle["kind"] | null }[];
}

export function previewOf(plan: DayPlan): DayPreview {
  const { date, leave, setTimes, usualTimes, hasHours } = plan;
  const weekly = usualTimes.length === 0 ? "off" : "hours";
  const usual = hasHours ? weekly : "default";
  return {
    date,
    source: leave.length > 0 ? "leave" : setTimes ? "set" : usual,
    reason: leave[0]?.reason ?? null,
    times: startTimes(plan).map((timeSlot) => {
      const obstacle = obstacleTo(plan, timeSlot, BLOCK_MINUTES)?.kind ?? null;
      return { timeSlot, obstacle };
    }),
  };
}
