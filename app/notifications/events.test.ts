/**
 * What every event queues, whole, against a golden file. After a wanted change:
 * `vitest run app/notifications -u`, and read the difference.
 */
import { expect, it } from "vitest";
import type { Appointment } from "#app/model/appointment.ts";
import type { MessageEvent } from "#app/model/message-events.ts";
import { setOptOut } from "#db/queries/message-leases.server.ts";
import { WHATSAPP } from "#tests/support/money-outside.ts";
import { SAMPLE_NOW, sampleAppointment } from "#tests/support/sample-messages.ts";
import { storedRows } from "#tests/support/stored-rows.ts";
import { queueMessages } from "./queue.server.ts";

const { deps, db } = storedRows(WHATSAPP);

const unpaid = { status: "pending_payment", paymentId: null } as const;
const previous = { date: "2026-11-19", timeSlot: "09:00" };
const money = { paymentId: "pay_1", amountPaise: 117_900 };
const of = (changes: Partial<Appointment> = {}) => sampleAppointment(changes);
const contact = (changes: object) => of({ contact: { ...of().contact, ...changes } });
const moved = { type: "rescheduled", previous } as const;
const cancelled = { type: "cancelled", refundId: null } as const;
const corrected = { type: "contact_corrected", appointment: of() } as const;
const late = {
  ...({ type: "late_payment", appointment: of({ ...unpaid, paymentId: "p" }) } as const),
  ...money,
};
const returned = { type: "payment_returned", appointment: of(), ...money } as const;
const accepted = {
  type: "refund_accepted" as const,
  refundId: "newer",
  generation: 1,
  appointment: of(),
  ...money,
  credited: true,
};
const long = "e".repeat(501);
const links = { type: "booking_links", email: "Asker@b.in", appointmentIds: ["x"] } as const;

