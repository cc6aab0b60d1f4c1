/** Customers move and cancel their bookings by forms, as a browser without scripts posts them. */
import { describe, expect, it } from "vitest";
import { addDays, instantOf } from "#app/model/dates.ts";
import { findAppointment } from "#db/queries/appointments.server.ts";
import { book, bookAndPay, bookConfirmed } from "#tests/support/admin.ts";
import type { BookingBody } from "#tests/support/bookings.ts";
import { sharedApp } from "#tests/support/hooks.ts";

const TODAY = "2027-03-01";

/** A morning in India; tests move it on. */
const clock = instantOf(TODAY, "06:00");
const app = sharedApp({ now: () => clock });

const onDay = (days: number) => addDays(TODAY, days);

interface Booking extends BookingBody {
  id: string;
}

async function bookPaid(changes: Partial<BookingBody>, make = bookConfirmed): Promise<Booking> {
  const { id, body } = await make(app, changes);
  return { ...body, id };
}

const ask = (path: string, form?: Record<string, string>) => app.api(path, { form });

const move = (booking: Booking, fields: Record<string, string>) =>
  ask(`/booking/${booking.id}/reschedule`, { email: booking.email, ...fields });
const cancel = (booking: Booking, fields: Record<string, string> = {}) =>
  ask(`/booking/${booking.id}/cancel`, { email: booking.email, ...fields });

const row = ({ id }: Booking) => findAppointment(app.db, id)!;
/** How many rows there are of what a change could write. */
const everything = () =>
  app.db.firstRaw<{ state: string }>(
    `SELECT (SELECT group_concat(id || version || status) FROM appointment)
      || (SELECT count(*) FROM activity) || '/' || (SELECT count(*) FROM refund)
      || '/' || (SELECT group_concat(appointment_id || starts_at) FROM session_time) AS state`,
  )!.state;

describe("looking", () => {
  it("shows both pages and changes nothing, whatever the address says", async () => {
    const booking = await bookPaid({ date: onDay(10) });
    const before = everything();
    for (const path of [
      "",
      "?done=moved",
      "?done=cancelled",
      "/cancel",
      "/reschedule",
      `/reschedule?date=${onDay(11)}&newTimeSlot=14:00&email=${booking.email}`,
      `/cancel?email=${booking.email}&version=1`,
    ]) {
      const page = await ask(`/booking/${booking.id}${path}`);
      expect(page.status, path).toBe(200);
      expect(page.html).toContain('name="robots" content="noindex"');
      expect(page.headers.get("cache-control")).toBe("private, no-store");
      expect(page.html).not.toContain(booking.email);
    }
    expect(everything()).toBe(before);
    const page = await ask(`/booking/${booking.id}`);
    expect(page.html).toContain(`/booking/${booking.id}/reschedule`);
    expect(page.html).toContain(`/booking/${booking.id}/cancel`);
    expect(page.html).not.toContain("Moved to");
    const asked = await ask(`/booking/${booking.id}/reschedule?date=${onDay(11)}`);
    expect(asked.html).toContain("6 free times on");
  });
});

