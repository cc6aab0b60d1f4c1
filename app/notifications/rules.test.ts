import { describe, expect, it } from "vitest";
import { type Channel, MESSAGE_KINDS, type MessageKind } from "#app/model/messages.ts";
import type { AppointmentStatus } from "#app/model/statuses.ts";
import {
  SAMPLE_NOW,
  sampleAppointment,
  sampleInput,
  windowUntil,
} from "#tests/support/sample-messages.ts";
import { isE164, isMailAddress, parseMailbox, whyNotSent } from "./relevance.ts";
import { actionOf, WHATSAPP_CODES } from "./whatsapp-sender.server.ts";

describe("whyNotSent", () => {
  const due = (kind: MessageKind, data = sampleInput(kind).data) => ({
    kind,
    data,
    channel: "email" as Channel,
    notAfter: null,
    appointmentId: "a",
  });
  const reason = (kind: MessageKind, changes = {}, now = SAMPLE_NOW) =>
    whyNotSent(due(kind), sampleAppointment(changes), now);

  const fatesOf = (kind: MessageKind) => {
    const { sequence = 0 } = sampleInput(kind).data;
    const booking = { calendarSequence: sequence, window: null };
    const { startsAt } = sampleAppointment();
    const statuses = ["pending_payment", "confirmed", "rescheduled", "cancelled"] as const;
    const held = { window: windowUntil(startsAt + 1) };
    const fates = {
      ...Object.fromEntries(
        statuses.map((status) => [status, reason(kind, { ...booking, status })]),
      ),
      held: reason(kind, { ...booking, ...held, status: "pending_payment" }),
      "moved in time": reason(kind, { ...booking, startsAt: startsAt + 1 }),
      "moved in sequence": reason(kind, { ...booking, calendarSequence: sequence + 1 }),
      "before its start": reason(kind, booking, startsAt - 1),
      "unpaid before its start": reason(
        kind,
        { ...booking, status: "pending_payment" },
        startsAt - 1,
      ),
      "at its start": reason(kind, booking, startsAt),
      "unpaid at its start": reason(kind, { ...booking, status: "pending_payment" }, startsAt),
      deleted: whyNotSent(due(kind), null, SAMPLE_NOW),
    };
    const states = Map.groupBy(Object.keys(fates), (state) => fates[state as keyof typeof fates]);
    return [...states].map(([why, names]) => `  ${why ?? "goes out"}: ${names.join(", ")}`);
  };

  it("lets each kind go out, or not, as its appointment stands", async () => {
    const kinds = Object.keys(MESSAGE_KINDS) as MessageKind[];
    const lines = kinds.flatMap((kind) => [kind, ...fatesOf(kind)]);
    await expect(`${lines.join("\n")}\n`).toMatchFileSnapshot("golden-relevance.txt");
  });

  it.each(["booking_confirmed", "payment_refunded"] as const)(
    "keeps WhatsApp's fixed text of %s from going out once the session is over",
    (kind) => {
      const { endsAt } = sampleAppointment();
      const fate = (channel: Channel, now: number) =>
        whyNotSent({ ...due(kind), channel }, sampleAppointment(), now);
      expect(fate("whatsapp", endsAt)).toBe("the session is over.");
      expect([fate("whatsapp", endsAt - 1), fate("email", endsAt)]).toEqual([null, null]);
    },
  );

  it("stops a WhatsApp text about a refund once the session is cancelled; the mail still goes", () => {
    const fateOf = (channel: Channel, status: AppointmentStatus) =>
      whyNotSent(
        { ...due("payment_refunded"), channel },
        sampleAppointment({ status }),
        SAMPLE_NOW,
      );
    expect(fateOf("whatsapp", "cancelled")).toBe("the session was cancelled since.");
    expect(fateOf("whatsapp", "confirmed")).toBeNull();
    expect(fateOf("email", "cancelled")).toBeNull();
  });

  it("sends a link, and the captain a mail about a new session, until the end of the session", () => {
    const { endsAt } = sampleAppointment();
    for (const kind of ["joining_changed", "counselor_joining_changed", "counselor_new"] as const) {
      const { data } = sampleInput(kind);
      const booking = sampleAppointment({ calendarSequence: data.sequence ?? 0 });
      const fateAt = (now: number) => whyNotSent(due(kind, data), booking, now);
      expect(fateAt(endsAt - 1)).toBeNull();
      expect(fateAt(endsAt)).toBe("the session is over.");
    }
  });

  it("asks first for the kind, the moment and the code, which hold without any appointment", () => {
    const message = { ...due("reset_code"), appointmentId: null, notAfter: SAMPLE_NOW };
    expect(whyNotSent(message, null, SAMPLE_NOW)).toBeNull();
    expect(whyNotSent(message, null, SAMPLE_NOW + 1)).toBe("its moment has passed.");
    const codeless = { ...message, data: {} };
    expect(whyNotSent(codeless, null, SAMPLE_NOW)).toBe("its code is no longer kept.");
    expect(whyNotSent({ ...codeless, kind: "account_notice" }, null, SAMPLE_NOW)).toBeNull();
    for (const unknown of ["of_tomorrow", "__proto__", "constructor"]) {
      const kind = unknown as MessageKind;
      expect(whyNotSent({ ...message, kind }, null, SAMPLE_NOW)).toBe("its kind is not known.");
    }
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
    ["@b.in", false],
    ["a@", false],
    ["a@b@c.in", false],
    ["", false],
  ])("%s: %s", (address, ok) => expect(isMailAddress(address)).toBe(ok));

  it("sends to numbers with a country code only", () => {
    expect(isE164("+919876543210")).toBe(true);
    for (const phone of ["+12345678", "+123456789012345"]) expect(isE164(phone)).toBe(true);
    for (const phone of [
      "",
      "+1234567",
      "9876543210",
      "+0123456789",
      "+91 98765 43210",
      "+1234567890123456",
    ]) {
      expect(isE164(phone)).toBe(false);
    }
  });

  it("reads both forms of MAIL_FROM", () => {
    expect(parseMailbox("Captains <a@b.in>", "X")).toEqual({ name: "Captains", address: "a@b.in" });
    expect(parseMailbox('"C, D" <a@b.in>', "X")).toEqual({ name: "C, D", address: "a@b.in" });
    const quoted = parseMailbox(String.raw`"C \"D\" <E>" <a@b.in>`, "X");
    expect(quoted).toEqual({ name: 'C "D" <E>', address: "a@b.in" });
    expect(parseMailbox(" < a@b.in > ", "X")).toEqual({ name: "X", address: "a@b.in" });
    expect(parseMailbox(" a@b.in ", "X").address).toBe("a@b.in");
    expect(parseMailbox("a@b.in", "X")).toEqual({ name: "X", address: "a@b.in" });
  });
});

