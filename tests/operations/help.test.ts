/** Help at the hour: once for each side, then the customer's asking, then staff's one click. */
import { describe, expect, it } from "vitest";
import { cancelAppointment } from "#app/booking/cancel-and-refund.server.ts";
import { rescheduleAppointment } from "#app/booking/reschedule-appointment.server.ts";
import {
  eraseCustomer as eraseByStaff,
  readCustomerData,
} from "#app/customers/customers.server.ts";
import { DAY, formatClock, formatDate, HOUR, instantOf, MINUTE } from "#app/model/dates.ts";
import type { HelpSide } from "#app/model/help.ts";
import { helpView as staffView } from "#app/routes/admin/parts/help-view.server.ts";
import { helpView } from "#app/routes/public/booking/help/help-view.server.ts";
import {
  askedOf,
  askForHelp,
  callForHelp,
  findHelpCall,
  settleHelp,
} from "#app/sessions/help.server.ts";
import { findCustomerId } from "#db/queries/customers.server.ts";
import { eraseCustomer } from "#db/queries/erasures.server.ts";
import type { HelpAsked } from "#db/queries/help-calls.server.ts";
import { ROHAN } from "#tests/support/bookings.ts";
import { freshTill } from "#tests/support/hooks.ts";
import { addRow } from "#tests/support/stored-rows.ts";
import { ADMIN_ACTOR } from "#tests/support/till.ts";

const till = freshTill();
const CUSTOMER = { kind: "customer" } as const;
const STAFF = { kind: "admin", username: "meera", role: "staff" } as const;

/** Paid, and its time is at the moment from which help can be called. */
async function atTheHour(changes = {}): Promise<string> {
  const { id } = await till.bookAndPay(changes);
  till.clock.now = till.booking(id).startsAt + 5 * MINUTE;
  return id;
}
const call = (id: string, side: HelpSide = "customer") =>
  callForHelp(till.deps, side === "customer" ? CUSTOMER : STAFF, id, side);
const ask = (id: string, asked: HelpAsked = { asks: "refund" }) => askForHelp(till.deps, id, asked);
/** The customer has called, or asked for the money too. */
async function called(): Promise<string> {
  const id = await atTheHour();
  call(id);
  return id;
}
async function asked(): Promise<string> {
  const id = await called();
  ask(id);
  return id;
}
const shown = (id: string, side: HelpSide = "customer") => {
  const found = findHelpCall(till.deps.db, till.booking(id), side)!;
  return { side, asked: askedOf(found), startsAt: found.startsAt };
};
const settle = (id: string, confirm: boolean, seen = shown(id)) =>
  settleHelp(till.deps, STAFF, id, { ...seen, confirm });
const mails = (id: string) =>
  till
    .messages(id)
    .map(({ kind }) => kind)
    .filter((kind) => kind.includes("help"))
    .sort();
const waiting = () => till.attention().callingForHelp.map(({ id }) => id);
/** A free time of three days later. */
function later(id: string) {
  const date = new Date(till.booking(id).startsAt + 3 * DAY).toISOString().slice(0, 10);
  return { asks: "move", date, timeSlot: "16:00" } as const;
}

