/** Asks each write of the table again and again, all varied that may vary: what it adds to the file. */
import { randomBytes } from "node:crypto";
import type { TestApp } from "#tests/helpers/app.ts";
import { ASHA, dayAhead, PRICES } from "#tests/support/bookings.ts";

const TIMES = 200;

/** As much as a field takes, and never the same. */
const random = (length: number) => randomBytes(length).toString("base64url").slice(0, length);
const SLOTS = ["09:00", "10:00", "11:00", "14:00", "15:00", "16:00"];
const slot = (i: number) => SLOTS[i % SLOTS.length]!;

export interface Write {
  name: string;
  /** Bytes that all requests together may add. */
  bound: number;
  method?: string;
  path: (i: number, world: World) => string;
  /** JSON for calls, fields of a form for pages. */
  body: (i: number, world: World) => Record<string, unknown>;
  /** Whose: a stranger's who keeps no cookie, a browser's that does, or a captain's. */
  by?: "stranger" | "browser" | "captain";
  /** So many wait side by side, where each answer is late on purpose. */
  atOnce?: number;
}

export interface World {
  /** An unpaid booking with its e-mail address, and a paid one. */
  unpaid: { id: string; email: string };
  paid: { id: string; email: string };
}

const person = (i: number) => ({
  name: random(80),
  email: `${random(40)}${i}@example.in`,
  phone: `98450${10_000 + i}`,
  notes: random(1000),
});
const OWN = { ...person(0), email: "same@example.in" };
const session = (i: number) => ({
  ...{ counselor: ASHA, package: 30, packagePrice: PRICES[30] },
  ...{ date: dayAhead(20 + (i % 7)), timeSlot: slot(i) },
});
const KB = 1_000;
/** What a stranger's or a captain's day may add, if a year is to stay under 300 MB. */
const DAY = (300_000 * KB) / 365;
const LITTLE = 4 * KB;

export const WRITES: readonly Write[] = [
  {
    name: "a browser changes its mind",
    ...{ by: "browser", path: () => "/api/appointments", bound: 24 * KB },
    body: (i) => ({ ...OWN, notes: OWN.notes, ...session(i) }),
  },
  {
    name: "a browser books for others",
    ...{ by: "browser", path: () => "/api/appointments", bound: DAY / 2 + 60 * KB },
    body: (i) => ({ ...person(i), ...session(i) }),
  },
  {
    name: "strangers book",
    ...{ path: () => "/api/appointments", bound: DAY },
    body: (i) => ({ ...person(i), ...session(i) }),
  },
  {
    name: "the page's form books",
    ...{ path: () => "/?index", bound: DAY },
    body: (i) => {
      const { packagePrice: _, ...wanted } = session(i);
      return { ...person(i), ...wanted, intent: "book" };
    },
  },
  ...(["unpaid", "paid"] as const).map(
    (which): Write => ({
      name: `a customer moves what is ${which}`,
      path: (_, world) => `/booking/${world[which].id}/reschedule`,
      body: (i, world) => ({
        ...{ email: world[which].email, date: dayAhead(30 + (i % 7)), newTimeSlot: slot(i) },
      }),
      bound: which === "paid" ? 160 * KB : 24 * KB,
    }),
  ),
  {
    name: "an order is asked for",
    ...{ path: () => "/api/payments/create-order", bound: LITTLE },
    body: (_, { unpaid }) => ({ appointmentId: unpaid.id }),
  },
  {
    name: "a payment is claimed",
    ...{ path: () => "/api/payments/verify", bound: LITTLE },
    body: (_, { unpaid }) => ({
      ...{ appointmentId: unpaid.id, razorpay_order_id: `order_${random(14)}` },
      ...{ razorpay_payment_id: `pay_${random(14)}`, razorpay_signature: random(64) },
    }),
  },
  {
    name: "links are asked for",
    ...{ path: () => "/find-booking", bound: 24 * KB, atOnce: 20 },
    body: (i, { unpaid }) => ({ email: i % 2 ? unpaid.email : `${random(30)}@example.in` }),
  },
  {
    name: "a password is guessed",
    ...{ path: () => "/api/admin/login", bound: DAY / 2 },
    body: (i) => ({ username: i % 2 ? "admin" : random(60), password: random(60) }),
  },
  {
    name: "codes are asked for",
    ...{ path: () => "/api/admin/forgot-password", bound: 120 * KB },
    body: (i) => ({ email: i % 2 ? "admin@example.in" : `${random(60)}@example.in` }),
  },
  {
    name: "webhooks are forged",
    ...{ path: () => "/webhooks/razorpay", bound: LITTLE },
    body: () => ({ event: "payment.captured", payload: { id: random(200) } }),
  },
  {
    name: "a captain sets times",
    ...{ by: "captain", path: () => "/api/admin/slots", bound: DAY },
    body: (i) => ({
      ...{ counselor: ASHA, date: dayAhead(40 + i), timeSlots: SLOTS.slice(i % 3) },
    }),
  },
  {
    name: "a captain blocks times",
    ...{ by: "captain", path: () => "/api/admin/blocks", bound: DAY },
    body: (i) => ({
      ...{ counselor: ASHA, date: dayAhead(300 + i), timeSlotsToBlock: SLOTS },
      ...{ action: i % 2 ? "block" : "unblock", reason: random(200) },
    }),
  },
  {
    name: "a captain asks for what is not theirs",
    ...{ by: "captain", method: "DELETE", bound: 60 * KB },
    path: (_, { paid }) => `/api/admin/appointments/${paid.id}`,
    body: () => ({ version: 1 }),
  },
];

/** Bytes that rows and indexes hold, whatever room their pages leave. */
function heldBytes({ db }: Pick<TestApp, "db">): number {
  return db.firstRaw<{ bytes: number }>("SELECT sum(payload) AS bytes FROM dbstat")!.bytes;
}

interface Asker {
  app: TestApp;
  world: World;
  captain: string;
  /** Called before each request. */
  pass: () => void;
}

/** Asks for one write so many times; answers what it added, and how each was answered. */
export async function grow({ app, world, captain, pass }: Asker, write: Write) {
  const before = heldBytes(app);
  const answers: Record<number, number> = {};
  let cookie = "";
  const ask = async (i: number) => {
    pass();
    const path = write.path(i, world);
    const fields = write.body(i, world);
    const isForm = !/^\/(api|webhooks)\//.test(path);
    const form = Object.entries(fields).map(([name, value]) => [name, String(value)]);
    const answer = await app.api(path, {
      method: write.method ?? "POST",
      ...(isForm ? { form } : { json: fields }),
      ...(write.by === "captain" && { token: captain }),
      headers: { Origin: app.origin, "Idempotency-Key": random(200), Cookie: cookie },
    });
    answers[answer.httpStatus] = (answers[answer.httpStatus] ?? 0) + 1;
    if (write.by === "browser" && answer.cookie) cookie = answer.cookie;
  };
  const atOnce = write.atOnce ?? 1;
  for (let i = 0; i < TIMES; i += atOnce) {
    await Promise.all(Array.from({ length: atOnce }, (_, n) => ask(i + n)));
  }
  return { bytes: heldBytes(app) - before, answers };
}
