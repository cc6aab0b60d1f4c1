import { expect, it } from "vitest";
import { isId, newId, shortId, tableId } from "./ids.ts";

it("an id is 26 letters and digits, none of them misread, and never the same", () => {
  const ids = Array.from({ length: 200 }, () => newId());
  expect(new Set(ids).size).toBe(200);
  // Each of the 32 stands somewhere in 5,200.
  expect([...new Set(ids.join(""))].sort().join("")).toBe("23456789abcdefghijkmnpqrstuvwxyz");
  expect(ids.every((id) => id.length === 26 && isId(id))).toBe(true);
  expect(newId(8)).toHaveLength(8);
  for (const none of [`${ids[0]}a`, ids[0]!.slice(1), ids[0]!.toUpperCase(), 26, null]) {
    expect(isId(none)).toBe(false);
  }
});

it("an id is shown by its end", () => {
  const id = "k3v9m2xq7t4hn8wpz5c6y2rdab";
  expect([shortId(id), tableId(id)]).toEqual(["c6y2rdab", "#y2rdab"]);
});