describe("a call", () => {
  it("is taken from five minutes after the start until an hour after the end, of what is paid and not cancelled", async () => {
    const id = await atTheHour();
    const unpaid = till.book();
    const { startsAt, endsAt } = till.booking(id);
    till.clock.now = startsAt + 5 * MINUTE - 1;
    const from = `${formatClock(startsAt + 5 * MINUTE)} IST`;
    const message = `You can say so from ${from} on. Please wait until then.`;
    expect(call(id)).toMatchObject({ code: "too_early", message });
    till.clock.now -= DAY;
    const dated = message.replace(from, `${formatDate(till.booking(id).date)}, ${from}`);
    expect(call(id)).toMatchObject({ code: "too_early", message: dated });
    till.clock.now = endsAt + HOUR + 1;
    expect(call(id)).toMatchObject({ code: "stale" });
    till.clock.now = endsAt + HOUR;
    expect(call(id)).toMatchObject({ value: { isNew: true } });
    till.clock.now = startsAt + 5 * MINUTE;
    expect(call(id, "captain")).toMatchObject({ value: { isNew: true } });
    till.clock.now = till.booking(unpaid).startsAt + 6 * MINUTE;
    expect(call(unpaid)).toMatchObject({ code: "stale" });
    till.cancel(unpaid);
    expect(call(unpaid)).toMatchObject({ code: "already_cancelled" });
    expect(call("a".repeat(26))).toMatchObject({ code: "not_found" });
  });

  it("is mailed once to the other side and to staff, of each side for itself", async () => {
    const id = await atTheHour();
    const other = await till.bookAndPay({ counselor: ROHAN, email: "other@example.in" });
    const both = ["admin_help", "admin_help", "help_counselor", "help_customer"];
    for (const [side, mailed] of [
      ["captain", ["admin_help", "help_customer"]],
      ["customer", both],
    ] as const) {
      expect(call(id, side)).toMatchObject({ value: { isNew: true } });
      till.clock.now += 10 * MINUTE;
      expect(call(id, side)).toMatchObject({ value: { isNew: false } });
      expect(mails(id)).toEqual(mailed);
    }
    expect(mails(other.id)).toEqual([]);
    expect(till.logged().filter(({ action }) => action === "help_call")).toHaveLength(2);
    for (const side of ["captain", "customer"] as const) {
      expect(waiting()).toEqual([id]);
      settle(id, false, shown(id, side));
    }
    expect(waiting()).toEqual([]);
  });

  it("is not taken once the session is noted as completed; one of before stays open", async () => {
    const id = await atTheHour();
    call(id, "captain");
    till.noteAttendance(id, { attendance: "completed" });
    expect(call(id)).toMatchObject({ code: "stale" });
    expect(waiting()).toEqual([id]);
    expect(helpView(till.deps, till.booking(id))).toBeNull();
    till.noteAttendance(id, { attendance: "no_show" });
    expect(helpView(till.deps, till.booking(id))?.missed).toBeTruthy();
    expect(call(id)).toMatchObject({ value: { isNew: true } });
  });

  it("of a moved session is another case, and no longer waits for anybody", async () => {
    const id = await called();
    const seen = shown(id);
    const { date, timeSlot } = later(id);
    rescheduleAppointment(till.deps, STAFF, id, { date, timeSlot });
    expect(waiting()).toEqual([]);
    expect(ask(id)).toMatchObject({ code: "stale" });
    expect(settle(id, false, seen)).toMatchObject({ code: "stale" });
    till.clock.now = till.booking(id).startsAt + 6 * MINUTE;
    expect(call(id)).toMatchObject({ value: { isNew: true } });
    expect(till.rows("SELECT * FROM help_call")).toHaveLength(2);
  });
});

describe("asking", () => {
  it("is open only after the customer's own call, until it is settled, for a day after the session", async () => {
    const id = await atTheHour();
    expect(ask(id)).toMatchObject({ code: "stale" });
    call(id, "captain");
    expect(ask(id)).toMatchObject({ code: "stale" });
    call(id);
    till.clock.now = till.booking(id).endsAt + DAY;
    expect(ask(id)).toMatchObject({ ok: true });
    till.clock.now += 1;
    expect(ask(id, later(id))).toMatchObject({ code: "stale" });
    till.clock.now -= 1;
    settle(id, false);
    expect(ask(id)).toMatchObject({ code: "stale" });
    expect(ask("a".repeat(26))).toMatchObject({ code: "not_found" });
  });

  it("stays open after a call that staff closed before anything was asked, and waits for them again", async () => {
    const id = await called();
    settle(id, false);
    expect(waiting()).toEqual([]);
    expect(ask(id)).toMatchObject({ ok: true });
    expect([waiting(), mails(id).length]).toEqual([[id], 3]);
    const asked = till.logged().filter(({ action }) => action === "help_ask");
    expect(asked.map(({ after }) => after)).toEqual([{ askedFor: "refund" }]);
  });

  it("takes a time that is free, in the place of what was asked before, with one mail for either, or money that is left", async () => {
    const id = await called();
    const before = mails(id).length;
    expect(ask(id, { ...later(id), timeSlot: "03:00" })).toMatchObject({ code: "slot_taken" });
    ask(id);
    ask(id, later(id));
    expect(shown(id).asked).toBe(`move ${later(id).date} 16:00`);
    ask(id);
    expect(shown(id).asked).toBe("refund");
    const told = till.messages(id).filter(({ data }) => data.asks);
    expect(told.map(({ data }) => data.asks).sort()).toEqual(["move", "refund"]);
    expect(mails(id)).toHaveLength(before + 2);
    till.refundPart(id, { amount: 117_900, reason: "Nobody came" });
    expect(ask(id)).toMatchObject({ code: "stale" });
    expect(ask(id, later(id))).toMatchObject({ ok: true });
  });
});

