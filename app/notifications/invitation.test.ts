import { expect, it } from "vitest";
import { parseEnv } from "#app/core/env.server.ts";
import { SAMPLE_NOW, sampleAppointment, windowUntil } from "#tests/support/sample-messages.ts";
import { bookingCalendarFile, captainEvent, invitationFile } from "./invitation.server.ts";
import { joinSentence } from "./templates/pass.ts";

const { env } = parseEnv({ PUBLIC_URL: "https://book.captains.example" });

const pending = {
  status: "pending_payment",
  paymentId: null,
  window: windowUntil(SAMPLE_NOW + 3_600_000),
} as const;

it.each([
  ["a paid", {}, joinSentence(sampleAppointment())],
  ["an unpaid", pending, "Shown once you have paid"],
])("the calendar entry of %s session says how to join, or what is missing", (_, changes, says) => {
  const appointment = sampleAppointment(changes);
  const file = bookingCalendarFile(env, appointment, SAMPLE_NOW).replaceAll("\r\n ", "");
  const description = /^DESCRIPTION:(.*)$/m.exec(file)?.[1]?.replaceAll("\\,", ",");
  const url = `https://book.captains.example/booking/${appointment.id}`;
  expect(description?.trim()).toBe(`${says}\\n${url}`);
});

const attendee = { name: "Priya", email: "priya@visitors.example" };
const fieldsOf = (file: string) => {
  const names = ["UID", "SEQUENCE", "DTSTART", "DTEND", "LOCATION", "STATUS"];
  const lines = file.replaceAll("\r\n ", "").split("\r\n");
  return lines.filter((line) => names.includes(line.split(":")[0] ?? ""));
};

it.each([
  ["a paid", {}, "REQUEST", "CONFIRMED"],
  ["a moved", { status: "rescheduled", calendarSequence: 1 }, "REQUEST", "CONFIRMED"],
  ["a cancelled", { status: "cancelled", calendarSequence: 2 }, "CANCEL", "CANCELLED"],
] as const)("the file of %s session agrees with the mailed one", (_, changes, method, status) => {
  const appointment = sampleAppointment(changes);
  const invite = { method, attendee, now: SAMPLE_NOW, audience: "customer" } as const;
  const mailed = invitationFile(env, appointment, invite);
  const file = bookingCalendarFile(env, appointment, SAMPLE_NOW);
  expect(mailed).toContain(`METHOD:${method}`);
  expect(file).toContain("METHOD:PUBLISH");
  expect(fieldsOf(file)).toEqual(fieldsOf(mailed));
  expect(fieldsOf(file)).toHaveLength(6);
  expect(fieldsOf(file)).toContain(`STATUS:${status}`);
  expect(file.includes("BEGIN:VALARM")).toBe(status !== "CANCELLED");
});

it.each(["customer", "counselor"] as const)(
  "a cancelled entry of the %s keeps its place, says so in its title and takes no time",
  (audience) => {
    const fileOf = (status: "confirmed" | "cancelled") =>
      invitationFile(env, sampleAppointment({ status }), {
        ...{ method: status === "cancelled" ? "CANCEL" : "REQUEST", attendee, audience },
        now: SAMPLE_NOW,
      }).replaceAll("\r\n ", "");
    const lineOf = (file: string, name: string) =>
      new RegExp(`^${name}:(.*)$`, "m").exec(file)?.[1];
    const [before, after] = [fileOf("confirmed"), fileOf("cancelled")];
    expect(lineOf(after, "LOCATION")).toBe(lineOf(before, "LOCATION"));
    expect(lineOf(after, "SUMMARY")).toBe(`Cancelled: ${lineOf(before, "SUMMARY")}`);
    expect([lineOf(before, "TRANSP"), lineOf(after, "TRANSP")]).toEqual(["OPAQUE", "TRANSPARENT"]);
    expect(lineOf(after, "DESCRIPTION")).toMatch(/^This session will not take place\./);
  },
);

it("a cancelled entry of a session that was never paid has no meeting link", () => {
  const appointment = sampleAppointment({ status: "cancelled", paymentId: null });
  expect(bookingCalendarFile(env, appointment, SAMPLE_NOW)).not.toContain("meet.example");
});

it("the file of an unpaid session says that it may not take place", () => {
  const file = bookingCalendarFile(env, sampleAppointment(pending), SAMPLE_NOW);
  expect(fieldsOf(file)).toContain("STATUS:TENTATIVE");
});

it.each([
  ["Glasses?", "Question: Glasses?"],
  ["", null],
])("the captain's entry has the customer's question %j", (notes, question) => {
  const appointment = sampleAppointment();
  const booked = { ...appointment, contact: { ...appointment.contact, notes } };
  const invite = { method: "REQUEST", attendee, audience: "counselor", now: SAMPLE_NOW } as const;
  const file = invitationFile(env, booked, invite).replaceAll("\r\n ", "");
  const lines = /^DESCRIPTION:(.*)$/m.exec(file)?.[1]?.trim().split("\\n") ?? [];
  expect(lines.slice(1)).toEqual(question === null ? [] : [question]);
});

it.each([
  ["asha", "Session with Erased customer", "https://meet.example/captain-asha"],
  ["rohan", "Session with Erased customer", "You call Erased customer"],
])("the entry of %s's past session with an erased customer says so", (captain, title, place) => {
  const contact = { name: "", email: "", phone: "", notes: null };
  const { summary, location } = captainEvent(
    env,
    sampleAppointment({ counselorKey: captain, contact }),
    SAMPLE_NOW,
  );
  expect([summary, location]).toEqual([title, place]);
});