const EVENTS: Record<string, MessageEvent> = {
  "a payment": { type: "confirmed", appointment: of() },
  "of a captain who left": { type: "confirmed", appointment: of({ counselorKey: "gone" }) },
  "without any address": { type: "confirmed", appointment: contact({ email: "", phone: "" }) },
  "with an address that is none": {
    type: "confirmed",
    appointment: contact({ email: "a b@c.in" }),
  },
  "with a number without its code": { type: "confirmed", appointment: contact({ phone: "98450" }) },
  "with a number that said stop": {
    type: "confirmed",
    appointment: contact({ phone: "+919000000000" }),
  },
  "a new address": { ...corrected, changed: ["email"] },
  "a new number": { ...corrected, changed: ["phone"] },
  "new notes": { ...corrected, changed: ["notes"] },
  "a new address, unpaid": { ...corrected, appointment: of(unpaid), changed: ["email", "phone"] },
  "a move": { ...moved, appointment: of({ calendarSequence: 3 }), by: "customer" },
  "a move, unpaid, by staff": { ...moved, appointment: of(unpaid), by: "admin" },
  "a move, unpaid, by its page": { ...moved, appointment: of(unpaid), by: "customer" },
  "another way to join": { type: "joining_changed", appointment: of({ calendarSequence: 3 }) },
  "a cancellation": {
    ...cancelled,
    appointment: of(),
    wasPaid: true,
    by: "customer",
    refundId: "r",
  },
  "a cancellation, unpaid": {
    ...cancelled,
    appointment: of(unpaid),
    wasPaid: false,
    by: "customer",
  },
  "a cancellation, unpaid, by staff": {
    ...cancelled,
    appointment: of(unpaid),
    wasPaid: false,
    by: "admin",
  },
  "late money": { ...late, reason: "time_gone", refundId: "r" },
  "money for a cancelled booking": { ...late, reason: "booking_cancelled", refundId: "r" },
  "late money for a booking that was never paid": {
    ...late,
    appointment: of(unpaid),
    reason: "booking_cancelled",
    refundId: "r",
  },
  "late money of which nothing is left": { ...late, reason: "session_begun", refundId: null },
  "a second payment": { ...returned, reason: "second", refundId: "r" },
  "a wrong amount": { ...returned, reason: "wrong_amount", refundId: "r" },
  "an accepted refund": { ...accepted, way: "provider", again: false },
  "an accepted refund without a paper": {
    ...accepted,
    way: "provider",
    again: false,
    credited: false,
  },
  "a refund from the dashboard": { ...accepted, way: "dashboard", again: false },
  "a refund from the dashboard after one that failed": {
    ...accepted,
    way: "dashboard",
    again: true,
  },
  "a refund of nobody's from the dashboard": {
    ...accepted,
    appointment: null,
    way: "dashboard",
    again: false,
  },
  "a refund after trouble": { ...accepted, way: "provider", again: true, credited: false },
  "a refund paid by hand": { ...accepted, way: "by_hand", again: false },
  "a hold that ended": { type: "unpaid", appointment: of(unpaid) },
  "a day before": { type: "reminder", appointment: of(), hours: 24 },
  "an hour before": { type: "reminder", appointment: of(), hours: 1 },
  "a refund that failed": {
    type: "refund_needs_person",
    refundId: "r",
    generation: 2,
    appointmentId: "x",
    ...money,
    way: "provider",
    error: long,
  },
  "a refund to be made by hand": {
    type: "refund_needs_person",
    refundId: "r",
    generation: 1,
    appointmentId: "x",
    ...money,
    way: "by_hand",
    error: null,
  },
  "money of nobody": { type: "unmatched_payment", ...money },
  "a dispute": {
    type: "dispute",
    disputeId: "d",
    appointmentId: null,
    ...money,
    phase: "chargeback",
    status: "won",
    respondBy: null,
  },
  "an order given up": {
    type: "given_up",
    queue: "order",
    key: "bk_1",
    since: 7,
    appointmentId: "x",
    error: long,
  },
  "a code": { type: "reset_code", requestId: "q", email: "a@b.in", code: "012345", expiresAt: 9 },
  "a notice": {
    type: "account_notice",
    requestId: "q",
    email: "a@b.in",
    notice: "second_factor_on",
  },
  "an invitation": {
    type: "team_invitation",
    requestId: "q",
    email: "a@b.in",
    role: "staff",
    code: "secret",
    expiresAt: 9,
  },
  links: { ...links, requestId: "1", appointmentIds: ["x"] },
  "links again": { ...links, requestId: "2", appointmentIds: ["x"] },
  "links a third time": { ...links, requestId: "3", appointmentIds: ["x"] },
  "links a fourth time": { ...links, requestId: "4", appointmentIds: ["x"] },
  "links a fifth time": { ...links, requestId: "5", appointmentIds: ["x"] },
  "a backup that failed": { type: "backup_failed", at: SAMPLE_NOW, error: long },
  "a copy that stayed": { type: "off_site_failed", at: SAMPLE_NOW, error: long },
  "something newly wrong": {
    type: "doctor_found",
    at: SAMPLE_NOW,
    findings: [{ subject: "Disk", says: "full", mend: "Free it." }],
  },
  "a calendar not read": {
    ...({ type: "calendar_unread", counselorKey: "asha" } as const),
    counselor: "Capt. Asha Sample",
    since: SAMPLE_NOW,
    error: "e",
  },
  "trouble with WhatsApp": { type: "whatsapp_trouble", at: SAMPLE_NOW, code: 190, error: long },
  "trouble without a code": { type: "whatsapp_trouble", at: SAMPLE_NOW, code: null, error: "e" },
  "an alert": { type: "owner_alert", alert: "hold_surge", at: SAMPLE_NOW },
};

