/**
 * The tables and plots of insights. A number of a table leads to the list whose rows it sums. Shapes of
 * a plot stand across in percent, so that words keep their size on any screen, and down in pixels; the
 * scales stay on the server, and the page is given numbers alone.
 */

import { scaleBand, scaleLinear } from "d3-scale";
import { href } from "react-router";
import type { FilterQuery } from "#app/booking/list-fields.ts";
import { formatRupees, type SessionFigures } from "#app/model/money.ts";
import { TAKEN_BACK } from "#app/model/refund.ts";
import { PAID } from "#app/model/statuses.ts";
import { LIST_HEADING_ID, listHref } from "#app/routes/admin/parts/list-search.ts";

/** As the list's address names them. */
type Filters = Partial<Record<keyof FilterQuery, string | undefined>>;

interface Column {
  name: string;
  of: (figures: SessionFigures) => string;
  /** Null where no list of its own shows it. */
  filters: Filters | null;
}

const count = new Intl.NumberFormat("en-IN");
export const number = (value: number) => count.format(value);

const paid = PAID.join();

/** Paid sessions of which nobody has said whether they took place. */
export function notNoted({ paid, completed, noShow }: SessionFigures): number {
  return paid - completed - noShow;
}

const columnIn =
  (words: (value: number) => string) =>
  (name: string, of: (figures: SessionFigures) => number, filters: Filters | null = {}): Column => {
    return { name, of: (figures) => words(of(figures)), filters };
  };
const column = columnIn(number);
const money = columnIn(formatRupees);

export const SESSIONS: readonly Column[] = [
  column("Booked", ({ booked }) => booked),
  column("Paid", (figures) => figures.paid, { status: paid }),
  column("Completed", ({ completed }) => completed, { attendance: "completed" }),
  column("No-show", ({ noShow }) => noShow, { attendance: "no_show" }),
  column("Not noted yet", notNoted, { status: paid, attendance: "none" }),
  column("Cancelled", ({ cancelled }) => cancelled, { status: "cancelled" }),
];
export const MONEY: readonly Column[] = [
  money("Revenue kept", ({ keptPaise }) => keptPaise),
  money("Refunded", ({ refundedPaise }) => refundedPaise, { refunded: "yes" }),
  money(TAKEN_BACK, ({ takenBackPaise }) => takenBackPaise, null),
];

export interface FigureTable {
  /** The first is that of the rows' names. */
  columns: string[];
  rows: { name: string; cells: { words: string; to: string | null }[] }[];
}

/** One row for each of what is counted. */
export function tableOf(
  heading: string,
  columns: readonly Column[],
  rows: readonly { name: string; figures: SessionFigures; filters: Filters }[],
): FigureTable {
  return {
    columns: [heading, ...columns.map(({ name }) => name)],
    rows: rows.map(({ name, figures, filters }) => ({
      name,
      cells: columns.map((one) => ({
        words: one.of(figures),
        to: one.filters && listOf({ ...filters, ...one.filters }),
      })),
    })),
  };
}

/** One row for each column: ranges side by side. */
export function turned({ columns, rows }: FigureTable, heading: string): FigureTable {
  return {
    columns: [heading, ...rows.map(({ name }) => name)],
    rows: columns.slice(1).map((name, i) => ({
      name,
      cells: rows.map(({ cells }) => cells[i]!),
    })),
  };
}

function listOf(filters: Filters): string {
  const search = new URLSearchParams();
  for (const [name, value] of Object.entries(filters)) if (value) search.set(name, value);
  return `${listHref(href("/admin"), search.toString())}#${LIST_HEADING_ID}`;
}

/** How a shape is filled: told apart without colour. */
export type Fill = "solid" | "soft" | "dots" | "hatch";

export interface Series<T> {
  name: string;
  fill: Fill;
  of: (row: T) => number;
}

interface Row {
  label: string;
}

const HEIGHT = 200;
const TICKS = 4;
/** On a phone, how far apart labels stand at the least: the part of the plot's width. */
const LABEL_WIDTH = 1 / 4.6;
const STEPS = [1, 2, 3, 6, 12, 24, 36];

export type ColumnPlot = ReturnType<typeof columnPlot>;

/** A column for each row, its series one on the other; the values are whole numbers. */
export function columnPlot<T extends Row>(
  rows: readonly T[],
  series: readonly Series<T>[],
  words: (value: number) => string,
) {
  const most = Math.max(1, ...rows.map((row) => series.reduce((sum, one) => sum + one.of(row), 0)));
  const down = scaleLinear().domain([0, most]).nice(TICKS).range([HEIGHT, 0]);
  const across = scaleBand<number>()
    .domain(rows.map((_, i) => i))
    .range([0, 100])
    .padding(0.25);
  const step = STEPS.find((one) => one / rows.length >= LABEL_WIDTH) ?? STEPS.at(-1)!;
  return {
    height: HEIGHT,
    ticks: down
      .ticks(TICKS)
      .filter(Number.isInteger)
      .map((value) => ({ y: down(value), label: words(value) })),
    shapes: rows.flatMap((row, i) => {
      let below = 0;
      return series.flatMap(({ of, fill }) => {
        const value = of(row);
        below += value;
        const shape = {
          fill,
          x: percent(across(i)!),
          width: percent(across.bandwidth()),
          y: down(below),
          height: down(below - value) - down(below),
        };
        return value > 0 ? [shape] : [];
      });
    }),
    labels: rows.flatMap(({ label }, i) =>
      i % step === 0 ? [{ x: percent(across(i)! + across.bandwidth() / 2), label }] : [],
    ),
    key: series.map(({ name, fill }) => ({ name, fill })),
  };
}

export type BarPlot = ReturnType<typeof barPlot>;

const LINE = 46;

/** A bar for each row, with its name and value over it. */
export function barPlot(rows: readonly { label: string; value: number; words: string }[]) {
  const along = scaleLinear()
    .domain([0, Math.max(1, ...rows.map(({ value }) => value))])
    .range([0, 100]);
  return {
    height: rows.length * LINE,
    bars: rows.map(({ label, value, words }, i) => {
      return { y: i * LINE, width: percent(along(value)), label, words };
    }),
  };
}

function percent(value: number): string {
  return `${Math.round(value * 1000) / 1000}%`;
}
