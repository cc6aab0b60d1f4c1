/** The values of fields: what they mean to the program, and what nobody would write into them. */
import fc from "fast-check";
import { ASHA, dayAhead, ROHAN } from "#tests/support/bookings.ts";

/** Stands in many values; raw in a page it would be markup from outside. */
export const MARKUP = `<fz"'>`;

export type KnownValues = Readonly<Record<string, readonly unknown[]>>;

/** What the fields of calls, forms and queries mean to the program, by their name. */
export function knownValues(ids: readonly string[]): KnownValues {
  const dates = [dayAhead(12), dayAhead(40), dayAhead(-3), "2026-02-30"];
  return {
    name: ["Meera Pillai", "मीरा पिल्लै", MARKUP],
    email: ["meera@example.in", `a${MARKUP}@example.in`],
    phone: ["9845012345", "+91 98450 12345", "+1 202 555 0143"],
    counselor: [ASHA, ROHAN, "asha"],
    package: ["30", 30, 45, "60"],
    packagePrice: [999, 1299, "1499"],
    date: dates,
    startDate: dates,
    endDate: dates,
    from: dates,
    to: dates,
    until: dates,
    timeSlot: ["10:00", "23:30", "10:15"],
    newTimeSlot: ["10:00", "11:30"],
    timeSlots: [["10:00", "10:30"], ["09:00"], "10:00"],
    timeSlotsToBlock: [["12:00"], "12:00"],
    action: ["block", "unblock"],
    reason: ["Leave", MARKUP],
    state: ["29", ""],
    notes: ["A question", MARKUP],
    website: ["", "x"],
    shownTotal: ["1179", MARKUP],
    pick: [`asha ${dates[0]} 10:00`, MARKUP],
    intent: ["book", "show-times", "end-sessions", "refund", "assign", "send", "verify"],
    version: ["1", 1, 99],
    appointmentId: ids,
    booking: ids,
    razorpay_order_id: ["order_00000000000001"],
    razorpay_payment_id: ["pay_00000000000001"],
    razorpay_signature: ["0".repeat(64), ""],
    paymentId: ["pay_00000000000001"],
    username: ["admin", "nobody"],
    password: ["x", "long enough to be one"],
    totp: ["000000"],
    otp: ["123456"],
    newPassword: ["abc", "quiet-runway-0918"],
    confirmPassword: ["abc"],
    currentPassword: ["abc"],
    next: ["/admin/account", "//evil.example", "https://evil.example", "/admin/\\evil.example"],
    status: ["confirmed", "cancelled"],
    q: ["meera", "%", "#abc123", `"`, "*"],
    page: ["1", "2", "999999"],
    pageSize: ["50", "1000"],
    sort: ["-date", "amount"],
    month: ["2026-11", "2026-13"],
    payment: ["failed", "__proto__"],
    tab: ["set", "block"],
    weekday: ["1", "7"],
    list: ["?page=2", `?q=${MARKUP}`],
    resend: ids,
    refund: ids,
    event: ["payment.captured", "refund.processed", "payment.dispute.created"],
    payload: [{ payment: { entity: { id: "pay_00000000000001" } } }, {}],
    "hub.mode": ["subscribe"],
    "hub.challenge": [MARKUP],
    token: ["x".repeat(43)],
  };
}

/** Names that every object has: each is "in" any look-up that is a plain object. */
export const OBJECT_NAMES = [
  "__proto__",
  "constructor",
  "toString",
  "hasOwnProperty",
  "valueOf",
  "isPrototypeOf",
  "propertyIsEnumerable",
  "toLocaleString",
  "__defineGetter__",
  "__lookupSetter__",
];

const HOSTILE = [
  "",
  " ",
  "\u0000",
  "\r\nSet-Cookie: fz=1",
  MARKUP,
  `"><script>alert(1)</script>${MARKUP}`,
  "' OR 1=1 --",
  "'; DROP TABLE appointment; --",
  "{{7*7}}<%= 7*7 %>",
  "../../../../etc/passwd",
  "%00%0d%0a",
  ...OBJECT_NAMES.slice(0, 4),
  "\u202eabc\u2066",
  "\ud800",
  "👩🏽‍✈️".repeat(40),
  "e\u0301\u0327".repeat(30),
  "-0",
  "1e309",
  "NaN",
  "9007199254740993",
  "0x10",
  "2026-02-30",
  "275760-09-14",
  "a".repeat(255),
  "ﬀ".repeat(2_000),
  "x".repeat(20_000),
];

export const hostileText = fc.oneof(
  { weight: 3, arbitrary: fc.constantFrom(...HOSTILE) },
  { weight: 1, arbitrary: fc.string({ unit: "binary", maxLength: 60 }) },
  { weight: 1, arbitrary: fc.string({ maxLength: 60 }) },
);

export const hostileJson = fc.oneof(
  { weight: 4, arbitrary: hostileText },
  { weight: 2, arbitrary: fc.jsonValue({ maxDepth: 3 }) },
  {
    weight: 1,
    arbitrary: fc.constantFrom<unknown>(null, true, -1, 0.1, 1e21, [], {}, [[]], [null]),
  },
);

export type Field = [name: string, value: unknown];

/** Some of the named fields and others besides, each as it should be or as it should not. */
export function fieldsArbitrary(
  known: KnownValues,
  names: readonly string[],
  hostile: fc.Arbitrary<unknown>,
): fc.Arbitrary<Field[]> {
  const valueFor = (name: string) =>
    fc.oneof(
      // The first is right, so that a good part of the requests gets past the checks.
      { weight: 8, arbitrary: fc.constant<unknown>(known[name]?.[0] ?? "x") },
      { weight: 3, arbitrary: fc.constantFrom<unknown>(...(known[name] ?? ["x"])) },
      { weight: 1, arbitrary: hostile },
    );
  const field = (name: string): fc.Arbitrary<Field> => valueFor(name).map((value) => [name, value]);
  const wanted = fc
    .tuple(...names.map((name) => fc.option(field(name), { freq: 12 })))
    .map((all) => all.filter((one): one is Field => one !== null));
  const strange = fc.oneof(
    fc.constantFrom(...Object.keys(known)).chain(field),
    fc.tuple(hostileText, hostile),
  ) as fc.Arbitrary<Field>;
  return fc
    .tuple(wanted, fc.array(strange, { maxLength: 3 }))
    .map(([fields, others]) => [...fields, ...others]);
}

export function textOf(value: unknown): string {
  return typeof value === "string" ? value : (JSON.stringify(value) ?? "");
}
