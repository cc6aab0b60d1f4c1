/** The view of insights for a range of dates: sentences, tables and plots. */
import type { FilterQuery } from "#app/booking/list-fields.ts";
import type { Deps } from "#app/core/deps.server.ts";
import { biggestChanges, changesSentence } from "#app/insights/changes.ts";
import { type DateRange, rangeBefore } from "#app/insights/ranges.ts";
import {
  type Asked,
  type Insights,
  readInsights,
  readSlices,
  readTotal,
} from "#app/insights/read.server.ts";
import { adminDate } from "#app/model/dates.ts";
import { formatCount, formatRupees, rupeesOf, type SessionFigures } from "#app/model/money.ts";
import { formatMonth, monthOf } from "#app/model/month.ts";
import { TAKEN_BACK } from "#app/model/refund.ts";
import { statsOf } from "#db/queries/appointment-list.server.ts";
import {
  type BarPlot,
  barPlot,
  type ColumnPlot,
  columnPlot,
  type FigureTable,
  MONEY,
  notNoted,
  SESSIONS,
  type Series,
  tableOf,
  transposed,
} from "./figures.server.ts";

export interface Figure {
  id: string;
  title: string;
  sentence: string;
  /** Without a plot, the table is shown unfolded. */
  columns?: ColumnPlot | undefined;
  bars?: BarPlot | undefined;
  table: FigureTable;
}

type Db = Deps["db"];

export async function insightsView(db: Db, asked: Asked, today: string) {
  const insights = await readInsights(db, asked);
  const before = rangeBefore(asked);
  const changes = biggestChanges(insights, await readSlices(db, { ...asked, ...before }));
  return {
    changes:
      insights.total.booked === 0 && changes.length === 0
        ? noneWords(db)
        : changesSentence(changes, rangeWords(before)),
    months: thisAndLastMonth(db, asked, today),
    figures: [
      sessionsByMonth(insights, asked),
      revenueByMonth(insights, asked),
      byCaptainAndPackage(insights, asked),
      bookedAhead(insights),
    ],
  };
}

function noneWords(db: Db): string {
  const none = "No session stands in this range.";
  const { totalAppointments } = statsOf(db, { filter: {}, found: null });
  return totalAppointments > 0
    ? none
    : `${none} The figures come by themselves with the first bookings.`;
}

export function rangeWords({ from, to }: DateRange): string {
  const isWhole = from === monthOf(from).from && to === monthOf(to).to;
  if (!isWhole) return `${adminDate(from)} to ${adminDate(to)}`;
  const [first, last] = [formatMonth(from.slice(0, 7)), formatMonth(to.slice(0, 7))];
  return first === last ? first : `${first} to ${last}`;
}

function listFilters(range: DateRange, { counselor }: Asked): Partial<FilterQuery> {
  return { startDate: range.from, endDate: range.to, counselor: counselor?.name };
}

/** This month beside the last, whatever range is requested. */
function thisAndLastMonth(db: Db, asked: Asked, today: string): FigureTable {
  const present = monthOf(today);
  const rows = [present, monthOf(rangeBefore(present).from)].map((month, i) => ({
    name: `${formatMonth(month.value)}${i === 0 ? " (this month)" : ""}`,
    figures: readTotal(db, { ...asked, from: month.from, to: month.to }),
    filters: listFilters(month, asked),
  }));
  return transposed(tableOf("Month", [...SESSIONS, ...MONEY], rows), "Sessions of");
}

const monthRows = ({ months, total }: Insights, asked: Asked) => [
  ...months.map((month) => ({
    name: formatMonth(month.value),
    figures: month,
    filters: listFilters(month, asked),
  })),
  { name: "All months", figures: total, filters: listFilters(asked, asked) },
];

/** Month and year in short, like `Nov 26`, to fit under a column. */
const shortMonth = (month: string) => `${formatMonth(month).slice(0, 3)}\u00a0${month.slice(2, 4)}`;

/** Undefined unless at least two months have sessions; the table is clearer then. */
function plotOfMonths(
  insights: Insights,
  series: Series<SessionFigures>[],
  format: (value: number) => string,
) {
  const months = insights.months.map((one) => ({ ...one, label: shortMonth(one.value) }));
  const withSessions = months.filter(({ booked }) => booked > 0);
  return withSessions.length > 1 ? columnPlot(months, series, format) : undefined;
}

const barsOf = (rows: Parameters<typeof barPlot>[0]) =>
  rows.some(({ value }) => value > 0) ? barPlot(rows) : undefined;

