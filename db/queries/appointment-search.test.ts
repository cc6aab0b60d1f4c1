/** What the search field of the admin area finds. */
import { beforeEach, expect, it } from "vitest";
import { storedRows } from "#tests/support/stored-rows.ts";
import { readAppointmentPage } from "./appointment-list.server.ts";

const PEOPLE = {
  asha: ["asha@example.in", "+919845012345"],
  swapped: ["swapped@example.in", "+911234598450"],
  tagged: ["first+tag@example.in", "+919000000001"],
  abroad: ["abroad@example.in", "+447911123456"],
  likeAbroad: ["like@example.in", "+917911123456"],
} as const;

const { db, add } = storedRows();
beforeEach(() => {
  for (const [id, [email, phone]] of Object.entries(PEOPLE)) {
    add("appointment", id, { email, phone });
  }
});

it.each<[sought: string, found: (keyof typeof PEOPLE)[]]>([
  ["+91 98450 12345", ["asha"]],
  ["98450 12345", ["asha", "swapped"]],
  ["+tag", ["tagged"]],
  ["+44 7911 123456", ["abroad"]],
  ["91984", ["asha"]],
  ["91845", []],
])("%s finds %j", (q, found) => {
  const { rows } = readAppointmentPage(db(), { q }, { page: 1, pageSize: 10 });
  expect(rows.map(({ id }) => id).sort()).toEqual(found);
});
