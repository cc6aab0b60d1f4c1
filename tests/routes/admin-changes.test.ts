/** Moves, cancellations and days as the rules have them, over a file and without a server. */
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { expandDates, MOST_DATES } from "#app/availability/fields.ts";
import { readAdminDay } from "#app/availability/read-slots.server.ts";
import { setAvailability, setBlocks } from "#app/availability/set-availability.server.ts";
import { bookSession } from "#app/booking/book-session.server.ts";
import { cancelAppointment } from "#app/booking/cancel-appointment.server.ts";
import { rescheduleAppointment } from "#app/booking/reschedule-appointment.server.ts";
import type { Appointment } from "#app/model/appointment.ts";
import { addDays, dateInIndia, instantOf } from "#app/model/dates.ts";
import { MASTER_TIMES } from "#app/model/day-plan.ts";
import { applyPayment } from "#app/payments/apply-payment.server.ts";
import { applyReport } from "#app/payments/payment-report.server.ts";
import { inTransaction } from "#db/connection.server.ts";
import { findAppointment } from "#db/queries/appointments.server.ts";
import { ASHA } from "#tests/support/bookings.ts";
import { makeDeps, type TestDeps } from "#tests/support/deps.ts";

const ADMIN = { kind: "admin", username: "admin", role: "owner" } as const;
const CUSTOMER = { kind: "customer" } as const;
/** Monday morning in India. */
const NOW = instantOf("2026-11-23", "08:30");
const TODAY = dateInIndia(NOW);

let test: TestDeps;
beforeEach(async () => {
  test = await makeDeps();
  test.clock.now = NOW;
});
afterEach(() => test.close());

function book(date: string, timeSlot = "10:00", minutes = 30): Appointment {
  const booked = bookSession(
    test.deps,
    {
      name: "Meera Pillai",
      email: `meera.${date}.${timeSlot}@example.in`.replace(":", ""),
      phone: `98450 ${date.slice(8)}${timeSlot.replace(":", "")}`,
      counselor: ASHA,
      package: minutes,
      date,
      timeSlot,
    },
    { clientAddress: timeSlot },
  );
  if (!booked.ok) throw new Error(booked.message);
  return booked.value.appointment;
}

let payments = 0;
function pay(appointment: Appointment, refundedPaise = 0): Appointment {
  payments += 1;
  const serial = String(payments).padStart(14, "0");
  const { db } = test.deps;
  db.runRaw(
    `INSERT INTO payment_order (receipt, appointment_id, order_id, amount_paise, currency, state, created_at)
     VALUES (?, ?, ?, ?, 'INR', 'open', 0)`,
    [`r${serial}`, appointment.id, `order_${serial}`, appointment.price.totalPaise],
  );
  const payment = {
    paymentId: `pay_${serial}`,
    orderId: `order_${serial}`,
    amountPaise: appointment.price.totalPaise,
    currency: "INR",
    status: "captured",
    refundedPaise: 0,
    method: "upi",
    fee: null,
    createdAt: NOW,
  };
  inTransaction(db, (tx) => applyPayment(tx, test.deps, payment, test.clock.now));
  if (refundedPaise > 0) {
    const report = { payment: { ...payment, refundedPaise }, refunds: [], disputes: [] };
    inTransaction(db, (tx) => applyReport(tx, test.deps, report, test.clock.now));
  }
  return findAppointment(db, appointment.id)!;
}

describe("a customer", () => {
  it("moves only to what a visitor could book, until a day before", () => {
    const { id } = pay(book(addDays(TODAY, 3)));
    const move = (date: string, timeSlot: string) =>
      rescheduleAppointment(test.deps, CUSTOMER, id, { date, timeSlot });
    expect(move(addDays(TODAY, 4), "08:00")).toMatchObject({ code: "slot_taken" });
    expect(move(addDays(TODAY, 91), "10:00")).toMatchObject({ code: "slot_taken" });
    expect(move(addDays(TODAY, 4), "16:00")).toMatchObject({
      ok: true,
      value: { status: "rescheduled", timeSlot: "16:00" },
    });
    test.clock.now = instantOf(addDays(TODAY, 3), "16:00");
    expect(move(addDays(TODAY, 5), "10:00")).toMatchObject({
      code: "validation_failed",
      message: expect.stringContaining("24 hours"),
    });
    expect(cancelAppointment(test.deps, CUSTOMER, id)).toMatchObject({ code: "validation_failed" });
    expect(cancelAppointment(test.deps, ADMIN, id)).toMatchObject({ ok: true });
  });
});

describe("days", () => {
  const counselorKey = "asha";

  it("are changed all at once, or not at all", () => {
    const dates = expandDates({ from: TODAY, to: addDays(TODAY, 20) });
    const held = book(addDays(TODAY, 2), "15:00");
    const paid = pay(book(addDays(TODAY, 4), "11:00"));
    const set = setAvailability(test.deps, ADMIN, { counselorKey, dates, timeSlots: ["11:00"] });
    expect(set).toMatchObject({ ok: true, value: { affected: [{ id: held.id }] } });
    const blocked = setBlocks(test.deps, ADMIN, {
      counselorKey,
      dates,
      timeSlots: MASTER_TIMES,
      action: "block",
      reason: "Leave",
    });
    expect(blocked).toMatchObject({ value: { blockedSlots: MASTER_TIMES } });
    if (blocked.ok) expect(blocked.value.affected.map(({ id }) => id)).toEqual([held.id, paid.id]);
    expect(readAdminDay(test.deps, counselorKey, addDays(TODAY, 4))).toMatchObject({
      timeSlots: ["11:00"],
      isDefault: false,
      booked: [{ appointmentId: paid.id, status: "confirmed", minutes: 30 }],
    });
    expect(test.deps.db.allRaw("SELECT 1 FROM activity")).toHaveLength(2);
    // A hold that has ended is no session any more.
    test.clock.now += 31 * 60_000;
    const reset = setAvailability(test.deps, ADMIN, { counselorKey, dates, timeSlots: null });
    expect(reset).toMatchObject({ value: { affected: [] } });

    for (const wrong of [
      [],
      [addDays(TODAY, 1), addDays(TODAY, -1)],
      Array.from({ length: MOST_DATES + 1 }, (_, i) => addDays(TODAY, i)),
    ]) {
      const input = { counselorKey, dates: wrong, timeSlots: ["09:00"] };
      expect(setAvailability(test.deps, ADMIN, input)).toMatchObject({ code: "validation_failed" });
    }
    expect(test.deps.db.allRaw("SELECT 1 FROM availability")).toEqual([]);
    const most = expandDates({ from: TODAY, to: "2999-01-01" }).slice(1);
    const input = { counselorKey, dates: most, timeSlots: ["09:00"] };
    expect(setAvailability(test.deps, ADMIN, input)).toMatchObject({ ok: true });
  });
});
