/** What unpaid bookings can keep shut, and whom they never stop. */
import fc from "fast-check";
import { afterEach, describe, expect, it } from "vitest";
import { bookSession } from "#app/booking/book-session.server.ts";
import { DEFAULT_TIMES } from "#app/catalogue.ts";
import { addressKey } from "#app/core/client-address.ts";
import { addDays, instantOf, MINUTE } from "#app/model/dates.ts";
import type { Outcome } from "#app/model/outcome.ts";
import { createOrder } from "#app/payments/create-order.server.ts";
import { type BookingBody, bookingBody, ROHAN } from "#tests/support/bookings.ts";
import { makeDeps, type TestDeps } from "#tests/support/deps.ts";

const TODAY = "2027-03-01";

/** The captain's times from `from` days ahead on: 42 of them lie in the next seven days. */
const timesFrom = (from: number, days: number) =>
  Array.from({ length: days }, (_, day) => addDays(TODAY, from + day)).flatMap((date) =>
    DEFAULT_TIMES.map((timeSlot) => ({ date, timeSlot })),
  );
const WEEK = timesFrom(0, 7);
const LATER = timesFrom(8, 82);

let test: TestDeps;
afterEach(() => test.close());

/** On a morning in India before the first time of the day. */
async function begin(env: Record<string, string> = {}): Promise<void> {
  test = await makeDeps({ BUSINESS_EMAIL: "owner@captains.example", ...env });
  test.deps.db.driver.pragma("synchronous = OFF");
  test.clock.now = instantOf(TODAY, "06:00");
  test.deps.provider = {
    createOrder: async ({ receipt }: { receipt: string }) => ({ orderId: `order_${receipt}` }),
  } as unknown as TestDeps["deps"]["provider"];
}

function book(address: string, changes: Partial<BookingBody>, ownToken: string | null = null) {
  const { packagePrice: _, ...input } = bookingBody(changes);
  return bookSession(test.deps, { ...input, package: 30 } as Parameters<typeof bookSession>[1], {
    clientAddress: addressKey(address),
    ownToken,
  });
}

function resultOf<T>(outcome: Outcome<T>): T {
  if (!outcome.ok) throw new Error(outcome.code);
  return outcome.value;
}

const codeOf = (outcome: Outcome<unknown>) => (outcome.ok ? "ok" : outcome.code);

/** Minutes to start paying, and in all. */
function minutesOf(outcome: ReturnType<typeof book>) {
  const { payBefore, holdUntil } = resultOf(outcome).appointment.window!;
  return [payBefore, holdUntil].map((at) => (at - test.clock.now) / MINUTE);
}

/** What an attack holds at this moment. */
const held = () =>
  test.deps.db.firstRaw<{ n: number }>(
    "SELECT count(*) AS n FROM session_time WHERE held_until > ?",
    [test.clock.now],
  )!.n;

const alerts = () =>
  test.deps.db.allRaw<{ recipient: string }>(
    "SELECT recipient FROM message WHERE kind = 'admin_alert'",
  );

/** Each address takes as many of the times as it is given. */
function attack(
  addresses: readonly string[],
  times: typeof WEEK,
  changes: Partial<BookingBody> = {},
): number {
  const before = held();
  for (const address of addresses) {
    let refused = 0;
    for (const time of times) {
      const code = codeOf(book(address, { ...changes, ...time }));
      if (code === "rate_limited") refused += 1;
      if (refused > 3) break;
    }
  }
  return held() - before;
}

const numbers = (n: number) => Array.from({ length: n }, (_, i) => i + 1);
/** Addresses of one customer's /48, of one provider's many, and of IPv4. */
const OF_ONE_48 = numbers(41).map((i) => `2001:db8:7:${i.toString(16)}::1`);
const OF_MANY_48S = numbers(41).map((i) => `2001:db8:${i.toString(16)}::1`);
const IPV4 = numbers(41).map((i) => `198.51.100.${i}`);

/** Pays it as the provider's answer would leave it. */
function markPaid(id: string): void {
  const { db } = test.deps;
  db.runRaw("UPDATE appointment SET status = 'confirmed', client_address = NULL WHERE id = ?", [
    id,
  ]);
  db.runRaw("UPDATE session_time SET held_until = NULL WHERE appointment_id = ?", [id]);
}

describe("holds by network", () => {
  it("of all addresses of one /48 are 24, of one /64 20", async () => {
    await begin();
    expect(attack(OF_ONE_48.slice(0, 1), LATER)).toBe(20);
    expect(attack(OF_ONE_48, LATER)).toBe(4);
  });

  it("follow HOLDS_PER_ADDRESS, a fifth more for the /48", async () => {
    await begin({ HOLDS_PER_ADDRESS: "10" });
    expect(attack(IPV4.slice(0, 1), LATER)).toBe(10);
    expect(attack(OF_ONE_48, LATER)).toBe(12);
  });
});

