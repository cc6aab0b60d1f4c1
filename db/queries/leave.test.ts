/** Leave of a captain and of all, each beside what one condition keeps out. */
import { expect, it } from "vitest";
import { storedRows } from "#tests/support/stored-rows.ts";
import { deleteLeave, findLeave, insertLeave, listLeave } from "./hours.server.ts";

const { db } = storedRows();

it("is listed from the days that are not over on, the earliest first", () => {
  const add = (id: string, from: string, to: string, counselorKey: string | null) =>
    insertLeave(db(), { id, counselorKey, from, to, reason: null }, 1);
  add("over", "2026-11-01", "2026-11-30", "asha");
  add("later", "2026-12-05", "2026-12-06", "asha");
  add("ends", "2026-11-20", "2026-12-01", null);
  add("other", "2026-12-02", "2026-12-02", "rohan");
  const ids = (key?: string) => listLeave(db(), "2026-12-01", key).map(({ id }) => id);
  expect([ids(), ids("asha"), ids("rohan")]).toEqual([
    ["ends", "other", "later"],
    ["ends", "later"],
    ["ends", "other"],
  ]);
  deleteLeave(db(), "other");
  expect([findLeave(db(), "other"), findLeave(db(), "over")?.id]).toEqual([null, "over"]);
});
