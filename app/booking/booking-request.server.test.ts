import { expect, it } from "vitest";
import type { Appointment } from "#app/model/appointment.ts";
import { sampleAppointment } from "#tests/support/sample-messages.ts";
import {
  companyOf,
  isRepeat,
  isSamePerson,
  refuseOwnGstin,
  requestOf,
} from "./booking-request.server.ts";

const NOW = 1_000;
const company = { gstin: "29ABCDE1234F1ZW", name: "Sample Ltd", address: "Bengaluru" };
const held = (changes: Partial<Appointment> = {}) =>
  sampleAppointment({
    status: "pending_payment",
    window: { payBefore: NOW, holdUntil: NOW + 1 },
    ...changes,
  });
const { contact, counselor, date, timeSlot, stateCode } = held();
const request = {
  name: contact.name,
  email: contact.email,
  phone: contact.phone,
  counselor,
  date,
  timeSlot,
  package: 30,
  notes: contact.notes ?? "",
  state: stateCode ?? "",
};
const ofCompany = {
  gstin: company.gstin,
  billingName: company.name,
  billingAddress: company.address,
};

it.each<[string, Partial<Appointment>, object, boolean]>([
  ["the same", {}, {}, true],
  ["the address in capitals", {}, { email: contact.email.toUpperCase() }, true],
  ["another name", {}, { name: "Other" }, false],
  ["another address", {}, { email: "other@visitors.example" }, false],
  ["another phone", {}, { phone: "+919876512346" }, false],
  ["another date", {}, { date: "2026-11-22" }, false],
  ["another time", {}, { timeSlot: "15:00" }, false],
  ["another length", {}, { package: 45 }, false],
  ["another question", {}, { notes: "Other" }, false],
  ["no question as before", { contact: { ...contact, notes: null } }, { notes: undefined }, true],
  ["another state", {}, { state: "27" }, false],
  ["no state as before", { stateCode: null }, { state: undefined }, true],
  ["a company now", {}, ofCompany, false],
  [
    "the same company, wherever the form's state is",
    { company },
    { ...ofCompany, state: "27" },
    true,
  ],
  ["another company", { company: { ...company, name: "Other Ltd" } }, ofCompany, false],
  ["a hold that has ended", { window: { payBefore: NOW, holdUntil: NOW } }, {}, false],
  ["one that is paid", { status: "confirmed" }, {}, false],
])("a request for %s", (_, booked, asked, repeats) => {
  expect(isRepeat(held(booked), { ...request, ...asked }, NOW)).toBe(repeats);
});

it("a company is one with all three", () => {
  expect(companyOf({ ...request, ...ofCompany })).toEqual(company);
  for (const field of Object.keys(ofCompany)) {
    expect(companyOf({ ...request, ...ofCompany, [field]: undefined })).toBeNull();
  }
});

it("a person is one phone and one address", () => {
  const typed = requestOf({ ...request, phone: "98765 12345", name: "P. Raghunathan" });
  expect(typed.phone).toBe(contact.phone);
  expect(isSamePerson(held(), typed)).toBe(true);
});

it("refuses our own GSTIN, and takes another or none", () => {
  const ours = { business: { gstin: company.gstin } } as Parameters<typeof refuseOwnGstin>[1];
  expect(refuseOwnGstin({ gstin: company.gstin }, ours)).toMatchObject({
    code: "validation_failed",
    errors: { gstin: [expect.stringContaining("our own GSTIN")] },
  });
  expect(refuseOwnGstin({ gstin: "27AAPFU0939F1ZV" }, ours)).toBeNull();
  expect(refuseOwnGstin({ gstin: "" }, ours)).toBeNull();
});
