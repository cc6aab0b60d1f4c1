import fc from "fast-check";
import { afterEach, describe, expect, it, vi } from "vitest";
import { z } from "zod";
import { setBlocksSchema } from "#app/availability/fields.ts";
import { staffBookingFormSchema } from "#app/booking/change-fields.ts";
import { normalisePhone } from "#app/model/phone.server.ts";
import { emailSchema, nameSchema } from "#app/model/text.ts";
import { anyText } from "#tests/support/any-text.ts";
import { faultText } from "#tests/support/schema-faults.ts";
import {
  bookingFormSchema,
  bookingPageSchemaOf,
  dateSchema,
  notesSchema,
  phoneSchema,
  timeSlotSchema,
} from "./booking-fields.ts";
import {
  cancelSchema,
  editContactSchema,
  refundFormSchema,
  rescheduleSchema,
} from "./change-fields.ts";

const TOO_SHORT = "Name must be at least 2 characters";
const messageOf = (schema: z.ZodType, text: unknown) =>
  schema.safeParse(text).error?.issues[0]?.message;
const lettersOf = (text: string) => text.match(/\p{L}/gu)?.length ?? 0;

/** Zero-width and other invisible characters, some of which count as letters. */
const INVISIBLE = [
  ..."\u00ad\u034f\u061c\u115f\u1160\u17b4\u17b5\u180b\u180e\u200b\u200c\u200d",
].concat([
  ..."\u200e\u200f\u2060\u2061\u2064\u206a\u206f\u3164\ufe00\ufe0f\ufeff\uffa0\u{e0001}\u{e0100}",
]);

it("an email address has at most 254 characters", () => {
  const parts = (last: number) => [63, 63, last].map((length) => "x".repeat(length)).join(".");
  const addressOf = (last: number) => `${"x".repeat(64)}@${parts(last)}.in`;
  expect(addressOf(58)).toHaveLength(254);
  expect(messageOf(emailSchema, addressOf(58))).toBeUndefined();
  expect(messageOf(emailSchema, addressOf(59))).toBe("Email must be at most 254 characters");
});

describe("a name", () => {
  it.each([
    ...["", " ", "A", "a.", "1234", "--", "😀😀", "१२", "\u2800\u2800", "\u0301\u0301"],
    ...INVISIBLE.flatMap((one) => [one.repeat(5), `A${one.repeat(5)}`, `${one}A${one}`]),
    INVISIBLE.join(""),
  ])("of fewer than two letters is refused: %j", (name) => {
    expect(messageOf(nameSchema, name)).toBe(TOO_SHORT);
  });

  it.each([
    ["Meera Pillai", "Meera Pillai"],
    ["Jo", "Jo"],
    ["Sean O'Hara-D’Souza Jr. 3", "Sean O'Hara-D’Souza Jr. 3"],
    ["王明", "王明"],
    ["  Ana\u200b Rao\ufeff ", "Ana Rao"],
    ["\u2060 Ana \u00ad", "Ana"],
    ["Jose\u0301", "José"],
    ["मीरा पिल्लै", "मीरा पिल्लै"],
    // Joiners are kept in Indian scripts only, where they shape letters.
    ["क्\u200dष राव", "क्\u200dष राव"],
    ["ন্\u200cত রায়".normalize("NFC"), "ন্\u200cত রায়".normalize("NFC")],
    ["ശ്രീ അവന്\u200d", "ശ്രീ അവന്\u200d"],
    ["\u200dMeera\u200c \u200dRao\u200d", "Meera Rao"],
    ["An\u200d\u200da Rao", "Ana Rao"],
  ])("%j is taken as %j", (typed, taken) => {
    expect(nameSchema.parse(typed)).toBe(taken);
  });

  it("is refused with a control character or an override of direction", () => {
    for (const one of ["\u0000", "\n", "\t", "\u007f", "\u0085", "\u2028", "\u202e", "\u2066"]) {
      expect(messageOf(nameSchema, `Meera${one}Rao`)).toMatch(/control/);
    }
  });

  it("whatever is typed: what is taken shows two letters, is NFC, and is taken as it is again", () => {
    const letters = fc.constantFrom(
      ..."AzéमीराനñŁ한",
      ...INVISIBLE,
      "\u0301",
      "\u094d",
      " ",
      "-",
      "😀",
    );
    const typed = fc.oneof(
      fc.array(letters, { maxLength: 30 }).map((all) => all.join("")),
      anyText(120),
    );
    let taken = 0;
    fc.assert(
      fc.property(typed, (text) => {
        const parsed = nameSchema.safeParse(text);
        if (!parsed.success) return;
        taken += 1;
        const name = parsed.data;
        expect(name).toBe(name.normalize("NFC"));
        expect(name).toBe(name.trim());
        expect(lettersOf(name.replace(/\p{DI}/gu, ""))).toBeGreaterThanOrEqual(2);
        expect(name).not.toMatch(/\p{Cc}|\p{Cs}/u);
        expect(name.replace(/(?<=[\p{L}\p{M}])[\u200c\u200d]/gu, "")).not.toMatch(/\p{DI}/u);
        expect(name.length).toBeLessThanOrEqual(100);
        expect(nameSchema.parse(name)).toBe(name);
      }),
      { numRuns: 600 },
    );
    expect(taken).toBeGreaterThan(80);
  });

  it("is the same rule where an admin corrects it", () => {
    expect(editContactSchema.safeParse({ name: "\u3164\u3164" }).success).toBe(false);
    expect(editContactSchema.parse({ name: "Jose\u0301" }).name).toBe("José");
    expect(editContactSchema.safeParse({ phone: "9999999999" }).success).toBe(false);
  });
});

