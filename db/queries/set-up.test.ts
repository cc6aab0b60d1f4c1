/** What tells that a first step is done: found by index, and kept. */
import { expect, it, vi } from "vitest";
import { storedRows } from "#tests/support/stored-rows.ts";
import { readSetUp } from "./health.server.ts";
import { deleteLooseMessages, deleteOldMessages } from "./retention.server.ts";

const { db, add, left } = storedRows();

it("test mails stay, and stand in no other message's way", () => {
  expect(readSetUp(db()).hasTestMail).toBe(false);
  for (const name of ["first", "second"]) {
    add("message", name, { created_at: 1, kind: "test_mail", state: "sent" });
  }
  add("message", "loose", { created_at: 9 });
  expect([deleteLooseMessages(db(), 10, 1), deleteLooseMessages(db(), 10, 1)]).toEqual([1, 0]);
  add("message", "old", { created_at: 9, appointment_id: "x" });
  expect([deleteOldMessages(db(), 10, 1), deleteOldMessages(db(), 10, 1)]).toEqual([1, 0]);
  expect(left("message")).toEqual(["first", "second"]);
  expect(readSetUp(db()).hasTestMail).toBe(true);
});

it("a test mail is found by index, however many messages there are", () => {
  const asked = vi.spyOn(db(), "firstRaw");
  readSetUp(db());
  const sql = asked.mock.calls.map(([text]) => text).find((text) => text.includes("test_mail"));
  asked.mockRestore();
  const plan = db().allRaw<{ detail: string }>(`EXPLAIN QUERY PLAN ${sql}`);
  expect(plan.map(({ detail }) => detail)).toContain(
    "SEARCH message USING COVERING INDEX message_test (state=?)",
  );
});
