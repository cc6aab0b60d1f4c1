import { beforeEach, describe, expect, it } from "vitest";
import { findAppointment } from "#db/queries/appointments.server.ts";
import { listFeeds } from "#db/queries/catalogue.server.ts";
import type { ApiInit } from "#tests/helpers/api-client.ts";
import { type AdminApi, adminOf, book, bookAndPay, pay, UNKNOWN_ID } from "#tests/support/admin.ts";
import { bookingBody, dayAhead } from "#tests/support/bookings.ts";
import { eventually } from "#tests/support/eventually.ts";
import { sharedApp } from "#tests/support/hooks.ts";
import { pdfText } from "#tests/support/pdf-text.ts";

let ahead = 0;
const app = sharedApp({ now: () => Date.now() + ahead });
let admin: AdminApi;
beforeEach(async () => {
  ahead = 0;
  admin = await adminOf(app);
});

let day = 10;
const nextDay = () => dayAhead(day++);

/** With the clock at its start, and an admin signed in then. */
async function begun(): Promise<string> {
  const { id } = await bookAndPay(app, { date: nextDay() });
  ahead = findAppointment(app.db, id)!.startsAt - Date.now();
  admin = await adminOf(app);
  return id;
}

const put = (id: string, json: object) =>
  admin(`/appointments/${id}/attendance`, { method: "PUT", json });

describe("by call", () => {
  it("is refused as the contract says", async () => {
    const { id: unpaid } = await book(app, { date: nextDay() });
    const { id: paid } = await bookAndPay(app, { date: nextDay() });
    const answers = async (id: string, json: object) => {
      const { httpStatus, code } = await put(id, json);
      return [httpStatus, code];
    };
    for (const id of [paid, unpaid]) {
      expect(await answers(id, { attendance: "completed" })).toEqual([409, "too_early"]);
    }
    expect(await answers(UNKNOWN_ID, { attendance: null })).toEqual([404, "not_found"]);
    for (const json of [{}, { attendance: "" }, { attendance: "late" }, { attendance: 1 }]) {
      const { httpStatus, errors } = await put(paid, json);
      expect([httpStatus, errors]).toEqual([
        400,
        { attendance: ["Please send completed, no_show or null"] },
      ]);
    }
    await admin(`/appointments/${paid}/cancel`, { method: "POST" });
    expect(await answers(paid, { attendance: "completed" })).toEqual([409, "already_cancelled"]);
    const signedOut = await app.api(`/api/admin/appointments/${paid}/attendance`, {
      ...{ method: "PUT", json: { attendance: null } },
    });
    expect(signedOut.httpStatus).toBe(401);
  });
});

describe("by form", () => {
  const post = (id: string, fields: Record<string, string>) =>
    admin.page(`/admin/appointments/${id}/attendance`, { form: fields });
  const led = async (id: string, fields: Record<string, string>) => (await post(id, fields)).led;

  it("leads back to where it was submitted, and nowhere else", async () => {
    const id = await begun();
    const back = `/admin/calendar?view=day&date=${dayAhead(1)}`;
    const anchor = `attendance-${id.slice(-8)}`;
    expect(await led(id, { attendance: "completed", back, anchor })).toEqual([
      ...[303, `${back}#${anchor}`],
    ]);
    expect(await led(id, { attendance: "", back })).toEqual([303, back]);
    expect(findAppointment(app.db, id)?.attendance).toBeNull();
    for (const elsewhere of ["https://evil.example/", "//evil.example", "/booking/x"]) {
      expect(await led(id, { attendance: "", back: elsewhere })).toEqual([303, "/admin"]);
    }
    const { headers } = await post(id, { attendance: "", back, anchor: "x\r\nSet-Cookie: a=b" });
    expect(headers.get("location")).toBe(`${back}#x%0D%0ASet-Cookie%3A%20a%3Db`);
  });
});

it("no page, mail, file, feed or answer for customers and captains holds what staff note", async () => {
  const MARK = "QQmarkQQ";
  const booking = bookingBody({ date: nextDay(), state: "27" });
  const key = { "Idempotency-Key": "staff-note-of-this-test" };
  const heard: string[] = [];
  /** Every public answer is searched. */
  const ask = async (path: string, init: ApiInit = {}) => {
    const answer = await app.api(path, init);
    heard.push(answer.text);
    return answer;
  };
  const { id } = (await ask("/api/appointments", { json: booking, headers: key })).data;
  const noted = await admin(`/appointments/${id}`, { method: "PATCH", json: { staffNote: MARK } });
  expect(noted.data.appointment.staffNote).toBe(MARK);
  const tooLong = { method: "PATCH", json: { staffNote: "x".repeat(2001) } };
  expect((await admin(`/appointments/${id}`, tooLong)).errors).toHaveProperty("staffNote");
  await ask("/api/appointments", { json: booking, headers: key });
  const pages = async () => {
    for (const end of ["", "/reschedule", "/cancel", "/calendar.ics"]) {
      await ask(`/booking/${id}${end}`);
    }
    for (const { secret } of listFeeds(app.db)) await ask(`/calendar/${secret}.ics`);
  };
  await pages();
  const { orderId } = await pay(app, id);
  await ask("/api/payments/create-order", { json: { appointmentId: id } });
  await pages();
  const move = { date: nextDay(), newTimeSlot: "11:00" };
  await admin(`/appointments/${id}/reschedule`, { method: "PUT", json: move });
  await ask("/find-booking", { form: { email: booking.email } });
  ahead = findAppointment(app.db, id)!.startsAt - Date.now();
  admin = await adminOf(app);
  await put(id, { attendance: "no_show" });
  await pages();
  const { messages } = (await admin(`/appointments/${id}`)).data;
  await admin(`/messages/${messages[0].id}/resend`, { method: "POST" });
  await admin(`/appointments/${id}`, { method: "PATCH", json: { name: "Meera P. Nair" } });
  await admin(`/appointments/${id}/cancel`, { method: "POST" });
  await eventually(() => {
    const open = "SELECT 1 FROM message WHERE next_try_at IS NOT NULL";
    expect(app.db.firstRaw("SELECT 1 FROM document WHERE kind = 'credit_note'")).toBeDefined();
    expect(app.db.firstRaw(open)).toBeUndefined();
  }, 30_000);
  await pages();
  const pdfs = await Promise.all(
    ["invoice", "credit-note"].map(async (kind) =>
      pdfText((await app.api(`/api/${kind}/${id}`)).bytes),
    ),
  );
  const mails = app.sandbox.mailbox.list({});
  const held = mails.flatMap(({ n }) => app.sandbox.mailbox.find(n) ?? []);
  const raw = held.map((mail) => String(mail.raw));
  const files = held.flatMap((mail) => mail.files.map(String));
  const stored = ["message", "idempotency", "document", "payment_order", "provider_event"].map(
    (table) => JSON.stringify(app.db.allRaw(`SELECT * FROM ${table}`)),
  );
  const texts = [...heard, ...pdfs, ...raw, ...files, ...stored];
  texts.push(JSON.stringify([mails, app.sandbox.whatsapp.messages]));
  // The name shows that the places searched are those of this booking.
  expect(orderId).toBeTruthy();
  for (const place of [heard, pdfs, raw]) {
    expect(place.join("\n")).toMatch(/Meera P/);
  }
  expect(files.join("\n")).toContain("BEGIN:VCALENDAR");
  expect(texts.filter((text) => text.includes(MARK) || text.includes("no_show"))).toEqual([]);
  const names = /"(staffNote|staff_note|attendance|source)"/;
  expect(heard.filter((text) => text.startsWith("{") && names.test(text))).toEqual([]);
});