describe("staff's one click", () => {
  it("moves the session to the time asked for, or leaves the call open while that is taken", async () => {
    const id = await called();
    const wanted = later(id);
    const { date, timeSlot } = wanted;
    ask(id, wanted);
    const { id: other } = till.bookByStaff({ date, timeSlot, email: "second@example.in" });
    expect(settle(id, true)).toMatchObject({ code: "slot_taken" });
    expect([waiting(), till.booking(id).status]).toEqual([[id], "confirmed"]);
    till.cancel(other);
    expect(settle(id, true)).toMatchObject({ value: "moved" });
    expect(till.booking(id)).toMatchObject({ status: "rescheduled", date, timeSlot });
    expect(waiting()).toEqual([]);
    const done = till.logged().filter(({ actor }) => actor === "meera");
    expect(done.map(({ action, after }) => [action, after?.settled])).toEqual([
      ["reschedule", undefined],
      ["help_settle", "moved"],
    ]);
  });

  it("moves nothing to a time that has begun or a day that is over, and shows no button for it", async () => {
    const id = await called();
    const wanted = later(id);
    ask(id, wanted);
    const does = () => staffView(till.deps, till.booking(id), id).calls.map((one) => one.does);
    expect(does()).toEqual(["Move it"]);
    for (const passed of [0, DAY]) {
      till.clock.now = instantOf(wanted.date, wanted.timeSlot) + passed;
      expect(does()).toEqual([null]);
      expect(settle(id, true)).toMatchObject({
        code: "slot_taken",
        message: expect.stringContaining("is no longer free"),
      });
    }
    expect(waiting()).toEqual([id]);
  });

  it("cancels it with all money back, once, and not beside a dispute that is not decided", async () => {
    const id = await asked();
    const seen = shown(id);
    const refunds = () => till.rows("SELECT amount_paise FROM refund");
    const dispute = { payment_id: till.booking(id).paymentId, status: "open" };
    addRow(till.deps.db, "dispute", "disp_1", dispute);
    expect(settle(id, true, seen)).toMatchObject({ code: "validation_failed" });
    expect([waiting(), till.booking(id).status, refunds()]).toEqual([[id], "confirmed", []]);
    till.deps.db.runRaw("UPDATE dispute SET status = 'won'");
    expect(settle(id, true, seen)).toMatchObject({ value: "refunded" });
    expect(settle(id, true, seen)).toMatchObject({ code: "stale" });
    expect(settle(id, false, seen)).toMatchObject({ code: "stale" });
    expect(till.booking(id).status).toBe("cancelled");
    expect(refunds()).toEqual([{ amount_paise: 117_900 }]);
  });

  it("is refused where something else was asked for meanwhile", async () => {
    const id = await called();
    const before = shown(id);
    expect(settle(id, true, before)).toMatchObject({ code: "stale" });
    ask(id);
    expect(settle(id, false, before)).toMatchObject({ code: "stale" });
    const refund = shown(id);
    ask(id, later(id));
    expect(settle(id, true, refund)).toMatchObject({ code: "stale" });
    expect(till.booking(id).status).toBe("confirmed");
  });

  it("is refused once staff have cancelled, and so is asking", async () => {
    const id = await asked();
    cancelAppointment(till.deps, STAFF, id);
    expect(ask(id)).toMatchObject({ code: "already_cancelled" });
    expect(settle(id, true)).toMatchObject({ code: "already_cancelled" });
    expect(till.rows("SELECT id FROM refund")).toHaveLength(1);
    expect(waiting()).toEqual([]);
  });

  it("gives the money back though a captain has noted it as completed", async () => {
    const id = await asked();
    expect(till.noteAttendance(id, { attendance: "completed" })).toMatchObject({ ok: true });
    expect(settle(id, true)).toMatchObject({ value: "refunded" });
    expect(till.booking(id)).toMatchObject({ status: "cancelled", attendance: null });
  });
});

it("stands in the way of erasing the customer while what they ask for waits for an answer", async () => {
  const id = await asked();
  till.clock.now = till.booking(id).endsAt + HOUR;
  const customer = findCustomerId(till.deps.db, till.booking(id).contact.email)!;
  const erase = () => eraseByStaff(till.deps, ADMIN_ACTOR, customer);
  expect(erase()).toMatchObject({ code: "in_use" });
  expect(waiting()).toEqual([id]);
  settle(id, false);
  expect(erase()).toMatchObject({ ok: true });
});

it("is in the customer's data, and gone when they are erased or the booking is deleted", async () => {
  const id = await atTheHour();
  const second = await atTheHour({ email: "other@example.in", counselor: ROHAN });
  for (const one of [id, second]) {
    till.clock.now = till.booking(one).startsAt + 6 * MINUTE;
    call(one);
    ask(one);
  }
  const { email } = till.booking(id).contact;
  const customer = findCustomerId(till.deps.db, email) ?? undefined;
  const data = readCustomerData(till.deps, ADMIN_ACTOR, customer);
  expect(data).toMatchObject({
    value: { helpCalls: [{ appointmentId: id, saidBy: "customer", asks: "refund" }] },
  });
  eraseCustomer(till.deps.db, email, till.clock.now);
  expect(till.rows("SELECT appointment_id FROM help_call")).toEqual([{ appointment_id: second }]);
  till.delete(second);
  expect(till.rows("SELECT * FROM help_call")).toEqual([]);
});