describe("moving", () => {
  it("moves a paid session, which stays paid", async () => {
    const booking = await bookPaid({ date: onDay(14) }, bookAndPay);
    const email = ` ${booking.email.toUpperCase()} `;
    const version = String(row(booking).version);
    const moved = await move(booking, { email, date: onDay(15), newTimeSlot: "15:00", version });
    expect([moved.status, moved.to]).toEqual([303, `/booking/${booking.id}?done=moved`]);
    const to = { date: onDay(15), timeSlot: "15:00" };
    expect(row(booking)).toMatchObject({ status: "rescheduled", ...to });
    const page = await ask(moved.to!);
    expect(page.html).toContain("Moved to Tue, 16 Mar 2027, 3:00 PM IST");
    expect(page.html).toContain("Download Invoice");
  });

  it("refuses a time taken meanwhile with the fresh ones, and keeps what was typed", async () => {
    const booking = await bookPaid({ date: onDay(17) });
    await book(app, { date: onDay(18), timeSlot: "14:00" });
    const refused = await move(booking, { date: onDay(18), newTimeSlot: "14:00" });
    expect(refused.status).toBe(409);
    expect(refused.html).toContain("This time was just taken");
    expect(refused.html).toContain(`value="${booking.email}"`);
    expect(refused.html).toMatch(/name="newTimeSlot"[^>]*value="15:00"/);
    expect(refused.html).not.toMatch(/name="newTimeSlot"[^>]*value="14:00"/);
    expect((await move(booking, { date: onDay(18), newTimeSlot: "08:00" })).status).toBe(409);
    expect(row(booking)).toMatchObject({ status: "confirmed", date: onDay(17) });
  });

  it("shows the times of another day with what was typed, and takes no time of the day before", async () => {
    const booking = await bookPaid({ date: onDay(24) });
    const typed = { email: "Some@one.in", date: onDay(24), day: onDay(25) };
    const shown = await move(booking, { ...typed, show: "times" });
    expect(shown.status).toBe(200);
    expect(shown.html).toContain('value="Some@one.in"');
    expect(shown.html).toContain(`name="date" value="${onDay(25)}"`);
    expect(shown.html).not.toContain("form-errors");
    const refused = await move(booking, { ...typed, email: booking.email, newTimeSlot: "14:00" });
    expect(refused.status).toBe(400);
    expect(refused.html).toContain("Please choose one of its times");
    expect(refused.html).toContain(`name="date" value="${onDay(25)}"`);
    expect(row(booking)).toMatchObject({ status: "confirmed", date: onDay(24) });
  });

  it("tells the second of two who change one booking", async () => {
    const booking = await bookPaid({ date: onDay(21) });
    const version = String(row(booking).version);
    const first = await move(booking, { date: onDay(21), newTimeSlot: "14:00", version });
    const second = await move(booking, { date: onDay(21), newTimeSlot: "15:00", version });
    expect([first.status, second.status]).toEqual([303, 409]);
    expect(second.html).toContain("was changed in the meantime");
    expect(second.html).toContain(`name="version" value="${row(booking).version}"`);
    expect(row(booking)).toMatchObject({ status: "rescheduled", timeSlot: "14:00" });
  });
});

it("an unpaid booking that was moved as often as allowed has no form on its page", async () => {
  const { id } = await book(app, { date: onDay(27) });
  app.db.runRaw("UPDATE appointment SET renewals = 3 WHERE id = ?", [id]);
  const { html } = await ask(`/booking/${id}/reschedule`);
  expect(html).toContain("held for too long without being paid, so it cannot be moved");
  expect(html).not.toContain('name="newTimeSlot"');
});

it("cancels once, with one refund of the whole amount, however often it is submitted", async () => {
  const booking = await bookPaid({ date: onDay(23), package: 45 }, bookAndPay);
  const page = await ask(`/booking/${booking.id}/cancel`);
  expect(page.html).toContain("₹1,533 goes back to you in full");
  expect(page.html).toContain("5 to 7 working days");
  const keep = page.html.indexOf("Keep the session");
  expect(keep).toBeGreaterThan(0);
  expect(keep).toBeLessThan(page.html.indexOf("Cancel and refund ₹1,533"));
  const answers = await Promise.all([1, 2, 3].map(() => cancel(booking)));
  expect(answers.map((answer) => answer.status).sort()).toEqual([303, 409, 409]);
  const refused = answers.find((answer) => answer.status === 409)!;
  expect(refused.html).toContain("This booking is already cancelled");
  const refunds = "SELECT amount_paise FROM refund WHERE appointment_id = ?";
  expect(app.db.allRaw(refunds, [booking.id])).toEqual([{ amount_paise: 153_300 }]);
  const own = await ask(`/booking/${booking.id}?done=cancelled`);
  expect(own.html).toContain("We have sent you an email about it");
  expect(own.html).not.toContain(`/booking/${booking.id}/cancel`);
});

describe("strangers", () => {
  it("need the booking's address: the same sentence for a wrong one and for none", async () => {
    const booking = await bookPaid({ date: onDay(40) });
    const before = everything();
    const date = onDay(41);
    for (const email of ["someone.else@example.in", "no address", `${booking.email}x`]) {
      for (const refused of [
        await cancel(booking, { email }),
        await move(booking, { email, date, newTimeSlot: "10:00" }),
      ]) {
        expect(refused.status).toBe(400);
        expect(refused.html).toMatch(
          /<[^>]*(id="form-errors"[^>]*autofocus|autofocus[^>]*id="form-errors")/i,
        );
        expect(refused.html).toContain("This is not the email address of this booking");
        expect(refused.html).not.toContain(`"${booking.email}"`);
      }
    }
    expect(everything()).toBe(before);
  });
});
