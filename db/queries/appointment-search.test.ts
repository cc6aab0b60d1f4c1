/** What the search field of the admin area finds. */
import { afterAll, beforeAll, expect, it } from "vitest";
import { makeDeps, type TestDeps } from "#tests/support/deps.ts";
import { readAppointmentPage } from "./appointment-list.server.ts";

const PEOPLE = {
  asha: ["asha@example.in", "+919845012345"],
  swapped: ["swapped@example.in", "+911234598450"],
  tagged: ["first+tag@example.in", "+919000000001"],
  abroad: ["abroad@example.in", "+447911123456"],
  likeAbroad: ["like@example.in", "+917911123456"],
} as const;

let test: TestDeps;
beforeAll(async () => {
  test = await makeDeps();
  for (const [id, [email, phone]] of Object.entries(PEOPLE)) {
    test.deps.db.runRaw(
      `INSERT INTO appointment (id, name, email, phone, counselor_key, counselor_name, on_date,
         time_slot, minutes, starts_at, ends_at, base_paise, gst_paise, total_paise, status,
         calendar_uid, notice_version, notice_at, created_at, updated_at)
       VALUES (?, 'A', ?, ?, 'asha', 'A captain', '2026-12-01', '09:00', 30,
         0, 1800000, 99900, 18000, 117900, 'confirmed', ?, 'x', 0, 0, 0)`,
      [id, email, phone, id],
    );
  }
});
afterAll(() => test.close());

it.each<[sought: string, found: (keyof typeof PEOPLE)[]]>([
  ["+91 98450 12345", ["asha"]],
  ["98450 12345", ["swapped", "asha"]],
  ["+tag", ["tagged"]],
  ["+44 7911 123456", ["abroad"]],
  ["91984", ["asha"]],
  ["91845", []],
])("%s finds %j", (q, found) => {
  const { rows } = readAppointmentPage(test.deps.db, { q }, { page: 1, pageSize: 10 });
  expect(rows.map(({ id }) => id)).toEqual(found);
});