describe("a phone", () => {
  it.each([
    ["+91 98765-43210", "+91 98765-43210"],
    ["098765 43210", "098765 43210"],
    ["(0091) 98765 43210", "(0091) 98765 43210"],
    ["+91\u00a098765\u00a043210", "+91 98765 43210"],
    ["98765.43210", "98765.43210"],
    ["98765\u201143210", "98765-43210"],
    ["98765 – 43210", "98765 - 43210"],
    ["\u202a+91 98765 43210\u202c", "+91 98765 43210"],
    ["tel:+919876543210", "+919876543210"],
    ["+91/98765/43210", "+91-98765-43210"],
    ["＋91 98765 43210", "+91 98765 43210"],
    ["९८७६५ ४३२१०", "98765 43210"],
  ])("pasted as %j is taken as %j, and means one number", (pasted, taken) => {
    expect(phoneSchema.parse(pasted)).toBe(taken);
    expect(normalisePhone(taken)).toBe("+919876543210");
  });

  it("of one digit repeated is refused, however it is spaced", () => {
    for (const digit of "0123456789") {
      for (const phone of [
        digit.repeat(10),
        digit.repeat(15),
        `+${digit}(${digit.repeat(4)}) ${digit.repeat(6)}`,
      ]) {
        expect(messageOf(phoneSchema, phone), phone).toBe(
          "Phone number must not be one digit repeated",
        );
      }
    }
  });

  it("has 10 to 15 digits", () => {
    expect(messageOf(phoneSchema, "987654321")).toBe("Phone number must be at least 10 digits");
    expect(messageOf(phoneSchema, "98765-4321")).toBe("Phone number must be at least 10 digits");
    expect(messageOf(phoneSchema, "1234567890123456")).toBe(
      "Phone number must be at most 15 digits",
    );
    fc.assert(
      fc.property(fc.stringMatching(/^[+0-9 ().-]{8,32}$/), (text) => {
        const digits = text.replace(/\D/g, "");
        const right = digits.length >= 10 && digits.length <= 15 && new Set(digits).size > 1;
        expect(phoneSchema.safeParse(text).success).toBe(right && text.trim().length >= 10);
      }),
    );
  });
});

