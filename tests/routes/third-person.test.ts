/**
 * A stranger books in somebody else's name and never pays. Whatever the stranger does then, the
 * mailbox and the phone of the one who is named stay quiet; what staff do is announced all the same.
 */
import { describe, expect, it } from "vitest";
import { addDays, instantOf } from "#app/model/dates.ts";
import type { Mail } from "#scripts/sandbox/mailbox.ts";
import { adminOf, makeOrder, pay } from "#tests/support/admin.ts";
import { type BookingBody, bookingBody } from "#tests/support/bookings.ts";
import { eventually } from "#tests/support/eventually.ts";
import { sharedApp } from "#tests/support/hooks.ts";

const MINUTE = 60_000;
const DAY = 24 * 60 * MINUTE;
const TODAY = "2027-06-07";
const HOLD_OVER = 31 * MINUTE;
/** What the stranger would like the named person to read. */
const WORDS = "Cheap-Pills";

const METRICS_TOKEN = "metrics-token-of-this-test";

/** A morning in India that goes on, so that a send that failed is tried again. */
let ahead = instantOf(TODAY, "07:00") - Date.now();
const now = () => Date.now() + ahead;
// No report of a delivery, which would come before or after a look.
const app = sharedApp({ now, env: { METRICS_TOKEN }, sandbox: { whatsappAuto: "none" } });

const phoneOf = (email: string) => `98451${String(email.trim().length).padStart(5, "0")}`;

async function book(email: string, changes: Partial<BookingBody> = {}): Promise<string> {
  const json = bookingBody({
    name: `${WORDS} at evil.example`,
    notes: `${WORDS}, buy them`,
    email,
    phone: phoneOf(email),
    ...changes,
  });
  const { data, text } = await app.api("/api/appointments", { json });
  if (!data?.id) throw new Error(`not booked: ${text}`);
  return data.id;
}

/** Answers where that leads. */
async function post(path: string, form: Record<string, string>): Promise<string> {
  const [, to] = (await app.api(path, { form })).led;
  return to === null ? "" : (await app.api(to)).html;
}

interface Row {
  id: string;
  kind: string;
  channel: string;
  state: string;
  last_error: string | null;
}

const rowsOf = (appointmentId: string) =>
  app.db.allRaw<Row>("SELECT * FROM message WHERE appointment_id = ? ORDER BY channel", [
    appointmentId,
  ]);

const notices = (appointmentId: string, kind: string) =>
  rowsOf(appointmentId)
    .filter((row) => row.kind === kind)
    .map(({ channel, state }) => `${channel} ${state}`);

const outbox = () =>
  app.db.firstRaw<{ n: number }>("SELECT count(*) AS n FROM message WHERE next_try_at IS NOT NULL")!
    .n;

/** Every hold that has ended by now was looked at, and nothing waits to be sent, invoices included. */
async function quiet(): Promise<void> {
  await eventually(() => {
    const unsent = app.db.firstRaw<{ n: number }>(
      `SELECT count(*) AS n FROM appointment a WHERE status = 'pending_payment' AND hold_until <= ?
         AND NOT EXISTS (SELECT 1 FROM message WHERE cause = 'unpaid:' || a.id)`,
      [now()],
    );
    expect([unsent?.n, outbox()]).toEqual([0, 0]);
  }, 45_000);
}

/** With nothing in hand, whose lease would end before its time. */
async function pass(ms: number): Promise<void> {
  await quiet();
  ahead += ms;
  await quiet();
}

const mailsTo = (email: string) => app.sandbox.mailbox.list({ to: email });
const whole = (mail: Mail) => JSON.stringify(mail);
const whatsAppsTo = (email: string) =>
  app.sandbox.whatsapp.messages.filter(({ to }) => to === `+91${phoneOf(email)}`);

describe("a stranger in somebody's name", () => {
  const victim = "victim.of.a.stranger@example.in";

  it("brings one reminder with none of their words, rows that say why nothing else went out, and no work for a person", async () => {
    const ids: string[] = [];
    for (const [i, email] of [victim, victim.toUpperCase(), ` ${victim} `].entries()) {
      const date = addDays(TODAY, i + 4);
      const id = await book(email, { date, timeSlot: "10:00" });
      ids.push(id);
      await post(`/booking/${id}/reschedule`, { email, date, newTimeSlot: "11:00" });
    }
    await post(`/booking/${ids[0]}/cancel`, { email: victim });
    await pass(HOLD_OVER);
    const subjects = mailsTo(victim).map(({ subject }) => subject);
    expect(subjects).toEqual([expect.stringMatching(/^Not paid yet/)]);
    for (const mail of mailsTo(victim)) expect(whole(mail)).not.toContain(WORDS);
    expect(whatsAppsTo(victim)).toEqual([]);
    const rows = app.db.allRaw<Row>("SELECT * FROM message WHERE state = 'held_back'");
    expect(new Set(rows.map(({ kind }) => kind))).toEqual(
      new Set(["booking_rescheduled", "booking_cancelled", "booking_unpaid"]),
    );
    for (const row of rows) expect(row.last_error).toMatch(/^Held back: .+\.$/);
    const [cancelled] = ids;
    const desk = await adminOf(app);
    const { data } = await desk(`/appointments/${cancelled}`);
    const message = data.messages.find((m: { kind: string }) => m.kind === "booking_cancelled");
    expect(message).toMatchObject({ state: "held_back", attempts: 0 });
    expect(message.lastError).toMatch(/^Held back: /);
    const page = await adminPage(`/admin/appointments/${cancelled}`);
    expect(page).toContain("Held back: ");
    expect(await adminPage("/admin")).not.toContain("Held back");
  });
});