function sessionsByMonth(insights: Insights, asked: Asked): Figure {
  const { booked, paid, completed, noShow, cancelled } = insights.total;
  return {
    id: "sessions",
    title: "Sessions by month",
    sentence: `${formatCount(booked)} booked, of these ${formatCount(paid)} paid and ${formatCount(cancelled)} cancelled; ${formatCount(completed)} took place and ${formatCount(noShow)} ${noShow === 1 ? "was" : "were"} missed.`,
    columns: plotOfMonths(
      insights,
      [
        { name: "Completed", fill: "solid", of: (month) => month.completed },
        { name: "Paid, not noted yet", fill: "soft", of: notNoted },
        { name: "No-show", fill: "dots", of: (month) => month.noShow },
        { name: "Cancelled", fill: "hatch", of: (month) => month.cancelled },
      ],
      formatCount,
    ),
    table: tableOf("Month", SESSIONS, monthRows(insights, asked)),
  };
}

function revenueByMonth(insights: Insights, asked: Asked): Figure {
  const { keptPaise, refundedPaise, takenBackPaise } = insights.total;
  const kept = `${formatRupees(keptPaise)} kept, GST included`;
  const back = `${formatRupees(refundedPaise)} refunded or to be refunded`;
  const taken = takenBackPaise > 0 && `${formatRupees(takenBackPaise)} taken back by banks`;
  const series: Series<SessionFigures>[] = [
    { name: "Kept", fill: "solid", of: (month) => rupeesOf(month.keptPaise) },
    { name: "Refunded", fill: "hatch", of: (month) => rupeesOf(month.refundedPaise) },
  ];
  if (takenBackPaise > 0) {
    series.push({ name: TAKEN_BACK, fill: "dots", of: (one) => rupeesOf(one.takenBackPaise) });
  }
  return {
    id: "revenue",
    title: "Revenue by month",
    sentence: `${[kept, back, taken].filter(Boolean).join("; ")}.`,
    columns: plotOfMonths(insights, series, (rupees) => formatRupees(rupees * 100)),
    table: tableOf("Month", MONEY, monthRows(insights, asked)),
  };
}

function byCaptainAndPackage({ byCounselor, byPackage }: Insights, asked: Asked): Figure {
  const rows = [
    ...byCounselor.map((one) => ({
      name: one.counselor,
      figures: one,
      filters: { ...listFilters(asked, asked), counselor: one.counselor },
    })),
    ...byPackage.map((one) => ({
      name: `${one.package} min`,
      figures: one,
      filters: { ...listFilters(asked, asked), package: String(one.package) },
    })),
  ];
  const leaderOf = (all: typeof rows) =>
    all.reduce((most, one) => (one.figures.keptPaise > most.figures.keptPaise ? one : most));
  const leaders = [rows.slice(0, byCounselor.length), rows.slice(byCounselor.length)]
    .map(leaderOf)
    .filter(({ figures }) => figures.keptPaise > 0);
  return {
    id: "shares",
    title: "By captain and package",
    sentence:
      leaders.length === 0
        ? "No revenue in this range."
        : `Most revenue: ${leaders.map(({ name, figures }) => `${name} with ${formatRupees(figures.keptPaise)}`).join(", and ")}.`,
    bars: barsOf(
      rows.map(({ name, figures: { keptPaise, paid } }) => {
        const words = `${formatRupees(keptPaise)}, ${formatCount(paid)} paid`;
        return { label: name, value: keptPaise, words };
      }),
    ),
    table: tableOf("Captain or package", [...SESSIONS, ...MONEY], rows),
  };
}

/** The least number of days ahead in each group of the plot. */
const GROUPS = [0, 1, 2, 4, 8, 15, 31, 61, 91];

function bookedAhead({ leadDays, total }: Insights): Figure {
  const groups = GROUPS.map((first, i) => {
    const end = GROUPS.at(i + 1) ?? Number.POSITIVE_INFINITY;
    const value = leadDays
      .filter(({ days }) => Math.max(0, days) >= first && days < end)
      .reduce((sum, one) => sum + one.count, 0);
    return { label: daysWords(first, end - 1), value, words: formatCount(value) };
  });
  let seen = 0;
  const median = leadDays.find((one) => {
    seen += one.count;
    return seen * 2 >= total.paid;
  });
  return {
    id: "ahead",
    title: "How far ahead people book",
    sentence: median
      ? `Half of the ${formatCount(total.paid)} paid sessions were booked ${aheadWords(median.days)}.`
      : "No paid sessions in this range.",
    bars: barsOf(groups),
    table: {
      columns: ["Booked ahead", "Paid sessions"],
      rows: groups.map(({ label, words }) => ({ name: label, cells: [{ words, to: null }] })),
    },
  };
}

const aheadWords = (days: number) =>
  days <= 0
    ? "on the same day"
    : `at most ${days === 1 ? "1 day" : `${formatCount(days)} days`} ahead`;

function daysWords(first: number, last: number): string {
  if (first === 0) return "Same day";
  if (first === last) return first === 1 ? "1 day" : `${first} days`;
  return Number.isFinite(last) ? `${first} to ${last} days` : `${first} days and more`;
}
