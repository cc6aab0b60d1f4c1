/** What each change of a booking leaves behind: its log, its mails, a woken mailer, or nothing; and nothing of another booking. */
import { describe, expect, it, vi } from "vitest";
import { readBookingPage } from "#app/booking/booking-page.server.ts";
import { cancelAppointment, mayKeepPart } from "#app/booking/cancel-and-refund.server.ts";
import {
  ensureCounselorFeeds,
  listCounselorFeeds,
  readCounselorFeed,
  renewCounselorFeed,
} from "#app/booking/captains.server.ts";
import { rescheduleAppointment } from "#app/booking/reschedule-appointment.server.ts";
import {
  moveOwnBooking,
  readNewDays,
  readOwnNewTimes,
  selfServiceState,
} from "#app/booking/self-service.server.ts";
import { COUNSELORS, DEFAULT_TIMES } from "#app/catalogue.ts";
import type { Deps } from "#app/core/deps.server.ts";
import { exportAppointments } from "#app/documents/exports.server.ts";
import { addDays, DAY, dateInIndia, HOUR, MINUTE } from "#app/model/dates.ts";
import { eraseCustomer } from "#db/queries/erasures.server.ts";
import { ROHAN } from "#tests/support/bookings.ts";
import { freshTill } from "#tests/support/hooks.ts";
import { ADMIN_ACTOR } from "#tests/support/till.ts";

const CUSTOMER = { kind: "customer" } as const;
const UNKNOWN = "abcdefghijkmnpqrstuvwxyz23";
const OWNER = { email: "meera@example.in", clientAddress: "192.0.2.1" };

const till = freshTill();

const kinds = (id: string) =>
  till
    .rows("SELECT DISTINCT kind FROM message WHERE appointment_id = ? ORDER BY kind", id)
    .map(({ kind }) => kind);
/** True if the mailer was woken, once. */
function wokeBy(work: () => unknown): boolean {
  const before = till.wakes();
  work();
  const woken = till.wakes() - before;
  expect([0, 1]).toContain(woken);
  return woken === 1;
}

describe("a cancellation", () => {
  it.each([
    [ADMIN_ACTOR, "admin", "by_admin"],
    [CUSTOMER, "customer", "by_customer"],
  ])("by %j is logged, mailed and counted in the calendar, once", async (actor, name, reason) => {
    const { id } = await till.bookAndPay();
    const before = till.booking(id);
    expect(wokeBy(() => cancelAppointment(till.deps, actor, id))).toBe(true);
    expect(till.booking(id)).toMatchObject({
      status: "cancelled",
      cancelReason: reason,
      window: null,
      calendarSequence: before.calendarSequence + 1,
      version: before.version + 1,
    });
    const by = actor.kind === "admin" ? "business" : "customer";
    const after = { status: "cancelled", by, refund: 1179 };
    expect(till.logged()).toEqual([
      { actor: name, action: "cancel", target: id, before: { status: "confirmed" }, after },
    ]);
    expect(kinds(id)).toContain("counselor_cancelled");
    const [mail] = till.messages(id).filter(({ kind }) => kind === "booking_cancelled");
    expect(mail!.data.refundWanted).toBe(true);
    expect(wokeBy(() => cancelAppointment(till.deps, actor, id))).toBe(false);
    expect(till.logged()).toHaveLength(1);
  });

  it("of what was not paid sends nothing back", () => {
    const id = till.book();
    expect(till.cancel(id)).toMatchObject({ value: { refund: null } });
    expect(till.logged()[0]?.after).toEqual({ status: "cancelled", by: "business" });
    expect(kinds(id)).not.toContain("counselor_cancelled");
  });
});

