/** What the search field of the admin area finds. */
import { beforeEach, expect, it } from "vitest";
import { storedRows } from "#tests/support/stored-rows.ts";
import { readAppointmentPage } from "./appointment-list.server.ts";

const PEOPLE = {
  asha: ["asha@example.in", "+919845012345"],
  otherFirstDigit: ["other@example.in", "+918845012345"],
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
  ["ext 98450", []],
  ["#asha", ["asha"]],
  ["#ha", ["asha"]],
  ["#wapped", ["swapped"]],
  ["#swappe", []],
  ["#xasha", []],
])("%s finds %j", (q, found) => {
  const { rows } = readAppointmentPage(db(), { q }, { page: 1, pageSize: 10 });
  expect(rows.map(({ id }) => id).sort()).toEqual(found);
});

it.each<[sought: string, found: string[]]>([
  ["kabir", ["kabir"]],
  ["PILLAI kab", ["kabir"]],
  ["ka", ["kabir"]],
  ["ir", []],
  ["kabir nair", []],
  ["k_b", []],
  ["%%%", []],
  ["5%_", ["odd"]],
  ["élodie", ["elodie"]],
  ["ÉL", ["elodie"]],
  ["[*?^]", ["signs"]],
  ["***", []],
  ["#kabirx", []],
])("%s finds the students %j, for all and for their captain", (q, found) => {
  add("appointment", "kabir", { student_name: "Kabir Pillai" });
  add("appointment", "other", { student_name: "Anil Nair" });
  add("appointment", "odd", { student_name: "A 5%_ B" });
  add("appointment", "elodie", { student_name: "Élodie Roy" });
  add("appointment", "signs", { student_name: "A [*?^] B" });
  for (const ofPerson of [false, true]) {
    const page = { page: 1, pageSize: 10 };
    const { rows } = readAppointmentPage(db(), { q, ofPerson }, page);
    expect(rows.map(({ id }) => id)).toEqual(found);
  }
});

it("finds a name by two letters also where the first has an accent", () => {
  add("appointment", "elodie", { name: "Élodie Roy" });
  const { rows } = readAppointmentPage(db(), { q: "Él" }, { page: 1, pageSize: 10 });
  expect(rows.map(({ id }) => id)).toEqual(["elodie"]);
});

it.each(["D'Souza", "d’souza lee", "D'"])("%s finds a name with either apostrophe", (q) => {
  add("appointment", "curved", { name: "Lee D’Souza" });
  add("appointment", "straight", { name: "D'Souza Lee", student_name: "Anil Rao" });
  add("appointment", "student", { student_name: "D’Souza Lee" });
  const page = { page: 1, pageSize: 10 };
  for (const ofPerson of [false, true]) {
    const { rows } = readAppointmentPage(db(), { q, ofPerson }, page);
    const all = q.length > 2 ? ["curved", "straight", "student"] : ["straight", "student"];
    expect(rows.map(({ id }) => id).sort()).toEqual(all);
  }
});

it.each<[sought: string, all: string[], ofPerson: string[]]>([
  ["Wu Zedmore", ["wu"], ["wu"]],
  ["zedmore lI", ["li", "mail"], ["li"]],
  ["zedmore zz", [], []],
  ["zedmore 55", ["number"], ["number"]],
  ["Zedmore W.", ["wu"], ["wu"]],
  [
    "zedmore 98 45",
    ["elodie", "li", "mail", "number", "wu"],
    ["elodie", "li", "mail", "number", "wu"],
  ],
  ["Zedmore Él", ["elodie"], ["elodie"]],
])("%s finds by every word, however short", (q, all, ofPerson) => {
  const names = { wu: "wu", li: "li", number: "55", elodie: "él" };
  for (const [id, first] of Object.entries(names)) {
    add("appointment", id, { name: `${first} Zedmore`, email: `${id}@b.in` });
  }
  add("appointment", "mail", { name: "Zedmore", email: "Li@b.in" });
  const page = { page: 1, pageSize: 10 };
  const found = (filter: object) =>
    readAppointmentPage(db(), { q, ...filter }, page).rows.map(({ id }) => id);
  expect([found({}), found({ ofPerson: true })].map((ids) => ids.sort())).toEqual([all, ofPerson]);
});

it("finds a person by one word within the name, and by nothing of the e-mail address", () => {
  add("appointment", "meera", {
    name: "Meera Pillai",
    email: "kochi@example.in",
    phone: "+917700900123",
  });
  const found = (q: string) => {
    const { rows } = readAppointmentPage(db(), { q, ofPerson: true }, { page: 1, pageSize: 10 });
    return rows.map(({ id }) => id);
  };
  expect(["pillai", "pillai meera", "me", "91984", "kochi"].map(found)).toEqual([
    ["meera"],
    ["meera"],
    ["meera"],
    ["asha"],
    [],
  ]);
});