describe("a date", () => {
  it.each([
    ["", "Please select a date"],
    [" ", "Please select a date"],
    ["7", "Please select a date that exists"],
    ["2026-02-30", "Please select a date that exists"],
  ])("%j is answered with what is wrong: %s", (date, message) => {
    expect(messageOf(dateSchema, date)).toBe(message);
  });
});

describe("in a browser", () => {
  afterEach(() => {
    vi.unstubAllGlobals();
    z.config({ jitless: false });
  });

  it("checks fields without compiling code, which the page's policy forbids", async () => {
    expect(z.config().jitless).toBeFalsy();
    vi.stubGlobal("document", {});
    const loadedAnew = "#app/model/text.ts?in-a-browser";
    await import(loadedAnew);
    expect(z.config().jitless).toBe(true);
  });
});

describe("a longer text", () => {
  it.each([
    ["notes", notesSchema],
    ["a reason", setBlocksSchema.shape.reason],
  ])("%s is NFC, keeps lines and joined signs, and has no control character", (_, schema) => {
    expect(schema.parse("Cafe\u0301?\n👩‍✈️\tक्‍ष")).toBe("Café?\n👩‍✈️\tक्‍ष");
    for (const one of ["\u0000", "\u001b", "\u009f", "\u202e", "\u2066", "\ud800"]) {
      expect(schema.safeParse(`A${one}B`).success, JSON.stringify(one)).toBe(false);
    }
  });

  it("has one character for the end of a line, however it was sent, and is counted so", () => {
    expect(notesSchema.parse("One\r\ntwo\rthree\n\r\nfour\r\n")).toBe("One\ntwo\nthree\n\nfour");
    const most = `${"x".repeat(99)}\r\n`.repeat(10);
    expect(notesSchema.parse(most)).toHaveLength(999);
    expect(notesSchema.safeParse(`${most}xy`).success).toBe(false);
  });
});

/** What every booking needs. */
const REST = {
  name: "Meera Pillai",
  email: "meera@example.in",
  phone: "9845012345",
  counselor: "Capt. A",
  package: "30",
  date: "2026-12-01",
  timeSlot: "10:00",
};
const company = {
  gstin: "27AAPFU0939F1ZV",
  billingName: "Sky Lines Pvt. Ltd.",
  billingAddress: "4 Marine Drive\nMumbai 400002",
};
const abroad = { state: "96", country: "Nepal", billingAddress: "1 Ring Road" };
const b = (length: number) => "B".repeat(length);

/** Customers abroad, with the number of one. */
const ABROAD = [
  abroad,
  { ...abroad, billingName: "Yeti Air" },
  ...[" ", b(60), b(61)].map((country) => ({ ...abroad, country })),
  { state: "96" },
  { ...company, state: "96" },
  { ...company, gstin: "96AAPFU0939F1ZV" },
].map((fields) => ({ phone: "+977 980 1234567", ...fields }));

/** Whose country may not go with the state; about one beside a state in India the forms alone ask. */
const COUNTRIES = [
  ...["India", " BHARAT ", "भारत"].map((country) => ({ ...abroad, country })),
  { country: "Nepal" },
  { state: "29", country: "Nepal" },
  { state: "29", country: " India " },
  { state: "29", country: "IN" },
  { country: "भारत" },
  { ...company, country: "Nepal" },
  abroad,
];

/** Which a form takes with a state, and some of which without. */
const NUMBERS = [
  ...["+977 980 1234567", "00977 980 1234567", "+1 (415) 555-0100", "+91 98450 12345"],
  ...["0091 98450 12345", "98450 12345", "9198450 12345", "098450-12345", "+91 0 98450 12345"],
  ...["9123456789", "080 2222 3333", "1800 123 4567", "(022) 2345-6789", "+1 202 555 0143"],
  ...["+971 50 123 4567", "01123456789"],
];
/** Neither Indian nor with their country: a form asks again. */
const ODD_NUMBERS = [
  ...["98450123456", "8123456789 0", "79845012345", "(0) 98765 43210 1"],
  ...["+91 98450 1234", "+91 98450 123456", "+9198450123", "0091 98450 1234"],
  ...["14155552671", "971501234567", "011 971 50 123 4567", "123456789012345"],
];