describe("a move", () => {
  it("of an unpaid one opens its window anew, onto its own time too, and no mail says that it moved", () => {
    const id = till.book();
    till.clock.now += HOUR;
    const { now } = till.clock;
    const { date, timeSlot } = till.booking(id);
    for (const to of [timeSlot, "11:00"]) {
      expect(till.move(id, { date, timeSlot: to }).ok).toBe(true);
      expect(till.booking(id)).toMatchObject({
        status: "pending_payment",
        timeSlot: to,
        window: { payBefore: now + 900_000, holdUntil: now + 1_800_000 },
      });
      if (to === timeSlot) expect(kinds(id)).toEqual(["payment_link"]);
    }
  });

  it("by its visitor is a new hold, and none once they held it for as long as they may", () => {
    const id = till.book();
    const { date } = till.booking(id);
    const move = (timeSlot: string) =>
      rescheduleAppointment(till.deps, CUSTOMER, id, { date, timeSlot });
    till.clock.now += 5 * MINUTE;
    const window = {
      payBefore: till.clock.now + 900_000,
      holdUntil: till.clock.now + 1_800_000,
    };
    expect(move("11:00")).toMatchObject({ value: { window } });
    till.clock.now += 3 * HOUR;
    expect(move("14:00")).toMatchObject({ code: "payment_window_over" });
  });

  it("goes to no sample captain where people take samples for real ones", async () => {
    const { id } = await till.bookAndPay();
    const { date, timeSlot } = till.booking(id);
    const time = { date, timeSlot, counselor: ROHAN };
    const env = { ...till.deps.env, publicUrl: "https://book.example.in" };
    const shop = { ...till.deps, env };
    expect(rescheduleAppointment(shop, ADMIN_ACTOR, id, time)).toMatchObject({
      errors: { counselor: [expect.any(String)] },
    });
    // In their own calendar it may move on.
    const later = { ...time, counselor: till.booking(id).counselor, timeSlot: "15:30" };
    expect(rescheduleAppointment(shop, ADMIN_ACTOR, id, later)).toMatchObject({ ok: true });
    expect(till.move(id, time)).toMatchObject({ ok: true });
  });

  it("of a paid session is logged and mailed, and onto its own time is no move", async () => {
    const { id } = await till.bookAndPay();
    const before = till.booking(id);
    const { date } = before;
    const move = (timeSlot: string) => till.move(id, { date, timeSlot });
    expect(move("10:00")).toEqual({ ok: true, value: before });
    expect(till.logged()).toEqual([]);
    expect(wokeBy(() => move("15:30"))).toBe(true);
    const calendarSequence = before.calendarSequence + 1;
    const moved = { status: "rescheduled", timeSlot: "15:30" };
    expect(till.booking(id)).toMatchObject({ ...moved, window: null, calendarSequence });
    const inSpiteOf = ["Outside the hours of the day"];
    expect(till.logged()).toEqual([
      {
        actor: "admin",
        action: "reschedule",
        target: id,
        before: { date, timeSlot: "10:00", status: "confirmed" },
        after: { ...moved, date, inSpiteOf },
      },
    ]);
    expect(kinds(id)).toEqual(expect.arrayContaining(["booking_rescheduled", "counselor_moved"]));
  });

  it("to something that is no time is refused, and says why", () => {
    const id = till.book();
    const { date } = till.booking(id);
    const past = { date: addDays(dateInIndia(till.clock.now), -1), timeSlot: "10:30" };
    for (const [time, message] of [
      [{ date: "2027-02-30", timeSlot: "10:30" }, "Please select a date that exists"],
      [past, "Please select a date that is not in the past"],
      [{ date, timeSlot: "10:15" }, "Please select a time slot from the list"],
    ] as const) {
      expect(till.move(id, time)).toMatchObject({ ok: false, message });
    }
    const time = { date, timeSlot: "11:00" };
    expect(till.move(id, { ...time, version: 99 })).toMatchObject({ code: "stale" });
    expect(till.move(UNKNOWN, time)).toMatchObject({ code: "not_found" });
    expect(till.logged()).toEqual([]);
  });
});

describe("a correction of the contact", () => {
  it("is refused once the customer is erased", async () => {
    const { id } = await till.bookAndPay();
    till.clock.now = till.booking(id).endsAt;
    eraseCustomer(till.deps.db, till.booking(id).contact.email, till.clock.now);
    for (const change of [{ name: "Meera Rao" }, { staffNote: "Her mother called" }]) {
      expect(till.edit(id, change)).toMatchObject({ code: "not_found" });
    }
    const date = addDays(dateInIndia(till.clock.now), 7);
    const time = { date, timeSlot: "10:00", override: true };
    expect(till.move(id, time)).toMatchObject({ code: "not_found" });
  });

  it("is logged by what changed, and a paid session's confirmation goes out again", async () => {
    const { id } = await till.bookAndPay();
    till.rows("DELETE FROM message RETURNING 1");
    const { contact, version } = till.booking(id);
    const same = { ...contact, notes: contact.notes ?? "" };
    expect(till.edit(id, { ...same, version })).toMatchObject({ ok: true });
    expect([till.logged(), till.booking(id).version]).toEqual([[], version]);
    const change = { email: "new@example.in", notes: "A question" };
    expect(wokeBy(() => till.edit(id, change))).toBe(true);
    expect(till.booking(id).contact).toEqual({ ...contact, ...change });
    const before = { email: contact.email, notes: null };
    expect(till.logged()).toMatchObject([{ action: "edit", target: id, before, after: change }]);
    expect(kinds(id)).toEqual(["booking_confirmed", "counselor_corrected"]);
    till.edit(id, { name: "Meera P. Rao" });
    expect(till.booking(id).contact).toMatchObject({ name: "Meera P. Rao", notes: "A question" });
    till.edit(id, { notes: "", phone: "98450 99999" });
    expect(till.booking(id).contact).toMatchObject({ notes: null, phone: "+919845099999" });
    expect(till.edit(id, { name: "A B", version })).toMatchObject({ code: "stale" });
    expect(till.edit(UNKNOWN, {})).toMatchObject({ code: "not_found" });
  });
});

