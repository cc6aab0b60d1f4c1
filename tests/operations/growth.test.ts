/** What a stranger, a customer and a captain can add to the file: filled here, each to its bound. */
import { randomBytes } from "node:crypto";
import { expect, it } from "vitest";
import { admit } from "#app/auth/require-admin.server.ts";
import { createSession } from "#app/auth/session.server.ts";
import { signIn } from "#app/auth/sign-in.server.ts";
import { expandDates } from "#app/availability/fields.ts";
import { setAvailability, setBlocks } from "#app/availability/set-availability.server.ts";
import { bookSession } from "#app/booking/book-session.server.ts";
import type { BookingOrigin } from "#app/booking/booking-request.server.ts";
import { mailBookingLinks } from "#app/booking/find-booking.server.ts";
import { cancelOwnBooking, moveOwnBooking } from "#app/booking/self-service.server.ts";
import { DEFAULT_TIMES } from "#app/catalogue.ts";
import { sweep } from "#app/jobs/retention.server.ts";
import type { Role } from "#app/model/actor.ts";
import { addDays, DAY, dateInIndia, MINUTE } from "#app/model/dates.ts";
import { MASTER_TIMES } from "#app/model/day-plan.ts";
import { addAccount, PASSWORD } from "#tests/support/admin.ts";
import { type BookingBody, bookingInput } from "#tests/support/bookings.ts";
import { freshDeps } from "#tests/support/hooks.ts";
import { ADMIN_ACTOR, bookByStaff } from "#tests/support/till.ts";

const MB = 1_000_000;
const ADDRESS = "192.0.2.1";
const CAPTAIN = { kind: "admin", username: "asha", role: "captain" } as const;

const test = freshDeps({ RATE_LIMIT: "on", BOOKING_WINDOW_DAYS: "400" });

const random = (length: number) => randomBytes(length).toString("base64url").slice(0, length);
const rows = (sql: string) => test.deps.db.allRaw<Record<string, unknown>>(sql);
const count = (table: string) => Number(rows(`SELECT count(*) AS n FROM ${table}`)[0]!.n);
const ahead = (days: number) => addDays(dateInIndia(test.clock.now), days);
/** Bytes of pages that hold something, with what stands in the log. */
const used = () => {
  const pragma = (name: string) => Number(test.deps.db.driver.pragma(name, { simple: true }));
  return (pragma("page_count") - pragma("freelist_count")) * pragma("page_size");
};
/** One who writes as much as fits, and never the same. */
const talker = () => ({
  name: random(80),
  email: `${random(60)}@${random(30)}.in`,
  notes: random(1000),
});
function book(changes: Partial<BookingBody>, origin: Partial<BookingOrigin> = {}) {
  return bookSession(test.deps, bookingInput(changes), { clientAddress: ADDRESS, ...origin });
}
function booked(...asked: Parameters<typeof book>) {
  const made = book(...asked);
  if (!made.ok) throw new Error(made.message);
  return made.value;
}
/** A time of its own for each. */
const at = (n: number) => ({
  date: ahead(3 + (n % 2)),
  timeSlot: DEFAULT_TIMES[n % DEFAULT_TIMES.length]!,
});
const codes = (outcomes: { ok: boolean; code?: string }[]) => {
  const byCode: Record<string, number> = {};
  for (const { code = "ok" } of outcomes) byCode[code] = (byCode[code] ?? 0) + 1;
  return byCode;
};

it("moves of an unpaid booking end after twenty, as one line of the log and without their answers", () => {
  const person = { ...talker(), phone: "9845012345" };
  const { token: ownToken, appointment } = booked(
    { ...person, ...at(0) },
    { idempotencyKey: random(200) },
  );
  const moveTo = (i: number, idempotencyKey = random(200)) =>
    book({ ...person, ...at(i) }, { ownToken, idempotencyKey });
  const moved = Array.from({ length: 200 }, (_, i) => moveTo(i + 1));
  // What comes round to the time that is held is a repeat, and no move.
  const repeats = moved.filter((one) => one.ok && one.value.repeated);
  expect(codes(moved.filter((one) => !repeats.includes(one)))).toEqual({
    ok: 20,
    rate_limited: 150,
  });
  expect(moved.find(({ ok }) => !ok)).toMatchObject({
    message: expect.stringMatching(/moved 20 times\. Please pay for it as it is, or book anew/),
    // Seconds until the hold has ended.
    retryAfter: 1_800,
  });
  expect(rows("SELECT action, json_extract(after, '$.moves') AS moves FROM activity")).toEqual([
    { action: "reschedule", moves: 20 },
  ]);
  expect(rows("SELECT appointment_id AS id FROM idempotency GROUP BY 1")).toEqual([
    { id: appointment.id },
  ]);
  expect(JSON.stringify(rows("SELECT * FROM idempotency"))).not.toContain(person.notes);
  expect([count("idempotency"), count("own_booking")]).toEqual([21, 1]);
  // They are as many as one likes where the limits are off.
  test.deps.env = { ...test.deps.env, rateLimit: false };
  expect(moveTo(moved.length + 1)).toMatchObject({ value: { repeated: false } });
});

