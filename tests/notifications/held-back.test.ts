/** Whatever visitors do with bookings that nobody pays, in any order: what a mailbox gets is bounded. */
import fc from "fast-check";
import { beforeAll, expect, it } from "vitest";
import { bookSession } from "#app/booking/book-session.server.ts";
import { mailBookingLinks } from "#app/booking/find-booking.server.ts";
import { cancelOwnBooking, moveOwnBooking } from "#app/booking/self-service.server.ts";
import { DAY, MINUTE } from "#app/model/dates.ts";
import { runUnpaidNotices } from "#app/notifications/reminders.server.ts";
import { ASHA, dayAhead, ROHAN } from "#tests/support/bookings.ts";
import { sharedDeps } from "#tests/support/hooks.ts";
import { WHATSAPP } from "#tests/support/money-outside.ts";

const TIMES = ["09:00", "10:00", "11:00", "14:00", "15:00", "16:00"];
const PEOPLE = ["one@visitors.example", "two@visitors.example"] as const;

const world = sharedDeps({ ...WHATSAPP, RATE_LIMIT: "off" });
let start: number;
beforeAll(() => {
  start = world.clock.now;
});

const email = fc
  .tuple(fc.constantFrom(PEOPLE[0], ...PEOPLE), fc.boolean())
  .map(([address, loud]) => (loud ? address.toUpperCase() : address));
const which = fc.nat({ max: 20 });
const slot = { day: fc.integer({ min: 20, max: 24 }), timeSlot: fc.constantFrom(...TIMES) };
const action = fc.oneof(
  fc.record({
    do: fc.constant("book" as const),
    email,
    counselor: fc.constantFrom(ASHA, ROHAN),
    ...slot,
  }),
  fc.record({ do: fc.constant("move" as const), which, ...slot }),
  fc.record({ do: fc.constant("cancel" as const), which }),
  { weight: 3, arbitrary: fc.record({ do: fc.constant("ask" as const), email }) },
  {
    weight: 4,
    arbitrary: fc.record({
      do: fc.constant("wait" as const),
      ms: fc.constantFrom(MINUTE, MINUTE, 31 * MINUTE, 31 * MINUTE, DAY / 4, DAY - MINUTE),
    }),
  },
  // The mail server answers only now and then.
  { weight: 2, arbitrary: fc.record({ do: fc.constant("deliver" as const) }) },
);
type Action = typeof action extends fc.Arbitrary<infer A> ? A : never;

interface Booked {
  id: string;
  email: string;
}

async function act(booked: Booked[], step: Action): Promise<void> {
  const { deps, clock } = world;
  const chosen = "which" in step ? booked[step.which % Math.max(1, booked.length)] : undefined;
  const claim = { email: chosen?.email ?? "", clientAddress: "203.0.113.7" };
  switch (step.do) {
    case "book": {
      const { day, timeSlot, counselor, email } = step;
      const outcome = bookSession(
        deps,
        {
          name: "Somebody",
          phone: "9845012345",
          state: "",
          notes: "",
          email,
          counselor,
          timeSlot,
          date: dayAhead(day),
          package: 30,
        },
        { clientAddress: "203.0.113.7" },
      );
      if (outcome.ok) booked.push({ id: outcome.value.appointment.id, email });
      return;
    }
    case "move": {
      const time = { date: dayAhead(step.day), timeSlot: step.timeSlot };
      if (chosen) await moveOwnBooking(deps, chosen.id, time, claim);
      return;
    }
    case "cancel":
      if (chosen) await cancelOwnBooking(deps, chosen.id, {}, claim);
      return;
    case "ask":
      // It queues before it waits for the moment of its answer.
      void mailBookingLinks(deps, { email: step.email }, "192.0.2.1");
      return;
    case "wait":
      clock.now += step.ms;
      await runUnpaidNotices(deps);
      return;
    case "deliver":
      deps.db.runRaw(
        `UPDATE message SET state = 'sent', sent_at = ?, next_try_at = NULL
         WHERE next_try_at IS NOT NULL`,
        [clock.now],
      );
  }
}

interface Row {
  kind: string;
  channel: string;
  recipient: string;
  state: string;
  sent_at: number;
}

/** The most that lie within one span of 24 hours. */
function mostInADay(instants: readonly number[]): number {
  return Math.max(
    0,
    ...instants.map((from) => instants.filter((at) => at >= from && at < from + DAY).length),
  );
}

it("at most one reminder and three mails of links in any 24 hours, and nothing else", async () => {
  const seen = new Set<string>();
  await fc.assert(
    fc.asyncProperty(fc.array(action, { minLength: 60, maxLength: 150 }), async (steps) => {
      const { db } = world.deps;
      for (const table of ["message", "session_time", "activity", "appointment"]) {
        db.runRaw(`DELETE FROM ${table}`);
      }
      world.clock.now = start;
      const booked: Booked[] = [];
      for (const step of [...steps, { do: "deliver" } as const]) await act(booked, step);
      const rows = db.allRaw<Row>("SELECT * FROM message");
      for (const { kind, state } of rows) seen.add(`${kind} ${state}`);
      const sent = rows.filter(({ state }) => state === "sent");
      expect(sent.filter(({ channel }) => channel === "whatsapp")).toEqual([]);
      for (const person of PEOPLE) {
        const got = sent.filter(({ recipient }) => recipient.toLowerCase() === person);
        const of = (kind: string) =>
          got.filter((row) => row.kind === kind).map((row) => row.sent_at);
        expect(mostInADay(of("booking_unpaid"))).toBeLessThanOrEqual(1);
        expect(mostInADay(of("booking_links"))).toBeLessThanOrEqual(3);
        expect(of("booking_unpaid").length + of("booking_links").length).toBe(got.length);
      }
    }),
    { numRuns: 40 },
  );
  // The sequences reach each of the rule's sides.
  for (const side of [
    ...["booking_unpaid sent", "booking_links sent", "booking_unpaid held_back"],
    ...["booking_links held_back", "booking_rescheduled held_back", "booking_cancelled held_back"],
  ]) {
    expect(seen).toContain(side);
  }
});