const adminPage = async (path: string) => (await (await adminOf(app)).page(path)).html;

describe("staff", () => {
  it("who move and cancel an unpaid booking send one mail for each, without the sender's words", async () => {
    const email = "named.by.staff@example.in";
    const desk = await adminOf(app);
    const id = await book(email, { date: addDays(TODAY, 40) });
    const json = { date: addDays(TODAY, 41), newTimeSlot: "11:00" };
    expect((await desk(`/appointments/${id}/reschedule`, { method: "PUT", json })).httpStatus).toBe(
      200,
    );
    await quiet();
    expect(notices(id, "booking_rescheduled")).toEqual(["email sent", "whatsapp held_back"]);
    expect((await desk(`/appointments/${id}/cancel`, { method: "POST" })).httpStatus).toBe(200);
    await quiet();
    expect(notices(id, "booking_cancelled")).toEqual(["email sent", "whatsapp held_back"]);
    expect(mailsTo(email).map(({ subject }) => subject.split(":")[0])).toEqual([
      expect.stringMatching(/^Please pay$|^Moved to/),
      "Cancelled",
    ]);
    for (const mail of mailsTo(email)) expect(whole(mail)).not.toContain(WORDS);
    expect(whatsAppsTo(email)).toEqual([]);
  });

  it("may send a mail again that was held back, and no WhatsApp message before it is paid", async () => {
    const email = "sent.again@example.in";
    const desk = await adminOf(app);
    const id = await book(email, { date: addDays(TODAY, 42) });
    await post(`/booking/${id}/cancel`, { email });
    expect(notices(id, "booking_cancelled")).toEqual(["email held_back", "whatsapp held_back"]);
    const [mail, whatsapp] = rowsOf(id);
    const resend = (row: Row) => desk(`/messages/${row.id}/resend`, { method: "POST" });
    expect((await resend(mail!)).data).toMatchObject({ state: "queued", lastError: null });
    const refused = await resend(whatsapp!);
    expect([refused.httpStatus, refused.code]).toEqual([400, "validation_failed"]);
    await quiet();
    expect(notices(id, "booking_cancelled")).toEqual(["email sent", "whatsapp held_back"]);
    expect(mailsTo(email)).toHaveLength(1);
  });
});

describe("once it is paid", () => {
  it("everything is sent, by WhatsApp too, with the time it was moved to", async () => {
    const email = "really.me@example.in";
    const date = addDays(TODAY, 50);
    const id = await book(email, { name: "Meera Pillai", date });
    await post(`/booking/${id}/reschedule`, { email, date, newTimeSlot: "16:00" });
    expect((await pay(app, id)).status).toBe("confirmed");
    await quiet();
    const [confirmation, ...more] = mailsTo(email);
    expect(more).toEqual([]);
    expect(confirmation!.subject).toMatch(/^Confirmed: .* 4:00 PM IST/);
    expect(confirmation!.text).toContain("Hello Meera Pillai");
    expect(whatsAppsTo(email).map(({ template }) => template?.name)).toEqual(["booking_confirmed"]);
    await post(`/booking/${id}/reschedule`, { email, date, newTimeSlot: "11:00" });
    await quiet();
    expect(notices(id, "booking_rescheduled").sort()).toEqual([
      "email held_back",
      "email sent",
      "whatsapp held_back",
      "whatsapp sent",
    ]);
  });

  it("late money is reported by mail alone", async () => {
    const email = "paid.too.late@example.in";
    const date = addDays(TODAY, 51);
    const id = await book(email, { date });
    const { data } = await makeOrder(app, id);
    await post(`/booking/${id}/cancel`, { email });
    const proof = app.sandbox.pay(data.orderId, { outcome: "captured" });
    await app.api("/api/payments/verify", { json: { ...proof, appointmentId: id } });
    await quiet();
    expect(notices(id, "late_payment_refunded")).toEqual(["email sent", "whatsapp held_back"]);
    expect(mailsTo(email).map(whole).join()).not.toContain(WORDS);
    expect(whatsAppsTo(email)).toEqual([]);
  });
});

describe("pages", () => {
  it("promise no mail that is held back", async () => {
    const email = "no.promise@example.in";
    const id = await book(email, { date: addDays(TODAY, 60) });
    const before = await (await fetch(`${app.origin}/booking/${id}/cancel`)).text();
    const after = await post(`/booking/${id}/cancel`, { email });
    expect(before).toContain("You have not paid");
    expect(before).not.toContain("We send an email to you");
    expect(after).toContain("Cancelled");
    expect(after).not.toContain("We have sent you an email");
    expect(await (await fetch(`${app.origin}/find-booking`)).text()).toContain("three a day");
  });
});

it("/metrics counts the mails held back within a day, by kind", async () => {
  const read = async () => {
    const headers = { Authorization: `Bearer ${METRICS_TOKEN}` };
    const text = await (await fetch(`${app.origin}/metrics`, { headers })).text();
    return Object.fromEntries(
      [...text.matchAll(/^mails_held_back\{kind="(\w+)"\} (\d+)$/gm)].map(([, kind, n]) => [
        kind,
        Number(n),
      ]),
    );
  };
  const today = await read();
  expect(today.booking_cancelled).toBeGreaterThan(0);
  expect(today.booking_rescheduled).toBeGreaterThan(0);
  await pass(DAY);
  const later = await read();
  expect(Object.keys(later)).toEqual(Object.keys(today));
  expect(later.booking_cancelled).toBe(0);
});
