/**
 * Where the shapes of a plot stand. Across in percent, so that words keep their size on any screen;
 * down in pixels. The scales stay on the server: the page is given numbers alone.
 */
import { scaleBand, scaleLinear } from "d3-scale";

/** How a shape is filled: told apart without colour. */
export type Fill = "solid" | "soft" | "dots" | "hatch";

interface Series<T> {
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
          ...{ fill, x: percent(across(i)!), width: percent(across.bandwidth()) },
          ...{ y: down(below), height: down(below - value) - down(below) },
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