it("a deleted booking is logged without its person, and a stale page deletes nothing", async () => {
  const { id } = await till.bookAndPay();
  const { version, counselor, date, timeSlot, status, invoiceNumber } = till.booking(id);
  expect(till.delete(id, { version: version - 1 })).toMatchObject({ code: "stale" });
  expect(till.delete(UNKNOWN)).toMatchObject({ code: "not_found" });
  expect(till.delete(id, { version })).toEqual({ ok: true, value: { id } });
  const before = { counselor, date, timeSlot, status, invoiceNumber };
  expect(till.logged()).toEqual([
    { actor: "admin", action: "delete", target: id, before, after: null },
  ]);
  expect(till.booking(id)).toBeNull();
});

describe("an own booking", () => {
  const move = (id: string, timeSlot: string) =>
    moveOwnBooking(till.deps, id, { date: till.booking(id).date, timeSlot }, OWNER);

  it("that is unpaid moves three times, and the fourth is refused", async () => {
    const id = till.book({ email: OWNER.email });
    expect(await move(id, "10:00")).toMatchObject({
      errors: { newTimeSlot: [expect.any(String)] },
    });
    for (const [renewals, timeSlot] of [
      [1, "11:00"],
      [2, "14:00"],
      [3, "15:00"],
    ] as const) {
      expect(readBookingPage(till.deps, id)!.mayMove).toBe(true);
      expect(await move(id, timeSlot)).toMatchObject({ ok: true, value: { renewals, timeSlot } });
    }
    // The page offers no move that would be refused.
    expect(readBookingPage(till.deps, id)!.mayMove).toBe(false);
    expect(await move(id, "16:00")).toMatchObject({ code: "payment_window_over" });
    const time = { date: till.booking(id).date, timeSlot: "16:00" };
    const unknown = await moveOwnBooking(till.deps, UNKNOWN, time, OWNER);
    expect(unknown).toMatchObject({ code: "not_found" });
  });

  it("is offered every free time but its own", () => {
    const id = till.book();
    const own = till.booking(id);
    const { from, to, counts } = readNewDays(till.deps, own);
    const today = dateInIndia(till.clock.now);
    expect([from, to]).toEqual([today, addDays(today, till.deps.env.bookingWindowDays)]);
    expect([counts[own.date], counts[addDays(own.date, 1)]]).toEqual([5, 6]);
    expect(readOwnNewTimes(till.deps, own, own.date)).toEqual(
      DEFAULT_TIMES.filter((time) => time !== own.timeSlot),
    );
    expect(readOwnNewTimes(till.deps, own, addDays(own.date, 1))).toEqual(DEFAULT_TIMES);
  });

  it("of a captain taken off the page stands, and moves to no other time of theirs", async () => {
    const { id } = await till.bookAndPay({ email: OWNER.email });
    const { date, counselorKey } = till.booking(id);
    till.deps.db.runRaw("UPDATE counselor SET active = 0 WHERE key = ?", [counselorKey]);
    expect(await move(id, "15:00")).toMatchObject({
      code: "slot_taken",
      message: expect.stringContaining("takes no bookings any more"),
    });
    const { isOff, counts } = readNewDays(till.deps, till.booking(id));
    expect([isOff, new Set(Object.values(counts))]).toEqual([true, new Set([0])]);
    expect(readOwnNewTimes(till.deps, till.booking(id), date)).toEqual([]);
    expect(till.booking(id)).toMatchObject({ status: "confirmed", timeSlot: "10:00" });
  });

  it("may be changed for as long as was agreed when it was made, whatever is set since", () => {
    const [agreed, before] = [till.book(), till.book({ timeSlot: "15:00" })];
    till.deps.db.runRaw("UPDATE appointment SET cutoff_hours = NULL WHERE id = ?", [before]);
    const env = { ...till.deps.env, selfServiceCutoffHours: 72 };
    const stateOf = (id: string) => {
      const booking = till.booking(id);
      const now = () => booking.startsAt - 48 * HOUR;
      return [selfServiceState({ env, now }, booking), mayKeepPart(booking, env, now())];
    };
    expect(stateOf(agreed)).toEqual(["open", false]);
    expect(stateOf(before)).toEqual(["too_late", true]);
  });

  it("may be changed until the cut-off, to the moment", () => {
    const { startsAt } = till.booking(till.book());
    const cutoff = startsAt - till.deps.env.selfServiceCutoffHours * HOUR;
    const stateAt = (now: number, status: "confirmed" | "cancelled" = "confirmed") =>
      selfServiceState({ ...till.deps, now: () => now }, { status, startsAt, cutoffHours: null });
    expect([cutoff - 1, cutoff, startsAt - 1, startsAt].map((now) => stateAt(now))).toEqual([
      ...["open", "too_late", "too_late", "begun"],
    ]);
    expect(stateAt(cutoff - 1, "cancelled")).toBe("cancelled");
  });
});

