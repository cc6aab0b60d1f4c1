/** What a stranger, a customer and a captain can add to the file: filled here, each to its bound. */
import { randomBytes } from "node:crypto";
import { afterEach, beforeEach, expect, it } from "vitest";
import { bookSession } from "#app/booking/book-session.server.ts";
import type { BookingInput } from "#app/booking/booking-fields.ts";
import { DEFAULT_TIMES } from "#app/catalogue.ts";
import { sweep } from "#app/jobs/retention.server.ts";
import { addDays, dateInIndia } from "#app/model/dates.ts";
import { DAY, HOUR } from "#app/model/duration.ts";
import { newId } from "#app/model/ids.ts";
import { moveOwnBooking } from "#app/booking/self-service.server.ts";
import { wish } from "#tests/support/bookings.ts";
import { makeDeps, type TestDeps } from "#tests/support/deps.ts";

let test: TestDeps;
beforeEach(async () => {
  test = await makeDeps({ RATE_LIMIT: "on" });
});
afterEach(() => test.close());

const bytes = () => {
  test.deps.db.driver.pragma("wal_checkpoint(TRUNCATE)");
  const p = (n: string) => test.deps.db.driver.pragma(n, { simple: true }) as number;
  return (p("page_count") - p("freelist_count")) * p("page_size");
};
const random = (n: number) => randomBytes(n).toString("base64url").slice(0, n);
const ADDRESS = "192.0.2.1";
function input(changes: object): BookingInput {
  const { packagePrice: _, ...rest } = wish(changes);
  return { ...rest, package: Number(rest.package) } as BookingInput;
}

it("measures", { timeout: 200_000 }, async () => {
  const N = 300;
  const start = bytes();
  for (let i = 0; i < N; i++) {
    test.clock.now += HOUR;
    const person = { name: random(80), email: `${random(40)}@${random(20)}.in`, phone: `98450${String(10000+i)}`, notes: random(900) };
    const at = (n: number) => ({ ...person, date: addDays(dateInIndia(test.clock.now), 3 + (n % 2)), timeSlot: DEFAULT_TIMES[n % 4]! });
    let made = bookSession(test.deps, input(at(0)), { clientAddress: ADDRESS, idempotencyKey: random(200) });
    if (!made.ok) throw new Error(made.message);
    const { token, appointment } = made.value;
    for (let m = 1; m <= 2; m++) {
      made = bookSession(test.deps, input(at(m)), { clientAddress: ADDRESS, ownToken: token, idempotencyKey: random(200) });
      if (!made.ok) console.log(m, made.message);
    }
    if (i === 0) console.log(test.deps.db.allRaw("SELECT words, after FROM activity"));
    void appointment;
  }
  const full = bytes();
  console.log("per booking", (full - start) / N);
  test.clock.now += 3 * DAY;
  console.log(await sweep(test.deps));
  console.log("after 3 days", (bytes() - start) / N);
  test.clock.now += 91 * DAY;
  console.log(await sweep(test.deps));
  console.log("after 91 days", (bytes() - start) / N);
  test.clock.now += 300 * DAY;
  console.log(await sweep(test.deps));
  console.log("after 365 days", (bytes() - start) / N);
  console.log(test.deps.db.allRaw("SELECT name, sum(pgsize)/300 AS b FROM dbstat GROUP BY name ORDER BY b DESC LIMIT 14"));
  void newId; void moveOwnBooking;
});