it("moves on the booking's own page end too, unpaid and paid, and staff's never", async () => {
  for (const [n, payment] of [{ by: "link" }, { by: "offline", method: "cash" }].entries()) {
    const email = `p${n}@example.in`;
    const { id } = bookByStaff(test.deps, { date: ahead(10 + n), email, payment });
    const claim = { email, clientAddress: ADDRESS };
    const to = (i: number) => ({ date: ahead(20 + n), timeSlot: DEFAULT_TIMES[i % 2]! });
    const moves = [];
    for (let i = 0; i < 60; i++) moves.push(await moveOwnBooking(test.deps, id, to(i), claim));
    expect(codes(moves)).toMatchObject({ ok: n === 0 ? 20 : 40, rate_limited: n === 0 ? 20 : 10 });
    const lines = rows(`SELECT 1 FROM activity WHERE action = 'reschedule' AND target = '${id}'`);
    expect(lines).toHaveLength(n === 0 ? 1 : 40);
  }
});

it("holds that are refused are possible again once the earliest of them has ended", () => {
  test.deps.env = { ...test.deps.env, holdsPerAddress: 4 };
  const hold = (n: number, email: string) =>
    book({ email, date: ahead(3 + n), timeSlot: DEFAULT_TIMES[0]! });
  const next = (n: number, email: string) => {
    test.clock.now += MINUTE;
    return hold(n, email);
  };
  const [other, one] = ["other@example.in", "one@example.in"];
  for (const [n, email] of [other, one, one, one].entries()) next(n, email);
  // Of half an hour, the contact's earliest has run for three minutes and the address's for four.
  const refused = [next(4, one), hold(4, "third@example.in")];
  expect(refused).toMatchObject([{ retryAfter: 27 * 60 }, { retryAfter: 26 * 60 }]);
  test.clock.now += 27 * MINUTE - 1;
  expect(codes([hold(4, one)])).toEqual({ rate_limited: 1 });
  test.clock.now += 1;
  expect(codes([hold(4, one)])).toEqual({ ok: 1 });
});

it("bookings that one network does not pay end after a hundred in a day, let go or cancelled", async () => {
  let ownToken: string | null = null;
  const outcomes = [];
  for (let i = 0; i < 130; i++) {
    test.clock.now += MINUTE;
    const made = book({ ...at(i), email: `s${i}@example.in` }, { ownToken });
    outcomes.push(made);
    if (!made.ok) continue;
    ownToken = made.value.token;
    const claim = { email: `s${i}@example.in`, clientAddress: ADDRESS };
    if (i % 2) await cancelOwnBooking(test.deps, made.value.appointment.id, {}, claim);
  }
  expect(codes(outcomes)).toEqual({ ok: 100, rate_limited: 30 });
  // Until the first of the hundred is a day old.
  expect(outcomes[100]).toMatchObject({ retryAfter: (DAY - 100 * MINUTE) / 1000 });
  const neighbour = book(at(1), { clientAddress: "192.0.2.2" });
  expect(codes([neighbour])).toEqual({ ok: 1 });
  test.clock.now += DAY;
  expect(codes([book(at(0))])).toEqual({ ok: 1 });
});

it("a booking is kept for five browsers, and links are asked for two hundred times a day", async () => {
  const wanted = { ...talker(), ...at(0), phone: "9845012345" };
  const again = Array.from({ length: 200 }, () => book(wanted, { idempotencyKey: "one" }));
  expect([codes(again), count("own_booking"), count("idempotency")]).toEqual([{ ok: 200 }, 5, 1]);
  const last = again.at(-1)!;
  const isKnown = last.ok && codes([book(wanted, { ownToken: last.value.token })]);
  expect(isKnown).toEqual({ ok: 1 });
  const asked = Array.from({ length: 220 }, () =>
    mailBookingLinks(test.deps, { email: wanted.email }, ADDRESS),
  );
  const refused = (await Promise.all(asked)).filter((refusal) => refusal !== null);
  expect([refused.length, refused[0]?.code]).toEqual([20, "rate_limited"]);
});

it("lines of wrong sign-ins end after a hundred of an address in a day, sessions after two hundred", async () => {
  const client = { address: ADDRESS, device: null, userAgent: "x" };
  for (let i = 0; i < 130; i++) {
    test.clock.now += 3 * MINUTE;
    const account = { id: `n${i}`, username: `n${i}`, email: `n${i}@captains.example` };
    await addAccount(test.deps.db, account);
    await signIn(test.deps, { username: account.username, password: "wrong" }, client);
  }
  expect(count("activity WHERE action = 'login_failed'")).toBe(100);
  let token: string[] = [];
  await addAccount(test.deps.db);
  const entered = [];
  for (let i = 0; i < 210; i++) {
    const from = { ...client, address: "192.0.2.7", heldTokens: token };
    const done = await signIn(test.deps, { username: "asha", password: PASSWORD }, from);
    entered.push(done);
    token = done.ok ? [done.value.token] : token;
  }
  expect(codes(entered)).toEqual({ ok: 200, rate_limited: 10 });
  expect(count("admin_session")).toBe(1);
}, 120_000);

