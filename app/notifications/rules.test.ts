import { describe, expect, it } from "vitest";
import type { MessageKind } from "#app/model/messages.ts";
import type { AppointmentStatus } from "#app/model/statuses.ts";
import {
  SAMPLE_NOW,
  sampleAppointment,
  sampleInput,
  windowUntil,
} from "#tests/support/sample-messages.ts";
import { isE164, isMailAddress, parseMailbox } from "./recipients.ts";
import { whyNotSent } from "./relevance.ts";
import { actionOf, WHATSAPP_CODES } from "./whatsapp-codes.ts";

describe("whyNotSent", () => {
  const due = (kind: MessageKind, data = sampleInput(kind).data) => ({
    kind,
    data,
    notAfter: null,
    appointmentId: "a",
  });
  const reason = (kind: MessageKind, changes = {}, now = SAMPLE_NOW) =>
    whyNotSent(due(kind), sampleAppointment(changes), now);

  it.each<[MessageKind, AppointmentStatus, boolean]>([
    ["booking_confirmed", "confirmed", true],
    ["booking_confirmed", "rescheduled", true],
    ["booking_confirmed", "cancelled", false],
    ["booking_confirmed", "pending_payment", false],
    ["booking_rescheduled", "pending_payment", true],
    ["booking_rescheduled", "cancelled", false],
    ["booking_cancelled", "cancelled", true],
    ["booking_cancelled", "confirmed", false],
    ["booking_unpaid", "pending_payment", true],
    ["booking_unpaid", "confirmed", false],
    ["booking_unpaid", "cancelled", false],
    ["reminder_1h", "cancelled", false],
    ["reminder_1h", "rescheduled", true],
    ["counselor_new", "cancelled", false],
    ["counselor_reminder", "cancelled", false],
    ["late_payment_refunded", "cancelled", true],
    ["payment_refunded", "pending_payment", true],
  ])("%s with %s: %s", (kind, status, sent) => {
    const sequence = kind === "booking_rescheduled" ? { calendarSequence: 1 } : {};
    expect(reason(kind, { status, ...sequence }) === null).toBe(sent);
  });

  it("lets only the last move speak", () => {
    expect(reason("booking_rescheduled", { calendarSequence: 2 })).toContain("moved again");
    expect(reason("counselor_moved", { calendarSequence: 2 })).toContain("moved again");
  });

  it("reminds neither of another time nor after the start", () => {
    const { startsAt } = sampleAppointment();
    expect(reason("reminder_24h", { startsAt: startsAt + 1 })).toContain("moved");
    expect(reason("reminder_24h", {}, startsAt)).toContain("begun");
    const late = { ...due("reminder_24h"), notAfter: SAMPLE_NOW - 1 };
    expect(whyNotSent(late, sampleAppointment(), SAMPLE_NOW)).toContain("moment has passed");
  });

  it("waits with the unpaid notice while the time is held again", () => {
    const held = { status: "pending_payment", window: windowUntil(SAMPLE_NOW + 1) };
    expect(reason("booking_unpaid", held)).toContain("kept again");
  });

  it("tells nobody of a deleted appointment but the admin of its money", () => {
    expect(whyNotSent(due("booking_confirmed"), null, SAMPLE_NOW)).toContain("deleted");
    expect(whyNotSent(due("admin_refund_needs_person"), null, SAMPLE_NOW)).toBeNull();
  });
});

describe("recipients", () => {
  it.each([
    ["a@b.in", true],
    ["वि@उदाहरण.भारत", true],
    ["void@razorpay.com", false],
    ["VOID@razorpay.com", false],
    ["a@b.in, c@d.in", false],
    ["A <a@b.in>", false],
    ["a@b.in\r\nBcc: c@d.in", false],
    ["nobody", false],
  ])("%s: %s", (address, ok) => expect(isMailAddress(address)).toBe(ok));

  it("sends to numbers with a country code only", () => {
    expect(isE164("+919876543210")).toBe(true);
    for (const phone of ["9876543210", "+0123456789", "+91 98765 43210", "+1234567890123456"]) {
      expect(isE164(phone)).toBe(false);
    }
  });

  it("reads both forms of MAIL_FROM", () => {
    expect(parseMailbox("Captains <a@b.in>", "X")).toEqual({ name: "Captains", address: "a@b.in" });
    expect(parseMailbox('"C, D" <a@b.in>', "X")).toEqual({ name: "C, D", address: "a@b.in" });
    expect(parseMailbox("a@b.in", "X")).toEqual({ name: "X", address: "a@b.in" });
  });
});

describe("WhatsApp's codes", () => {
  it.each([
    [190, 401, "stop"],
    [200, 400, "stop"],
    [299, 400, "stop"],
    [300, 400, "park"],
    [130429, 400, "retry"],
    [131056, 400, "retry"],
    [2, 503, "retry"],
    [131026, 400, "park"],
    [132001, 404, "park"],
    [999999, 400, "park"],
    [999999, 500, "retry"],
    [null, 502, "retry"],
    [null, 200, "retry"],
    [null, 401, "stop"],
  ])("%s with status %s: %s", (code, status, action) => {
    expect(actionOf(code, status).action).toBe(action);
  });

  it("alerts whenever the account stops", () => {
    for (const { action, alert } of Object.values(WHATSAPP_CODES)) {
      if (action === "stop") expect(alert).toBe(true);
    }
  });
});
