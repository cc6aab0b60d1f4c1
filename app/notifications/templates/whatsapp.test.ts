import { describe, expect, it } from "vitest";
import { isTemplateName, templateFaults, WHATSAPP_KINDS, whatsAppTemplate } from "./whatsapp.ts";

describe("what Meta refuses", () => {
  it.each([
    ["{{1}}, your session is confirmed for today.", "It begins with a place."],
    ["Your session is confirmed, dear {{1}}.", "It ends with a place."],
    [
      "Hello {{1}} {{2}}, your session is confirmed for today.",
      "No word stands between places 1 and 2.",
    ],
    [
      "Your session is on {{1}}. {{2}} Your booking page has the rest.",
      "No word stands between places 1 and 2.",
    ],
    [
      "Hello {{1}}, your session is on {{3}} as you wished.",
      "Its places are not numbered in order.",
    ],
    ["Hello {{1}}, on {{2}} at {{3}} then.", "3 places want at least 7 words; it has 4."],
    [
      "Hello {name}, your session is confirmed.",
      "A place is not written as {{1}}, {{2}} and so on.",
    ],
    [`Hello {{1}}, ${"so ".repeat(340)}`, "It is longer than 1024 characters."],
  ])("%s", (body, fault) => {
    expect(templateFaults(body)).toEqual([fault]);
  });

  it("is said of every fault at once", () => {
    expect(templateFaults("{{1}} {{2}}")).toHaveLength(4);
  });

  it("is a name of other letters", () => {
    const names = ["captains_booking_confirmed", "Booking", "book-ing", ""];
    expect(names.filter(isTemplateName)).toEqual(["captains_booking_confirmed"]);
  });
});

it("what an hour makes untrue is not delivered days later", () => {
  const kept = WHATSAPP_KINDS.map((kind) => [kind, whatsAppTemplate(kind).validity] as const);
  const short = kept.filter(([, validity]) => validity !== "30 days");
  expect(Object.fromEntries(short)).toEqual({
    payment_link: "12 hours",
    reminder_24h: "12 hours",
    reminder_1h: "1 hour",
  });
});

it.each(WHATSAPP_KINDS)("Meta would take %s", (kind) => {
  const { body, examples } = whatsAppTemplate(kind);
  expect(templateFaults(body)).toEqual([]);
  expect(isTemplateName(kind)).toBe(true);
  expect(examples).toHaveLength(new Set(body.match(/\{\{\d+\}\}/g)).size);
  expect(new Set(examples).size).toBe(examples.length);
});