it("a captain's feed has an address that stays until it is renewed, shows moves, nothing cancelled, and reaches thirty days back", async () => {
  const secretOf = (at: number) =>
    listCounselorFeeds(till.deps)[at]!.url.match(/\/calendar\/(.+)\.ics$/)![1]!;
  expect(listCounselorFeeds(till.deps)).toEqual([]);
  ensureCounselorFeeds(till.deps);
  const before = listCounselorFeeds(till.deps);
  expect(before.map(({ name }) => name)).toEqual(COUNSELORS.map(({ name }) => name));
  ensureCounselorFeeds(till.deps);
  expect(listCounselorFeeds(till.deps)).toEqual(before);
  const [old, other] = [secretOf(0), secretOf(1)];
  expect(renewCounselorFeed(till.deps, "Nobody", ADMIN_ACTOR)).toMatchObject({ ok: false });
  expect(till.logged()).toEqual([]);
  expect(renewCounselorFeed(till.deps, COUNSELORS[0]!.name, ADMIN_ACTOR).ok).toBe(true);
  expect(till.logged()).toMatchObject([{ action: "feed_renewed", target: "asha" }]);
  const feed = (secret = secretOf(0)) => readCounselorFeed(till.deps, secret);
  expect(feed(old)).toBeNull();
  expect(feed()).toContain(COUNSELORS[0]!.name);
  expect(feed(other)).toContain(COUNSELORS[1]!.name);

  const { id } = await till.bookAndPay();
  const { date } = till.booking(id);
  till.move(id, { date, timeSlot: "15:30" });
  expect(feed()).toContain("SEQUENCE:1\r\n");
  expect(feed()).toContain(`DTSTART:${date.replaceAll("-", "")}T100000Z`);
  const { startsAt, endsAt } = till.booking(id);
  till.clock.now = startsAt + 30 * DAY - 1;
  expect(feed()).toContain("BEGIN:VEVENT");
  till.clock.now = endsAt + 30 * DAY + 1;
  expect(feed()).not.toContain("BEGIN:VEVENT");
  till.clock.now = startsAt - DAY;
  expect(till.cancel(id)).toMatchObject({ ok: true });
  expect(feed()).not.toContain("BEGIN:VEVENT");
});

it("an export holds twenty thousand at most, and is logged without what was sought", async () => {
  const rendered = vi.fn<Deps["documents"]["renderExport"]>();
  till.deps.documents = { ...till.deps.documents, renderExport: rendered };
  const filter = { statuses: ["confirmed" as const], q: "Meera" };
  const handOut = () => exportAppointments(till.deps, ADMIN_ACTOR, filter);
  rendered.mockResolvedValueOnce(null);
  const message = expect.stringContaining("20,000");
  expect(await handOut()).toMatchObject({ code: "too_many_rows", message });
  expect(till.logged()).toEqual([]);
  rendered.mockResolvedValueOnce({ rows: 3, bytes: Buffer.from("xlsx") });
  const fileName = `appointments_export_${dateInIndia(till.clock.now)}.xlsx`;
  expect(await handOut()).toMatchObject({ value: { fileName } });
  expect(rendered).toHaveBeenLastCalledWith(filter, 20_000);
  expect(till.logged()[0]?.after).toEqual({ rows: 3, statuses: ["confirmed"], searched: true });
});

const timeOf = (id: string) =>
  till.rows("SELECT starts_at, held_until FROM session_time WHERE appointment_id = ?", id);

it("a moved session that is paid keeps its new time, long after any hold would have ended", async () => {
  const { id } = await till.bookAndPay();
  const { date } = till.booking(id);
  const moved = { date: addDays(date, 1), timeSlot: "15:00" };
  till.move(id, moved);
  expect(timeOf(id)).toEqual([{ starts_at: till.booking(id).startsAt, held_until: null }]);
  till.clock.now += DAY;
  expect(() => till.book(moved)).toThrow("just taken");
  // The time before is free again.
  expect(till.book({ date, timeSlot: "10:00" })).toBeTruthy();
});
