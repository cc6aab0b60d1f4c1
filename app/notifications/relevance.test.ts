import { describe, expect, it } from "vitest";
import { MESSAGE_KINDS, type MessageKind } from "#app/model/messages.ts";
import { sampleAppointment } from "#tests/support/sample-messages.ts";
import { type Occasion, whyHeldBack, whyNotSentAgain } from "./relevance.ts";

const KINDS = Object.keys(MESSAGE_KINDS) as MessageKind[];
const occasion = (changes: Partial<Occasion>): Occasion => ({
  kind: "booking_cancelled",
  channel: "email",
  unpaid: true,
  bySelfService: false,
  optedOut: false,
  recent: 0,
  ...changes,
});
const held = (changes: Partial<Occasion>) => whyHeldBack(occasion(changes)) !== null;

describe("whyHeldBack", () => {
  it("keeps every message from a number that asked for no more", () => {
    for (const kind of KINDS) {
      expect(held({ kind, channel: "whatsapp", unpaid: false, optedOut: true })).toBe(true);
    }
    const message = { kind: "booking_confirmed", channel: "whatsapp" } as const;
    expect(whyNotSentAgain(message, sampleAppointment(), true)).toContain("wants no WhatsApp");
  });

  it("lets no WhatsApp message about an unpaid booking go, whatever it is and whoever caused it", () => {
    for (const kind of KINDS) {
      for (const bySelfService of [true, false]) {
        // The link to pay goes by WhatsApp where staff send it.
        const isHeld = kind !== "payment_link" || bySelfService;
        expect(held({ kind, channel: "whatsapp", bySelfService })).toBe(isHeld);
        expect(held({ kind, channel: "whatsapp", bySelfService, unpaid: false })).toBe(false);
      }
    }
  });

  it.each<[MessageKind, number]>([
    ["booking_unpaid", 1],
    ["booking_links", 3],
  ])("%s: %i to an address within 24 hours", (kind, most) => {
    for (const unpaid of [true, false]) {
      expect(held({ kind, unpaid, recent: most - 1 })).toBe(false);
      expect(held({ kind, unpaid, recent: most })).toBe(true);
    }
  });
});

describe("whyNotSentAgain", () => {
  const unpaid = { status: "cancelled", paymentId: null } as const;

  it("stops only WhatsApp, and only until the booking is paid", () => {
    const message = { kind: "booking_cancelled", channel: "whatsapp" } as const;
    expect(whyNotSentAgain(message, sampleAppointment(unpaid), false)).toContain("not paid");
    expect(whyNotSentAgain(message, sampleAppointment({ status: "cancelled" }), false)).toBeNull();
    expect(whyNotSentAgain(message, sampleAppointment(), false)).toBeNull();
    for (const kind of KINDS) {
      expect(
        whyNotSentAgain({ kind, channel: "email" }, sampleAppointment(unpaid), false),
      ).toBeNull();
      expect(whyNotSentAgain({ kind, channel: "email" }, null, false)).toBeNull();
    }
  });
});