describe("under pressure", () => {
  /** Two networks hold 15 of 42 times. */
  const causePressure = () => {
    expect(attack(IPV4.slice(0, 1), WEEK.slice(0, 8))).toBe(8);
    expect(attack(OF_MANY_48S.slice(0, 1), WEEK.slice(8, 15))).toBe(7);
  };
  const late = { date: addDays(TODAY, 30), timeSlot: "10:00" };

  it("a new hold has 5 minutes to start paying and 20 in all, instead of 15 and 30, until it ends by itself", async () => {
    await begin();
    expect(attack(IPV4.slice(0, 1), WEEK.slice(0, 8))).toBe(8);
    expect(attack(OF_MANY_48S.slice(0, 1), WEEK.slice(8, 14))).toBe(6);
    expect(minutesOf(book("203.0.113.9", WEEK[14]!))).toEqual([15, 30]);
    expect(alerts()).toEqual([]);
    expect(minutesOf(book("203.0.113.9", WEEK[15]!))).toEqual([5, 20]);
    expect(minutesOf(book("203.0.113.9", late))).toEqual([5, 20]);
    // The other captain's calendar is not concerned.
    expect(minutesOf(book("203.0.113.9", { ...late, counselor: ROHAN }))).toEqual([15, 30]);
    attack(IPV4.slice(2), WEEK);
    expect(alerts()).toEqual([{ recipient: "owner@captains.example" }]);
    test.clock.now += 30 * MINUTE;
    expect(minutesOf(book("203.0.113.9", WEEK[20]!))).toEqual([15, 30]);
  });

  it("a network may hold six times, including those it held before", async () => {
    await begin();
    causePressure();
    expect(codeOf(book(IPV4[0]!, late))).toBe("rate_limited");
    expect(attack(IPV4.slice(1, 2), LATER)).toBe(6);
    expect(attack(OF_ONE_48, LATER)).toBe(6);
  });

  it("who has paid before is not limited, whether known by e-mail or browser", async () => {
    await begin();
    const booked = book("203.0.113.9", { ...late, email: "Priya@visitors.example" });
    markPaid(resultOf(booked).appointment.id);
    causePressure();
    const [one, two, three] = LATER.slice(60);
    expect(minutesOf(book("203.0.113.9", { ...one, email: "priya@VISITORS.example" }))).toEqual([
      15, 30,
    ]);
    expect(minutesOf(book("203.0.113.9", two!, resultOf(booked).token))).toEqual([15, 30]);
    expect(minutesOf(book("203.0.113.9", three!))).toEqual([5, 20]);
    // An unpaid booking in the cookie proves nothing.
    const { token } = resultOf(book("203.0.113.8", LATER[70]!));
    expect(minutesOf(book("203.0.113.8", LATER[71]!, token))).toEqual([5, 20]);
  });

  it("nothing changes for a service that lifts its limits", async () => {
    await begin({ RATE_LIMIT: "off" });
    expect(attack(IPV4.slice(0, 1), WEEK.slice(0, 20))).toBe(20);
    expect(attack(OF_MANY_48S.slice(0, 1), WEEK.slice(20, 41))).toBe(21);
    expect(minutesOf(book(IPV4[0]!, { ...WEEK[41]!, email: "a@b.example" }))).toEqual([15, 30]);
    expect(alerts()).toEqual([]);
  });
});

describe("an attack on one captain's next week", () => {
  /** The most that a first network holds alone, and each later one under pressure. */
  const MOST_ALONE = 24;
  const MOST_EACH = 6;

  it("in whatever order and however long never holds more than its networks may", async () => {
    const step = fc.record({
      network: fc.nat(2),
      subnet: fc.nat(2),
      time: fc.nat(WEEK.length - 1),
      minutes: fc.oneof(
        { weight: 60, arbitrary: fc.constant(0) },
        { weight: 1, arbitrary: fc.constantFrom(1, 6, 21) },
      ),
      renews: fc.boolean(),
    });
    const attacks = fc.array(step, { minLength: 250, maxLength: 300 });
    await fc.assert(
      fc.asyncProperty(attacks, async (steps) => {
        await begin();
        const made: string[] = [];
        for (const { network, subnet, time, minutes, renews } of steps) {
          test.clock.now += minutes * MINUTE;
          const booked = book(`2001:db8:${network}:${subnet}::1`, WEEK[time]!);
          if (booked.ok) made.push(booked.value.appointment.id);
          else if (renews && made.length > 0)
            await createOrder(test.deps, made[time % made.length]!);
          expect(held()).toBeLessThanOrEqual(MOST_ALONE + 2 * MOST_EACH);
        }
        const free = WEEK.filter((one, i) => codeOf(book(`203.0.113.${i}`, one)) === "ok");
        expect(free.length).toBeGreaterThan(0);
        test.close();
      }),
      { numRuns: 5, endOnFailure: true },
    );
    await begin();
  });
});