const COMPANIES = [
  { gstin: "", billingName: " ", billingAddress: "" },
  { ...company, gstin: " 27aapfu 0939F1zv " },
  { gstin: company.gstin },
  { billingName: company.billingName },
  ...[" ", b(300), b(301)].map((billingAddress) => ({ ...company, billingAddress })),
  ...["27AAPFU0939F1ZW", b(400)].map((gstin) => ({ ...company, gstin })),
  ...[b(100), b(101), "B\nB"].map((billingName) => ({ ...company, billingName })),
  ...["", " 29 ", "99"].map((state) => ({ state })),
  ...["23:30", " "].map((timeSlot) => ({ timeSlot })),
  ...[45, 90].map((minutes) => ({ package: minutes })),
  { counselor: " " },
  { ...company, name: "", gstin: "" },
];

/** Of a whole booking with these fields: only these and the faults stand in the golden file. */
const within = (schema: z.ZodType, more = {}) =>
  z.preprocess((fields) => ({ ...REST, ...more, ...(fields as object) }), schema);

it("a booking's call and forms find these faults", async () => {
  const withState = { state: "29" };
  const page = bookingPageSchemaOf("optional");
  const numbers = [...NUMBERS, ...ODD_NUMBERS].map((phone) => ({ phone }));
  const staff = { payBy: "link", payBefore: "" };
  const text = faultText({
    "a call, abroad": [within(bookingFormSchema), ABROAD],
    "a call, company": [within(bookingFormSchema), COMPANIES],
    "a call": [within(bookingFormSchema), [...COUNTRIES, ...numbers]],
    "no body": [bookingFormSchema, [null, 7, "text", [], true]],
    "the page": [within(page), [...COUNTRIES, ...numbers]],
    "the page, with a state": [within(page, withState), numbers],
    staff: [within(staffBookingFormSchema, staff), [...COUNTRIES, ...numbers]],
    "staff, with a state": [within(staffBookingFormSchema, { ...staff, ...withState }), numbers],
  });
  await expect(text).toMatchFileSnapshot("golden-booking-faults.txt");
});

it("a company's GSTIN is taken as people copy it, and a wrong one is shown one that would be", () => {
  const read = (gstin: string | undefined) =>
    bookingFormSchema.safeParse({ ...REST, ...company, gstin });
  expect(read(" 27aapfu 0939F1zv ").data).toMatchObject(company);
  const message = read("27AAPFU0939F1ZW").error?.issues[0]?.message;
  expect(read(message?.match(/\w{15}(?=\.$)/)?.[0]).success).toBe(true);
});

it("a move asks for date and time together", () => {
  for (const sent of [{ date: "2026-12-01", newTimeSlot: "" }, { newTimeSlot: "09:00" }]) {
    expect(messageOf(rescheduleSchema, sent)).toBe("Please select both date and time slot.");
  }
});

it("a time is one of the list", () => {
  const taken = ["08:00", "10:30", "20:30", "07:30", "10:15", "21:00"].map(
    (slot) => timeSlotSchema.safeParse(slot).success,
  );
  expect(taken).toEqual([true, true, true, false, false, false]);
});

it("reads a refund's sum from what was chosen, or from the amount", () => {
  const read = (share: string | undefined, amount?: string) => {
    const typed = refundFormSchema.safeParse({ share, amount, reason: "r" });
    return typed.data?.amount ?? typed.error?.issues.map(({ path }) => path[0]);
  };
  expect(read("1179.00", "5")).toBe(117_900);
  expect(read("589.50", "")).toBe(58_950);
  expect(read("part", "5")).toBe(500);
  expect(read(undefined, "5")).toBe(500);
  expect(read("part", "")).toEqual(["amount"]);
  expect(read("all")).toEqual(["amount"]);
});

it("a reason has at most 200 characters", () => {
  const read = (length: number) => cancelSchema.safeParse({ reason: "x".repeat(length) });
  expect([200, 201].map((length) => read(length).success)).toEqual([true, false]);
});
