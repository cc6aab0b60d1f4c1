/**
 * A stranger books in somebody else's name and never pays. Whatever the stranger does then, the
 * mailbox and the phone of the one who is named stay quiet; what staff do is announced all the same.
 */
import { describe, expect, it } from "vitest";
import { addDays, instantOf } from "#app/model/dates.ts";
import type { Mail } from "#scripts/sandbox/mailbox.ts";
import { adminOf, makeOrder, pay } from "#tests/support/admin.ts";
import { ASHA, type BookingBody, bookingBody, ROHAN } from "#tests/support/bookings.ts";
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

async function post(path: string, fields: Record<string, string>): Promise<string> {
  const response = await fetch(app.origin + path, {
    method: "POST",
    body: new URLSearchParams(fields),
    headers: { Accept: "text/html" },
  });
  return (await response.text()).replaceAll("<!-- -->", "");
}

const ask = (email: string) => post("/find-booking", { email });

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

describe("a stranger who floods", () => {
  const victim = "victim.of.a.stranger@example.in";
  const spellings = [victim, victim.toUpperCase(), `Victim${victim.slice(6)}`, ` ${victim} `];

  it("brings one reminder and three mails of links in 24 hours, and none of their words", async () => {
    for (let day = 1; day <= 6; day++) {
      for (const [i, counselor] of [ASHA, ROHAN].entries()) {
        const date = addDays(TODAY, day + 3);
        const email = spellings[(day + i) % spellings.length]!;
        const id = await book(email, { counselor, date, timeSlot: "10:00" });
        for (const newTimeSlot of ["11:00", "14:00", "15:00"].slice(day % 4)) {
          await post(`/booking/${id}/reschedule`, { email, date, newTimeSlot });
        }
        if ((day + i) % 3 === 0) await post(`/booking/${id}/cancel`, { email });
        await ask(email);
        await pass(MINUTE);
      }
      await pass(day % 2 === 0 ? HOLD_OVER : 0);
    }
    await pass(HOLD_OVER);
    const moved = app.db.firstRaw<{ n: number }>(
      "SELECT count(*) AS n FROM appointment WHERE calendar_sequence > 0",
    );
    expect(moved?.n).toBeGreaterThan(6);
    const subjects = mailsTo(victim).map(({ subject }) => subject);
    expect(subjects.filter((subject) => subject.startsWith("Not paid yet"))).toHaveLength(1);
    expect(subjects.filter((subject) => subject.startsWith("The links"))).toHaveLength(3);
    expect(subjects).toHaveLength(4);
    for (const mail of mailsTo(victim)) expect(whole(mail)).not.toContain(WORDS);
    expect(whatsAppsTo(victim)).toEqual([]);
  });

  it("leaves rows that say why nothing went out, and no work for a person", async () => {
    const rows = app.db.allRaw<Row & { appointment_id: string }>(
      "SELECT * FROM message WHERE state = 'held_back'",
    );
    expect(new Set(rows.map(({ kind }) => kind))).toEqual(
      new Set(["booking_rescheduled", "booking_cancelled", "booking_unpaid", "booking_links"]),
    );
    for (const row of rows) expect(row.last_error).toMatch(/^Held back: .+\.$/);
    const links = rows.filter(({ kind }) => kind === "booking_links");
    expect(links).toHaveLength(1);
    const cancelled = rows.find(({ kind }) => kind === "booking_cancelled")!.appointment_id;
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

async function adminPage(path: string): Promise<string> {
  const { text } = await (await adminOf(app)).page(path);
  return text.replaceAll("<!-- -->", "");
}

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
    expect(
      (await desk(`/appointments/${id}`, { method: "PATCH", json: { notes: "called" } }))
        .httpStatus,
    ).toBe(200);
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
  const unpaidCancelled = async () => {
    const email = "no.promise@example.in";
    const id = await book(email, { date: addDays(TODAY, 60) });
    const before = await (await fetch(`${app.origin}/booking/${id}/cancel`)).text();
    return { before, after: await post(`/booking/${id}/cancel`, { email }) };
  };

  it("promise no mail that is held back", async () => {
    const { before, after } = await unpaidCancelled();
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