it("queues these messages for these events", async () => {
  setOptOut(db(), "+919000000000", true, 1);
  const lines = Object.entries(EVENTS).flatMap(([name, event]) => {
    const before = db()
      .allRaw<{ id: string }>("SELECT id FROM message")
      .map(({ id }) => id);
    if (!name.startsWith("links")) db().runRaw("DELETE FROM message");
    queueMessages(db(), deps().env, SAMPLE_NOW, event);
    const rows = db().allRaw<Record<string, unknown>>(
      "SELECT * FROM message ORDER BY kind, channel",
    );
    const fresh = rows.filter(({ id }) => !before.includes(String(id)));
    return [name, ...fresh.map(rowWords), ""];
  });
  await expect(lines.join("\n")).toMatchFileSnapshot("golden-events.txt");
});

function rowWords(row: Record<string, unknown>): string {
  const notAfter = row.not_after === null ? "" : `, not after ${row.not_after}`;
  const waits = row.state === "queued" ? "" : `, ${row.state}: ${row.last_error}`;
  const data = String(row.data).replace("e".repeat(500), "500 e");
  const line = `  ${row.kind} by ${row.channel} to ${row.audience} ${row.recipient} of ${row.appointment_id}, ${row.cause}${notAfter}${waits} ${data}`;
  return line.replaceAll(of().id, "BOOKING");
}

it("sends nothing by WhatsApp where it is not configured", () => {
  const env = { ...deps().env, whatsapp: null };
  queueMessages(db(), env, SAMPLE_NOW, { type: "confirmed", appointment: of() });
  const channels = db().allRaw("SELECT DISTINCT channel FROM message");
  expect(channels).toEqual([{ channel: "email" }]);
});

it.each([
  [24 * 3_600_000 - 1, "held_back"],
  [24 * 3_600_000, "queued"],
])("three mails of links count for a day: after %i milliseconds the next is %s", (ms, state) => {
  const queue = (requestId: string, now: number) =>
    queueMessages(db(), deps().env, now, { ...links, requestId, appointmentIds: ["x"] });
  for (const id of ["1", "2", "3"]) queue(id, SAMPLE_NOW);
  db().runRaw("UPDATE message SET state = 'sent', next_try_at = NULL, sent_at = created_at");
  queue("4", SAMPLE_NOW + ms);
  const rest = db().allRaw("SELECT state FROM message WHERE state <> 'sent'");
  expect(rest).toEqual([{ state }]);
});

it("takes waiting messages to a corrected contact, each channel for itself", () => {
  const event = { type: "confirmed", appointment: of() } as const;
  const waiting = () =>
    Object.fromEntries(
      db()
        .allRaw<Record<string, string>>("SELECT * FROM message WHERE kind = 'reminder_24h'")
        .map(({ channel, recipient }) => [channel, recipient]),
    );
  const failed = () =>
    db().allRaw<{ channel: string }>("SELECT channel FROM message WHERE state = 'failed'");
  const { contact: old } = of();
  const queue = (one: MessageEvent) => queueMessages(db(), deps().env, SAMPLE_NOW, one);
  const correct = (changes: object, ...changed: ("email" | "phone")[]) =>
    queue({ ...corrected, appointment: contact(changes), changed });
  queue(event);
  queue({ type: "reminder", appointment: of(), hours: 24 });
  correct({ email: "new@b.in", phone: "+919111111111" });
  expect([waiting(), failed()]).toEqual([{ email: old.email, whatsapp: old.phone }, []]);
  correct({ email: "new@b.in", phone: "+919111111111" }, "email");
  expect([waiting(), failed()]).toEqual([
    { email: "new@b.in", whatsapp: old.phone },
    [{ channel: "email" }],
  ]);
  correct({ email: "newer@b.in", phone: "98450" }, "phone");
  expect(
    failed()
      .map(({ channel }) => channel)
      .sort(),
  ).toEqual(["email", "email", "whatsapp"]);
  expect(waiting()).toEqual({ email: "new@b.in", whatsapp: old.phone });
  correct({ phone: "+919111111111" }, "phone");
  expect(waiting()).toEqual({ email: "new@b.in", whatsapp: "+919111111111" });
});
