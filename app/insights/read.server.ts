/** The series of insights, from the rows that the list counts. */
import { betweenSlices } from "#app/core/work-queue.server.ts";
import { type Counselor, PACKAGE_MINUTES } from "#app/model/catalogue.ts";
import { type SessionFigures, sumOfFigures } from "#app/model/money.ts";
import type { Month } from "#app/model/month.ts";
import type { Db } from "#db/connection.server.ts";
import {
  countLeadDays,
  type SessionGroup,
  type SessionRange,
  sumSessions,
} from "#db/queries/reports.server.ts";
import type { Slices } from "./changes.ts";
import { type DateRange, monthsOf } from "./ranges.ts";

type Captain = Pick<Counselor, "key" | "name">;

/** One captain, or null for all. */
export interface Asked extends DateRange {
  counselor: Captain | null;
  all: readonly Captain[];
}

export type Insights = Awaited<ReturnType<typeof readInsights>>;

/** Other requests run between the months: a change meanwhile may show in one and not another. */
export async function readInsights(db: Db, asked: Asked) {
  const months = await byMonth(asked, (range) => sumSessions(db, range));
  const counts = new Map<number, number>();
  for (const { read } of await byMonth(asked, (range) => countLeadDays(db, range))) {
    for (const { days, count } of read) counts.set(days, (counts.get(days) ?? 0) + count);
  }
  return {
    months: months.map(({ read, ...month }) => ({ ...month, ...sumOfFigures(read) })),
    ...slicesOf(
      months.flatMap(({ read }) => read),
      asked,
    ),
    leadDays: [...counts]
      .sort(([one], [other]) => one - other)
      .map(([days, count]) => ({ days, count })),
  };
}

/** The range to compare with. */
export async function readSlices(db: Db, asked: Asked): Promise<Slices> {
  const months = await byMonth(asked, (range) => sumSessions(db, range));
  const groups = months.flatMap(({ read }) => read);
  return slicesOf(groups, asked);
}

async function byMonth<T>(asked: Asked, read: (range: SessionRange) => T) {
  const months: (Month & { read: T })[] = [];
  for (const month of monthsOf(asked)) {
    if (months.length > 0) await betweenSlices();
    const { from, to } = month;
    months.push({ ...month, read: read({ ...rangeOf(asked), from, to }) });
  }
  return months;
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
