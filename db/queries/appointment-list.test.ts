/** The tally is kept by triggers: whatever is done to the table, its figures are those of a count. */
import fc from "fast-check";
import { expect, it } from "vitest";
import type { AppointmentFilter } from "#app/model/appointment.ts";
import { storedRows } from "#tests/support/stored-rows.ts";
import { readAppointmentPage } from "./appointment-list.server.ts";

const { db, add } = storedRows();

const STATUSES = ["pending_payment", "confirmed", "rescheduled", "cancelled"] as const;
const COUNSELORS = ["asha", "rohan"] as const;

const status = fc.constantFrom(...STATUSES);
const counselor = fc.constantFrom(...COUNSELORS);
const paise = fc.integer({ min: 0, max: 500_000 });
const row = fc.integer({ min: 1, max: 12 });
const change = fc.oneof(
  fc.record({ do: fc.constant("add" as const), row, status, counselor, paise }),
  fc.record({ do: fc.constant("status" as const), row, status }),
  fc.record({ do: fc.constant("move" as const), row, counselor }),
  fc.record({ do: fc.constant("money" as const), row, paise }),
  fc.record({ do: fc.constant("remove" as const), row }),
);

function apply(one: typeof change extends fc.Arbitrary<infer T> ? T : never): void {
  const id = String(one.row);
  switch (one.do) {
    case "add":
      if (db().firstRaw("SELECT 1 FROM appointment WHERE id = ?", [id])) return;
      add("appointment", id, {
        status: one.status,
        counselor_key: one.counselor,
        kept_paise: one.paise,
      });
      return;
    case "status":
      db().runRaw("UPDATE appointment SET status = ? WHERE id = ?", [one.status, id]);
      return;
    case "move":
      db().runRaw("UPDATE appointment SET counselor_key = ? WHERE id = ?", [one.counselor, id]);
      return;
    case "money":
      db().runRaw("UPDATE appointment SET kept_paise = ? WHERE id = ?", [one.paise, id]);
      return;
    case "remove":
      db().runRaw("DELETE FROM appointment WHERE id = ?", [id]);
  }
}

it("has the same figures from the tally as from a count of the rows", () => {
  const statsOf = (filter: AppointmentFilter) =>
    readAppointmentPage(db(), filter, { page: 1, pageSize: 1 }).stats;
  const filters = [
    {},
    ...STATUSES.map((one) => ({ statuses: [one] })),
    ...COUNSELORS.map((key) => ({ counselorKey: key })),
    { counselorKey: "asha", statuses: ["confirmed" as const] },
    { counselorKey: "nobody" },
  ];
  fc.assert(
    fc.property(fc.array(change, { maxLength: 40 }), (changes) => {
      db().runRaw("DELETE FROM appointment");
      for (const one of changes) apply(one);
      for (const filter of filters) {
        // A date that every row has makes it count.
        expect(statsOf(filter)).toEqual(statsOf({ ...filter, startDate: "2026-01-01" }));
      }
    }),
    { numRuns: 60 },
  );
  expect(db().allRaw("SELECT * FROM appointment_tally WHERE appointments < 0")).toEqual([]);
});
