import fc from "fast-check";
import { afterEach, describe, expect, it, vi } from "vitest";
import { z } from "zod";
import { setBlocksSchema } from "#app/availability/fields.ts";
import { staffBookingFormSchema } from "#app/booking/change-fields.ts";
import { normalisePhone } from "#app/model/phone.server.ts";
import { nameSchema } from "#app/model/text.ts";
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
      fc.string({ unit: "binary", maxLength: 120 }),
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
  ...{ name: "Meera Pillai", email: "meera@example.in", phone: "9845012345" },
  ...{ counselor: "Capt. A", package: "30", date: "2026-12-01", timeSlot: "10:00" },
};
/** The fields with faults, once for each fault. */
const faultsOf = (fields: object, schema: z.ZodType = bookingFormSchema) =>
  schema.safeParse({ ...REST, ...fields }).error?.issues.map(({ path }) => path[0]) ?? [];

describe("a customer abroad", () => {
  const phone = "+977 980 1234567";
  const abroad = { state: "96", country: "Nepal", billingAddress: "1 Ring Road" };
  const company = { gstin: "27AAPFU0939F1ZV", billingName: "Sky" };

  it.each([
    [abroad, []],
    [{ ...abroad, billingName: "Yeti Air" }, []],
    [{ ...abroad, country: " " }, ["country"]],
    [{ ...abroad, country: "N".repeat(60) }, []],
    [{ ...abroad, country: "N".repeat(61) }, ["country"]],
    [{ state: "96" }, ["country", "billingAddress"]],
    [{ state: "96", billingAddress: "1 Road", ...company }, []],
    [{ gstin: "96AAPFU0939F1ZV", billingName: "Sky", billingAddress: "1" }, ["gstin"]],
  ])("names address and country: %j", (fields, faults) => {
    expect(faultsOf({ phone, ...fields })).toEqual(faults);
  });

  it.each([
    [{ ...abroad, country: "India" }, ["country"]],
    [{ country: "Nepal" }, ["state"]],
    [{ state: "29", country: "Nepal" }, ["state"]],
    [{ state: "29", country: " India " }, []],
    [{ state: "29", country: "IN" }, []],
    [{ country: "भारत" }, []],
    [{ country: "Nepal", billingAddress: "1 Road", ...company }, []],
    [abroad, []],
  ])(
    "whose country does not go with the state is asked by the forms alone: %j",
    (fields, faults) => {
      expect(faultsOf(fields, bookingPageSchemaOf("optional"))).toEqual(faults);
      expect(faultsOf({ ...fields, payBy: "link" }, staffBookingFormSchema)).toEqual(faults);
      expect(faultsOf(fields)).toEqual([]);
    },
  );

  it.each([
    ["+977 980 1234567", ["state"]],
    ["00977 980 1234567", ["state"]],
    ["+1 (415) 555-0100", ["state"]],
    ["+91 98450 12345", []],
    ["0091 98450 12345", []],
    ["98450 12345", []],
    ["9198450 12345", []],
  ])("with the number %s is asked by the form alone", (phone, faults) => {
    expect(faultsOf({ phone, state: "" }, bookingPageSchemaOf("optional"))).toEqual(faults);
    expect(faultsOf({ phone, state: "29" }, bookingPageSchemaOf("optional"))).toEqual([]);
    expect(faultsOf({ phone })).toEqual([]);
    const staff = { phone, payBy: "link", payBefore: "" };
    expect(faultsOf(staff, staffBookingFormSchema)).toEqual(faults);
  });
});

describe("a phone number in a form", () => {
  const asked = (phone: string) => [
    faultsOf({ phone, state: "29" }, bookingPageSchemaOf("optional")),
    faultsOf({ phone, state: "29", payBy: "link" }, staffBookingFormSchema),
  ];

  it.each([
    ...["98450123456", "8123456789 0", "79845012345", "(0) 98765 43210 1"],
    ...["+91 98450 1234", "+91 98450 123456", "+9198450123", "0091 98450 1234"],
    ...["14155552671", "971501234567", "011 971 50 123 4567", "123456789012345"],
  ])("%s, which is neither Indian nor says its country, is asked again", (phone) => {
    expect(asked(phone)).toEqual([["phone"], ["phone"]]);
    expect(faultsOf({ phone })).toEqual([]);
  });

  it.each([
    ...["98450 12345", "098450-12345", "+91 98450 12345", "0091 98450 12345", "9198450 12345"],
    ...["+91 0 98450 12345", "9123456789", "080 2222 3333", "1800 123 4567", "(022) 2345-6789"],
    ...["+1 202 555 0143", "+971 50 123 4567", "00977 980 1234567", "01123456789"],
  ])("%s is taken", (phone) => expect(asked(phone)).toEqual([[], []]));
});

describe("a company", () => {
  const company = {
    gstin: "27AAPFU0939F1ZV",
    billingName: "Sky Lines Pvt. Ltd.",
    billingAddress: "4 Marine Drive\nMumbai 400002",
  };

  it("is taken with its GSTIN as people copy it", () => {
    const copied = { ...REST, ...company, gstin: " 27aapfu 0939F1zv " };
    expect(bookingFormSchema.parse(copied)).toMatchObject(company);
  });

  it.each([null, 7, "text", [], true])("is asked of no body that has no fields: %j", (body) => {
    expect(bookingFormSchema.safeParse(body).success).toBe(false);
  });

  it("with a wrong GSTIN is shown one that would be taken", () => {
    const typed = { ...REST, ...company, gstin: "27AAPFU0939F1ZW" };
    const wrong = bookingFormSchema.safeParse(typed);
    const [issue] = wrong.error?.issues ?? [];
    expect(issue?.message).toMatch(/^This GSTIN has a wrong check digit\. .* like \w{15}\.$/);
    const [example] = issue?.message.match(/\w{15}(?=\.$)/) ?? [];
    expect(faultsOf({ ...company, gstin: example })).toEqual([]);
  });

  it.each([
    [{ gstin: company.gstin }, ["billingName", "billingAddress"]],
    [{ billingName: company.billingName }, ["gstin", "billingAddress"]],
    [{ ...company, billingAddress: " " }, ["billingAddress"]],
    [{ ...company, gstin: "27AAPFU0939F1ZW" }, ["gstin"]],
    [{ ...company, gstin: "X".repeat(400) }, ["gstin"]],
    [{ ...company, billingName: "B".repeat(100) }, []],
    [{ ...company, billingName: "B".repeat(101) }, ["billingName"]],
    [{ ...company, billingName: "B\nB" }, ["billingName"]],
    [{ ...company, billingAddress: "B".repeat(300) }, []],
    [{ ...company, billingAddress: "B".repeat(301) }, ["billingAddress"]],
    [{ state: "" }, []],
    [{ state: " 29 " }, []],
    [{ state: "99" }, ["state"]],
    [{ timeSlot: "23:30" }, ["timeSlot"]],
    [{ timeSlot: " " }, ["timeSlot"]],
    [{ package: 45 }, []],
    [{ package: 90 }, ["package"]],
    [{ counselor: " " }, ["counselor"]],
    [{ ...company, name: "", gstin: "" }, ["name", "gstin"]],
  ])("is whole and right, or its fields say what is missing: %#", (fields, faults) => {
    expect([...new Set(faultsOf(fields))]).toEqual(faults);
  });
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
