import fc from "fast-check";
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import type { Appointment, Contact } from "#app/model/appointment.ts";
import type { MessageEvent } from "#app/model/message-events.ts";
import { STATE_RANK } from "#app/model/messages.ts";
import { queueMessages } from "#app/notifications/queue.server.ts";
import { inTransaction } from "#db/connection.server.ts";
import { readQueues } from "#db/queries/health.server.ts";
import { insertOptOut } from "#db/queries/message-leases.server.ts";
import { deleteMessagesTo, listMessages } from "#db/queries/messages.server.ts";
import { eraseTraces } from "#db/queries/retention.server.ts";
import { SAMPLE_CONTACT } from "#tests/support/sample-messages.ts";
import { makeWorld, type World } from "./setup.ts";

let world: World;

beforeAll(async () => {
  world = await makeWorld();
});
afterAll(() => world.close());
beforeEach(() => {
  for (const table of ["message", "opt_out", "appointment"]) {
    world.deps.db.runRaw(`DELETE FROM ${table}`);
  }
});

function queue(...events: MessageEvent[]): void {
  const { db, env } = world.deps;
  inTransaction(db, (tx) => {
    for (const event of events) queueMessages(tx, env, Date.now(), event);
  });
}

const summary = () =>
  world.messages().map(({ kind, channel, recipient }) => `${kind} ${channel} ${recipient}`);

describe("queueMessages", () => {
  it("makes one message a cause, whatever is repeated in whatever order", () => {
    const a = world.addAppointment();
    const moved = { ...a, calendarSequence: 1 };
    const money = { paymentId: "pay_1", amountPaise: 117_900, refundId: "r2" };
    const refund = {
      ...{ refundId: "r1", generation: 1, paymentId: "pay_1", amountPaise: 20_000 },
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

  it("rolls back with its cause", () => {
    const appointment = world.addAppointment();
    const { db, env } = world.deps;
    expect(() =>
      inTransaction(db, (tx) => {
        queueMessages(tx, env, Date.now(), { type: "confirmed", appointment });
        throw new Error("the cause failed");
      }),
    ).toThrow("the cause failed");
    expect(world.messages()).toEqual([]);
  });

  it("uses WhatsApp only where it may", () => {
    const stopped = world.addAppointment({
      contact: { ...SAMPLE_CONTACT, phone: "+919876500001" },
    });
    insertOptOut(world.deps.db, "+919876500001", 1);
    const typed = world.addAppointment({ contact: { ...SAMPLE_CONTACT, phone: "98765 00002" } });
    queue({ type: "confirmed", appointment: stopped }, { type: "confirmed", appointment: typed });
    const unconfigured = { ...world.deps.env, whatsapp: null };
    const third = world.addAppointment();
    queueMessages(world.deps.db, unconfigured, 1, { type: "confirmed", appointment: third });
    const phones = world.messages().filter(({ channel }) => channel === "whatsapp");
    expect(
      phones.map(({ recipient, state, last_error }) => [recipient, state, last_error]),
    ).toEqual([
      ["+919876500001", "held_back", "Held back: the customer wants no WhatsApp messages."],
    ]);
  });

  it("never writes to the provider's void address", () => {
    const appointment = world.addAppointment({
      contact: { ...SAMPLE_CONTACT, email: "void@razorpay.com" },
    });
    queue({ type: "reminder", appointment, hours: 1 });
    expect(summary()).toEqual([
      "counselor_reminder email asha@captains.example",
      "reminder_1h whatsapp +919876512345",
    ]);
  });

  it("tells the captain nothing of a booking never paid", () => {
    const appointment = world.addAppointment({ status: "cancelled" });
    const event = { type: "cancelled", appointment, refundId: null, by: "customer" } as const;
    queue({ ...event, wasPaid: false });
    const pending = world.addAppointment({ status: "pending_payment", paymentId: null });
    const previous = { date: "2026-11-19", timeSlot: "09:00" };
    queue({
      type: "rescheduled",
      appointment: pending,
      previous,
      by: "admin",
    });
    const kinds = world.messages().map(({ kind }) => kind);
    expect(new Set(kinds)).toEqual(new Set(["booking_cancelled", "booking_rescheduled"]));
  });

  it("tells the captain what changed of what they see, and no address", () => {
    const appointment = world.addAppointment();
    const kinds = (changed: readonly (keyof Contact)[], more: Partial<Appointment> = {}) => {
      world.deps.db.runRaw("DELETE FROM message");
      const corrected = { ...appointment, ...more };
      queue({ type: "contact_corrected", appointment: corrected, changed });
      return world.messages().map(({ kind, channel }) => `${kind} ${channel}`);
    };
    const again = "booking_confirmed email";
    const captain = "counselor_corrected email";
    expect(kinds(["phone"])).toEqual([again, "booking_confirmed whatsapp", captain]);
    expect(kinds(["name"])).toEqual([again, captain]);
    expect(kinds(["email"])).toEqual([again]);
    expect(kinds(["notes"])).toEqual([captain]);
    expect(kinds(["phone"], { startsAt: Date.now() - 1 })).not.toContain(captain);
    expect(kinds(["phone"], { status: "pending_payment", paymentId: null })).toEqual([]);
  });

  it("leaves no trace of a deleted appointment", () => {
    const { db } = world.deps;
    const a = world.addAppointment();
    queue(
      { type: "confirmed", appointment: a },
      {
        type: "booking_links",
        requestId: "r",
        email: "Priya@visitors.example",
        appointmentIds: [a.id],
      },
    );
    expect(listMessages(db, a.id)).toHaveLength(3);
    expect(readQueues(db).queues[0]).toMatchObject({ queue: "outbox", length: 4 });
    expect(readQueues(db).waiting[0]).toEqual({ kind: "message", count: 0 });
    deleteMessagesTo(db, a.contact.email, Date.now(), "of no booking");
    eraseTraces(db, a.id);
    expect(world.messages()).toEqual([]);
    expect(readQueues(db).queues[0]).toEqual({ queue: "outbox", length: 0, oldest: null });
    expect(readQueues(db).waiting[0]).toEqual({ kind: "message", count: 0 });
  });
});

describe("the rank of a state", () => {
  it("rises with delivery", () => {
    const order = ["queued", "failed", "sent", "delivered", "read"] as const;
    const ranks = order.map((state) => STATE_RANK[state]);
    expect(ranks).toEqual([...ranks].sort());
    expect(new Set(ranks).size).toBe(order.length);
  });
});
