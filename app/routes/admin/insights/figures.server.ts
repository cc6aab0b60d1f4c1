/**
 * Tables and plots of insights. A number in a table links to the list of its appointments. In a plot,
 * horizontal positions are percentages, so that text keeps its size on any screen, and vertical ones
 * are pixels. Scales are computed here, so the page loads no chart library.
 */
import { scaleBand, scaleLinear } from "d3-scale";
import type { FilterQuery } from "#app/booking/list-fields.ts";
import { formatCount, formatRupees, type SessionFigures } from "#app/model/money.ts";
import { TAKEN_BACK } from "#app/model/refund.ts";
import { PAID } from "#app/model/statuses.ts";
import { filteredHref } from "#app/routes/admin/parts/list-search.ts";

type Filters = Partial<Record<keyof FilterQuery, string | undefined>>;

interface Column {
  name: string;
  of: (figures: SessionFigures) => string;
  /** Filters of the list that it links to; null if no list shows it. */
  filters: Filters | null;
}

const ALL_PAID = PAID.join();

/** The number of paid sessions whose attendance is not noted. */
export function notNoted({ paid, completed, noShow }: SessionFigures): number {
  return paid - completed - noShow;
}

const columnIn =
  (words: (value: number) => string) =>
  (name: string, of: (figures: SessionFigures) => number, filters: Filters | null = {}): Column => {
    return { name, of: (figures) => words(of(figures)), filters };
  };
const column = columnIn(formatCount);
const money = columnIn(formatRupees);

export const SESSIONS: readonly Column[] = [
  column("Booked", ({ booked }) => booked),
  column("Paid", ({ paid }) => paid, { status: ALL_PAID }),
  column("Completed", ({ completed }) => completed, { attendance: "completed" }),
  column("No-show", ({ noShow }) => noShow, { attendance: "no_show" }),
  column("Not noted yet", notNoted, { status: ALL_PAID, attendance: "none" }),
  column("Cancelled", ({ cancelled }) => cancelled, { status: "cancelled" }),
];
export const MONEY: readonly Column[] = [
  money("Revenue kept", ({ keptPaise }) => keptPaise),
  money("Refunded", ({ refundedPaise }) => refundedPaise, { refunded: "yes" }),
  money(TAKEN_BACK, ({ takenBackPaise }) => takenBackPaise, null),
];

export type FigureTable = ReturnType<typeof tableOf>;

/** The first column is the heading of the rows' names. */
export function tableOf(
  heading: string,
  columns: readonly Column[],
  rows: readonly { name: string; figures: SessionFigures; filters: Filters }[],
) {
  return {
    columns: [heading, ...columns.map(({ name }) => name)],
    rows: rows.map(({ name, figures, filters }) => ({
      name,
      cells: columns.map((one) => ({
        words: one.of(figures),
        to: one.filters && filteredHref({ ...filters, ...one.filters }),
      })),
    })),
  };
}

/** Swaps rows and columns, with `heading` over the names. */
export function transposed({ columns, rows }: FigureTable, heading: string): FigureTable {
  return {
    columns: [heading, ...rows.map(({ name }) => name)],
    rows: columns.slice(1).map((name, i) => ({
      name,
      cells: rows.map(({ cells }) => cells[i]!),
    })),
  };
}

/** Fills that can be told apart without colour. */
export type Fill = "solid" | "soft" | "dots" | "hatch";

export interface Series<T> {
  name: string;
  fill: Fill;
  of: (row: T) => number;
}

const HEIGHT = 200;
const TICKS = 4;
/** The least distance between labels on a phone, as a fraction of the plot's width. */
const LABEL_WIDTH = 1 / 4.6;
const LABEL_STEPS = [1, 2, 3, 6, 12, 24, 36];

export type ColumnPlot = ReturnType<typeof columnPlot>;

/** A stacked column plot, one column per row; values are whole numbers. */
export function columnPlot<T extends { label: string }>(
  rows: readonly T[],
  series: readonly Series<T>[],
  words: (value: number) => string,
) {
  const most = Math.max(1, ...rows.map((row) => series.reduce((sum, one) => sum + one.of(row), 0)));
  const yScale = scaleLinear().domain([0, most]).nice(TICKS).range([HEIGHT, 0]);
  const xScale = scaleBand<number>()
    .domain(rows.map((_, i) => i))
    .range([0, 100])
    .padding(0.25);
  const step = LABEL_STEPS.find((one) => one / rows.length >= LABEL_WIDTH) ?? LABEL_STEPS.at(-1)!;
  return {
    height: HEIGHT,
    ticks: yScale
      .ticks(TICKS)
      .filter(Number.isInteger)
      .map((value) => ({ y: yScale(value), label: words(value) })),
    shapes: rows.flatMap((row, i) => {
      let below = 0;
      return series.flatMap(({ of, fill }) => {
        const value = of(row);
        below += value;
        const shape = {
          fill,
          x: percent(xScale(i)!),
          width: percent(xScale.bandwidth()),
          y: yScale(below),
          height: yScale(below - value) - yScale(below),
        };
        return value > 0 ? [shape] : [];
      });
    }),
    labels: rows.flatMap(({ label }, i) =>
      i % step === 0 ? [{ x: percent(xScale(i)! + xScale.bandwidth() / 2), label }] : [],
    ),
    key: series.map(({ name, fill }) => ({ name, fill })),
  };
}

export type BarPlot = ReturnType<typeof barPlot>;

const ROW_HEIGHT = 46;

/** A horizontal bar per row, with its label and value above. */
export function barPlot(rows: readonly { label: string; value: number; words: string }[]) {
  const xScale = scaleLinear()
    .domain([0, Math.max(1, ...rows.map(({ value }) => value))])
    .range([0, 100]);
  return {
    height: rows.length * ROW_HEIGHT,
    bars: rows.map(({ label, value, words }, i) => {
      return { y: i * ROW_HEIGHT, width: percent(xScale(value)), label, words };
    }),
  };
}

function percent(value: number): string {
  return `${Math.round(value * 1000) / 1000}%`;
}