describe("WhatsApp's codes", () => {
  it("each ask for this", async () => {
    const lines = Object.entries(WHATSAPP_CODES).map(([code, { action, meaning, wait, alert }]) => {
      const waits = wait === undefined ? "" : `, waits ${wait} s`;
      return `${code}: ${action}${waits}${alert ? ", alert" : ""}: ${meaning}`;
    });
    await expect(`${lines.join("\n")}\n`).toMatchFileSnapshot("golden-whatsapp-codes.txt");
  });

  const LACKS = "The token lacks a permission.";
  const REFUSED = "The access token was refused.";
  const NONE = "WhatsApp gave no usable answer.";
  it.each<[number | null, number, object]>([
    [190, 500, WHATSAPP_CODES[190]!],
    [200, 500, { action: "stop", meaning: LACKS, alert: true }],
    [299, 429, { action: "stop", meaning: LACKS, alert: true }],
    [null, 401, { action: "stop", meaning: REFUSED, alert: true }],
    [null, 403, { action: "stop", meaning: REFUSED, alert: true }],
    [null, 429, { action: "retry", meaning: "Too many calls.", wait: 30 }],
    [null, 200, { action: "retry", meaning: NONE }],
    [999999, 500, { action: "retry", meaning: NONE }],
    [null, 400, { action: "retry", meaning: NONE, wait: 60 }],
    [300, 400, { action: "park", meaning: "WhatsApp refused the message.", alert: true }],
    [999999, 402, { action: "park", meaning: "WhatsApp refused the message.", alert: true }],
  ])("%s with status %s: %j", (code, status, action) => {
    expect(actionOf(code, status)).toEqual(action);
  });
});