it("a captain makes two hundred changes a day, an owner any number, and both read on", async () => {
  const changesOf = async (id: string, role: Role) => {
    const account = { id, username: id, email: `${id}@captains.example`, role };
    await addAccount(test.deps.db, { ...account, counselorKey: role === "captain" ? id : null });
    const { token } = createSession(test.deps, id, { userAgent: null });
    const headers = { Authorization: `Bearer ${token}` };
    const ask = (method: string) =>
      admit(test.deps, new Request("http://a.example", { method, headers }), "api/admin/slots");
    const asked = [];
    for (let i = 0; i < 201; i++) asked.push(await ask("POST"));
    return [codes(asked), (await ask("GET")).ok];
  };
  expect(await changesOf("asha", "captain")).toEqual([{ ok: 200, rate_limited: 1 }, true]);
  expect(await changesOf("boss", "owner")).toEqual([{ ok: 201 }, true]);
});

it("a captain changes two thousand dates a day, no further than ten years, and long lines are thinned", async () => {
  const dates = expandDates({ from: ahead(1), to: ahead(400) });
  const set = (
    timeSlots: readonly string[],
    actor = CAPTAIN as typeof CAPTAIN | typeof ADMIN_ACTOR,
  ) => setAvailability(test.deps, actor, { counselorKey: "asha", dates, timeSlots });
  const lists = [MASTER_TIMES, MASTER_TIMES.slice(1)];
  expect(codes(Array.from({ length: 9 }, (_, i) => set(lists[i % 2]!)))).toEqual({
    ok: 5,
    rate_limited: 4,
  });
  // The owner may.
  const byOwner = Array.from({ length: 7 }, (_, i) => set(lists[i % 2]!, ADMIN_ACTOR));
  expect(codes(byOwner)).toEqual({ ok: 7 });
  const far = { counselorKey: "asha", dates: [ahead(3_661)], timeSlots: ["10:00"] };
  expect(setAvailability(test.deps, ADMIN_ACTOR, far)).toMatchObject({ code: "validation_failed" });
  expect(setBlocks(test.deps, ADMIN_ACTOR, { ...far, action: "block" })).toMatchObject({
    ok: false,
  });
  expect(count("availability")).toBe(400);
  const words = rows("SELECT words, target FROM activity");
  const before = Number(rows("SELECT sum(length(before)) AS n FROM activity")[0]!.n);
  test.clock.now += 31 * DAY;
  await sweep(test.deps);
  expect(before).toBeGreaterThan(400_000);
  expect(rows("SELECT sum(length(before)) AS n FROM activity")).toEqual([{ n: null }]);
  expect(rows("SELECT words, target FROM activity")).toHaveLength(words.length);
  const last = { ...far, dates: [ahead(3_660)] };
  expect(setAvailability(test.deps, ADMIN_ACTOR, last).ok).toBe(true);
}, 120_000);

it("what one address can add in a year stays under 300 MB", async () => {
  await addAccount(test.deps.db);
  const start = used();
  let ownToken: string | null = null;
  // Of a hundred that are allowed in a day, as large as they may be.
  const PEOPLE = 12;
  for (let i = 0; i < PEOPLE; i++) {
    test.clock.now += 14 * MINUTE;
    const company = { billingName: random(100), billingAddress: random(200) };
    const phone = `98450${10_000 + i}`;
    const person = { ...talker(), ...company, gstin: "27AAPFU0939F1ZV", phone };
    for (let n = 0; n <= 20; n++) {
      const origin: Partial<BookingOrigin> = { ownToken, idempotencyKey: random(200) };
      ownToken = booked({ ...person, ...at(n) }, origin).token;
    }
    const { email } = person;
    // It queues before it waits for the moment of its answer.
    for (const _ of [0, 1]) void mailBookingLinks(test.deps, { email }, ADDRESS);
    const client = { address: ADDRESS, device: null, userAgent: "x" };
    await signIn(test.deps, { username: "asha", password: "wrong" }, client);
  }
  const day = used() - start;
  test.clock.now += 3 * DAY;
  await sweep(test.deps);
  const kept = used() - start;
  test.clock.now += 90 * DAY;
  await sweep(test.deps);
  const later = used() - start;
  const year = (100 / PEOPLE) * (3 * day + 90 * kept + 272 * later);
  expect(year).toBeLessThan(300 * MB);
}, 300_000);
