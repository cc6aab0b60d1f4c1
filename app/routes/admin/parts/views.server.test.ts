import { expect, it } from "vitest";
import { readPage } from "./views.server.ts";

it.each([
  ["beyond the last one is the last one, read anew", 999, 120, 3, [999, 3]],
  ["of an empty list is the first one", 999, 0, 1, [999, 1]],
  ["that is there is read once", 2, 120, 2, [2]],
])("a page %s", (_, asked, total, number, reads) => {
  const read: number[] = [];
  const shown = readPage(asked, ({ page }) => {
    read.push(page);
    return { total, rows: `rows of page ${page}` };
  });
  const page = { number, size: 50, total };
  expect([shown, read]).toEqual([{ total, rows: `rows of page ${number}`, page }, reads]);
});
