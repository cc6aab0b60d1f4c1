import { expect, it } from "vitest";
import { barPlot, columnPlot } from "./figures.server.ts";

const SERIES = [
  { name: "Kept", fill: "solid", of: (row: { kept: number }) => row.kept },
  { name: "Back", fill: "hatch", of: (row: { back: number }) => row.back },
] as const;

const plotOf = (...rows: [kept: number, back: number][]) =>
  columnPlot(
    rows.map(([kept, back], i) => ({ label: `M${i}`, kept, back })),
    SERIES,
    String,
  );

it("stands the series of a column one on the other, as high as their values", () => {
  const { height, shapes, ticks } = plotOf([60, 40], [0, 20]);
  expect(ticks.map(({ label }) => label)).toEqual(["0", "20", "40", "60", "80", "100"]);
  expect([ticks[0]!.y, ticks.at(-1)!.y]).toEqual([height, 0]);
  const [kept, back, alone] = shapes;
  expect(shapes.map(({ fill }) => fill)).toEqual(["solid", "hatch", "hatch"]);
  expect([kept!.y + kept!.height, kept!.height]).toEqual([height, height * 0.6]);
  expect([back!.y, back!.y + back!.height]).toEqual([0, kept!.y]);
  expect(alone!.height).toBeCloseTo(height * 0.2);
});

it("names no part of a session, and draws a plot without any", () => {
  expect(plotOf([1, 0]).ticks.map(({ label }) => label)).toEqual(["0", "1"]);
  const empty = plotOf([0, 0]);
  expect(empty.shapes).toEqual([]);
  expect(empty.labels).toHaveLength(1);
});

it.each([
  [1, 1],
  [5, 3],
  [6, 3],
  [12, 4],
  [13, 5],
  [60, 3],
  [61, 3],
  [121, 4],
])("names of %i columns %i, so that words do not meet on a phone", (count, named) => {
  const rows = Array.from({ length: count }, (): [number, number] => [1, 1]);
  expect(plotOf(...rows).labels).toHaveLength(named);
});

it("gives the longest bar the whole width, and a bar of nothing none", () => {
  const row = (value: number) => ({ label: "A", value, words: String(value) });
  expect(barPlot([row(50), row(200), row(0)]).bars.map(({ width }) => width)).toEqual([
    "25%",
    "100%",
    "0%",
  ]);
  expect(barPlot([row(0)]).bars[0]!.width).toBe("0%");
});
