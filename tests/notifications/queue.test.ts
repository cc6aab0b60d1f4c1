/** Messages become rows: one for each cause, with it or not at all, and the owner's alerts an hour apart. */
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { HOUR } from "#app/model/dates.ts";
import type { MessageEvent } from "#app/model/message-events.ts";
import { OWNER_ALERTS } from "#app/model/messages.ts";
import { alertOwner, queueMessages } from "#app/notifications/queue.server.ts";
import { inTransaction } from "#db/connection.server.ts";
import { sharedWorld } from "./setup.ts";

const world = sharedWorld("message", "opt_out", "appointment");

function queue(...events: MessageEvent[]): void {
  const { db, env } = world.deps;
  inTransaction(db, (tx) => {
    for (const event of events) queueMessages(tx, env, Date.now(), event);
  });
}

const summary = () =>
  world.messages().map(({ kind, channel, recipient }) => `${kind} ${channel} ${recipient}`);

describe("queueMessages", () => {
  it("makes one message for each cause, whatever is repeated in whatever order", () => {
    const a = world.addAppointment();
    const moved = { ...a, calendarSequence: 1 };
    const money = { paymentId: "pay_1", amountPaise: 117_900, refundId: "r2" };
    const refund = {
      refundId: "r1",
      generation: 1,
      paymentId: "pay_1",
      amountPaise: 20_000,
      way: "dashboard" as const,
      credited: true,
    };
    const events: MessageEvent[] = [
      { type: "confirmed", appointment: a },
      {
        type: "rescheduled",
        appointment: moved,
        previous: { date: a.date, timeSlot: a.timeSlot },
        by: "customer",
      },
      { type: "cancelled", appointment: a, wasPaid: true, refundId: "refund1", by: "admin" },
      { type: "late_payment", appointment: a, ...money, reason: "time_gone" },
      { type: "payment_returned", appointment: a, ...money, reason: "wrong_amount" },
      { type: "unpaid", appointment: a },
      { type: "contact_corrected", appointment: { ...a, version: 9 }, changed: ["name", "phone"] },
      { type: "refund_accepted", appointment: a, ...refund, again: false },
      { type: "refund_accepted", appointment: a, ...refund, again: true },
      { type: "reminder", appointment: a, hours: 24 },
      { type: "reminder", appointment: a, hours: 1 },
      { type: "unmatched_payment", ...money },
      { type: "backup_failed", at: 1_000, error: "disk" },
    ];
    queue(...events);
    const expected = summary().sort();
    expect(expected).toHaveLength(3 + 3 + 3 + 3 + 3 + 1 + 3 + 3 + 2 + 3 + 3 + 1 + 1);
    fc.assert(
      fc.property(fc.array(fc.constantFrom(...events), { maxLength: 40 }), (repeats) => {
        world.deps.db.runRaw("DELETE FROM message");
        queue(...repeats, ...events, ...repeats);
        expect(summary().sort()).toEqual(expected);
      }),
      { numRuns: 30 },
    );
  });

  it("sends the captain no correction of a session that has begun", () => {
    const appointment = { ...world.addAppointment(), startsAt: Date.now() - 1 };
    queue({ type: "contact_corrected", appointment, changed: ["name"] });
    expect(world.messages().map(({ kind }) => kind)).toEqual(["booking_confirmed"]);
  });
});

const START = 1_800_000_000_000;

const alertAt = (now: number, alert = OWNER_ALERTS[0] as (typeof OWNER_ALERTS)[number]) =>
  alertOwner(world.deps.db, world.deps.env, now, alert);

describe("the owner's alerts", () => {
  it("keep the hour across its edge, and are due again at its end", () => {
    const beforeTheEdge = Math.ceil(START / HOUR) * HOUR - 1;
    expect(alertAt(beforeTheEdge)).toBe(true);
    expect(alertAt(beforeTheEdge + 2)).toBe(false);
    expect(alertAt(beforeTheEdge + HOUR - 1)).toBe(false);
    expect(alertAt(beforeTheEdge + HOUR)).toBe(true);
  });

  it("do not silence each other", () => {
    expect(OWNER_ALERTS.map((alert) => alertAt(START, alert))).toEqual(
      OWNER_ALERTS.map(() => true),
    );
  });

  it("roll back with their cause, and are then due again", () => {
    expect(() =>
      inTransaction(world.deps.db, () => {
        alertAt(START);
        throw new Error("the cause failed");
      }),
    ).toThrow("the cause failed");
    expect(alertAt(START + 1)).toBe(true);
  });
});
