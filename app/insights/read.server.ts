/** The series of insights, of the rows that the list counts. */
import { type Counselor, PACKAGE_MINUTES } from "#app/model/catalogue.ts";
import { type SessionFigures, sumOfFigures } from "#app/model/session-figures.ts";
import type { Db } from "#db/connection.server.ts";
import {
  countLeadDays,
  type SessionGroup,
  type SessionRange,
  sumSessions,
} from "#db/queries/insights.server.ts";
import type { Slices } from "./changes.ts";
import { type DateRange, monthsOf } from "./ranges.ts";

type Captain = Pick<Counselor, "key" | "name">;

/** One captain, or all of the catalogue. */
export interface Asked extends DateRange {
  counselor: Captain | null;
  all: readonly Captain[];
}

export type Insights = ReturnType<typeof readInsights>;

/** Month by month: many small groupings take less time than a large one. */
export function readInsights(db: Db, asked: Asked) {
  const range = rangeOf(asked);
  const months = monthsOf(asked).map((month) => ({
    ...month,
    groups: sumSessions(db, { ...range, from: month.from, to: month.to }),
  }));
  return {
    months: months.map(({ groups, ...month }) => ({ ...month, ...sumOfFigures(groups) })),
    ...slicesOf(
      months.flatMap(({ groups }) => groups),
      asked,
    ),
    leadDays: countLeadDays(db, range),
  };
}

/** A range to compare with. */
export function readSlices(db: Db, asked: Asked): Slices {
  return slicesOf(sumSessions(db, rangeOf(asked)), asked);
}

export function readTotal(db: Db, asked: Asked): SessionFigures {
  return sumOfFigures(sumSessions(db, rangeOf(asked)));
}

function rangeOf({ from, to, counselor }: Asked): SessionRange {
  return { from, to, counselorKey: counselor?.key ?? null };
}

function slicesOf(groups: readonly SessionGroup[], { counselor, all }: Asked) {
  const captains = counselor ? [counselor] : all;
  return {
    total: sumOfFigures(groups),
    byCounselor: captains.map(({ key, name }) => ({
      counselor: name,
      ...sumOfFigures(groups.filter(({ counselorKey }) => counselorKey === key)),
    })),
    byPackage: PACKAGE_MINUTES.map((minutes) => ({
      package: minutes,
      ...sumOfFigures(groups.filter((group) => group.minutes === minutes)),
    })),
  };
}
