/** What is asked of messages at every mail to a stranger, however many there are. */
import { expect, it, vi } from "vitest";
import { storedRows } from "#tests/support/stored-rows.ts";
import { countHeldBack, countRecentMails } from "./message-leases.server.ts";

const { db } = storedRows();

it("what an address got, and what was held back, is found by index", () => {
  const plans = (["first", "all"] as const).flatMap((name) => {
    const asked = vi.spyOn(db(), name);
    countRecentMails(db(), "booking_unpaid", "a@b.in", 0);
    countHeldBack(db(), 0);
    const queries = asked.mock.calls.map(([query]) => query.compile());
    asked.mockRestore();
    return queries.flatMap(({ sql, parameters }) =>
      db().allRaw<{ detail: string }>(`EXPLAIN QUERY PLAN ${sql}`, parameters),
    );
  });
  expect(plans.map(({ detail }) => detail)).toEqual([
    expect.stringContaining("INDEX message_by_mailbox (kind=? AND <expr>=?)"),
    expect.stringContaining("COVERING INDEX message_held_back (created_at>?)"),
    expect.stringContaining("GROUP BY"),
  ]);
});
