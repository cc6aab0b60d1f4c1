import type { CustomTableLayout } from "pdfmake/interfaces";
import { expect, it } from "vitest";
import {
  amountsTable,
  BLUE,
  COLUMN_GAP,
  factsTable,
  LEFT_WIDTH,
  RIGHT_WIDTH,
  rule,
} from "./page-parts.ts";

it("of a document's facts, the number alone is bold", () => {
  const { table } = factsTable([
    ["Invoice number", "AC/26-27/00001"],
    ["Date", "20 Nov 2026"],
    ["Payment ID", "pay_Qx7Zk2LmN8pRtV"],
  ]) as { table: { body: { bold?: boolean }[][] } };
  expect(table.body.map(([, value]) => value?.bold)).toEqual([true, false, false]);
});

it("a rule runs under both columns", () => {
  const { canvas } = rule(BLUE, 1, [0, 0, 0, 0]) as { canvas: { x1: number; x2: number }[] };
  const both = LEFT_WIDTH + COLUMN_GAP + RIGHT_WIDTH;
  expect(canvas).toMatchObject([{ x1: 0, x2: expect.closeTo(both) }]);
});

it("of amounts, the total alone has a line above it", () => {
  const amounts = [
    ["Taxable value", 99_900],
    ["IGST 18%", 18_000],
  ] as const;
  const { layout, table } = amountsTable(
    amounts.map((amount) => [...amount]),
    ["Total", 117_900],
  ) as { layout: CustomTableLayout; table: { body: unknown[] } };
  const lines = [0, 1, 2, 3].map((row) => layout.hLineWidth?.(row, { table } as never));
  expect(lines.map((width) => Number(width) > 0)).toEqual([false, false, true, false]);
});
