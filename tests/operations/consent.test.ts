/** What customers were informed of and agreed to: the notice, and WhatsApp messages about a booking. */
import { expect, it } from "vitest";
import { bookSession } from "#app/booking/book-session.server.ts";
import { NOTICE_VERSION } from "#app/catalogue.ts";
import { addDays, dateInIndia } from "#app/model/dates.ts";
import { resendMessage } from "#app/notifications/queue.server.ts";
import { setOptOut } from "#db/queries/message-leases.server.ts";
import { bookingBody } from "#tests/support/bookings.ts";
import { freshTill } from "#tests/support/hooks.ts";
import { WHATSAPP } from "#tests/support/money-outside.ts";
import { addRow } from "#tests/support/stored-rows.ts";
import { ADMIN_ACTOR } from "#tests/support/till.ts";

const till = freshTill({ env: WHATSAPP });

const notice = (id: string) =>
  till.rows("SELECT notice_version, notice_at, notice_by FROM appointment WHERE id = ?", id)[0];
const byWhatsApp = (id: string) =>
  till.rows("SELECT kind FROM message WHERE appointment_id = ? AND channel = 'whatsapp'", id);

it("staff's booking stores the notice if they read it, with who and when, and sends WhatsApp only with a yes", () => {
  const none = { notice_version: null, notice_at: null, notice_by: null };
  for (const [timeSlot, answer] of [
    ["10:00", undefined],
    ["11:00", false],
  ] as const) {
    const { id } = till.bookByStaff({ timeSlot, noticeRead: answer, whatsapp: answer });
    expect([notice(id), byWhatsApp(id)]).toEqual([none, []]);
  }
  const { id } = till.bookByStaff({ timeSlot: "14:00", noticeRead: true, whatsapp: true });
  const read = { notice_version: NOTICE_VERSION, notice_at: till.clock.now, notice_by: "admin" };
  expect([notice(id), byWhatsApp(id)]).toEqual([read, [{ kind: "booking_confirmed" }]]);
  const [entry] = till.logged().filter(({ target }) => target === id);
  expect(entry!.after).toMatchObject({ noticeRead: true });
});

it("a visitor's booking stores the notice beside the button, which nobody read to them", () => {
  const stored = { notice_version: NOTICE_VERSION, notice_at: till.clock.now, notice_by: null };
  expect(notice(till.book())).toEqual(stored);
});

it("WhatsApp goes to visitors unless they refuse it, whatever happens to the booking", async () => {
  const { id: notified } = await till.bookAndPay();
  expect(byWhatsApp(notified)).toEqual([{ kind: "booking_confirmed" }]);
  const { id } = await till.bookAndPay({ whatsapp: false } as object);
  expect(till.booking(id)).toMatchObject({ status: "confirmed", whatsapp: false });
  const phone = "+91 98450 77001";
  expect(till.edit(id, { phone })).toMatchObject({ ok: true });
  expect(byWhatsApp(id)).toEqual([]);
});

const addHeldBack = (changes: object) =>
  addRow(till.deps.db, "message", "m", {
    channel: "whatsapp",
    state: "held_back",
    last_error: "Held back.",
    ...changes,
  });

it("a visitor who refuses later moves the booking, and nothing is sent again by WhatsApp", () => {
  const { packagePrice: _, ...input } = bookingBody({
    date: addDays(dateInIndia(till.clock.now), 6),
  });
  const book = (ownToken: string | null, changes: object = {}) => {
    const made = bookSession(
      till.deps,
      { ...input, package: 30, ...changes },
      { clientAddress: "192.0.2.1", ownToken },
    );
    if (!made.ok) throw new Error(made.message);
    return made.value;
  };
  const { appointment, token } = book(null);
  expect(book(token).repeated).toBe(true);
  const after = book(token, { whatsapp: false });
  expect(after).toMatchObject({ repeated: false, appointment: { id: appointment.id } });
  expect(after.appointment.whatsapp).toBe(false);
  addHeldBack({ recipient: "+919845077001", appointment_id: appointment.id });
  till.deps.db.runRaw("UPDATE appointment SET status = 'confirmed'", []);
  expect(resendMessage(till.deps, ADMIN_ACTOR, "m")).toMatchObject({
    message: "Held back: the customer wants no WhatsApp messages.",
  });
});

it("what a wrong number stopped is sent again to the right one", async () => {
  const { id } = await till.bookAndPay();
  const { phone } = till.booking(id).contact;
  setOptOut(till.deps.db, phone, true, 1);
  addHeldBack({ kind: "booking_confirmed", recipient: phone, appointment_id: id });
  till.edit(id, { phone: "+91 98450 77001" });
  expect(resendMessage(till.deps, ADMIN_ACTOR, "m")).toMatchObject({
    value: { recipient: "+919845077001" },
  });
});
