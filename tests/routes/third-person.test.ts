/**
 * A stranger books in somebody else's name and never pays. Whatever the stranger does then, the
 * mailbox and the phone of the one who is named stay quiet. What each event sends is kept beside
 * app/notifications.
 */
import { expect, it } from "vitest";
import { addDays, DAY, instantOf, MINUTE } from "#app/model/dates.ts";
import { book } from "#tests/support/admin.ts";
import { eventually } from "#tests/support/eventually.ts";
import { sharedAdmin, sharedApp } from "#tests/support/hooks.ts";

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

const desk = sharedAdmin(app);

const phoneOf = (email: string) => `98451${String(email.trim().length).padStart(5, "0")}`;

const bookAs = async (email: string, days: number) => {
  const words = { name: `${WORDS} at evil.example`, notes: `${WORDS}, buy them` };
  const date = addDays(TODAY, days);
  return (await book(app, { ...words, email, phone: phoneOf(email), date })).id;
};

/** Answers where that leads. */
async function post(path: string, form: Record<string, string>): Promise<string> {
  const [, to] = (await app.api(path, { form })).led;
  return to === null ? "" : (await app.api(to)).html;
}

const rowsOf = (appointmentId: string) =>
  app.db.allRaw<{ id: string; state: string }>(
    "SELECT id, state FROM message WHERE appointment_id = ? ORDER BY channel",
    [appointmentId],
  );

/** Every hold that has ended by now was looked at, and nothing waits to be sent, invoices included. */
async function quiet(): Promise<void> {
  await eventually(() => {
    const left = app.db.firstRaw(
      `SELECT (SELECT count(*) FROM appointment a WHERE status = 'pending_payment' AND hold_until <= ?
         AND NOT EXISTS (SELECT 1 FROM message WHERE cause = 'unpaid:' || a.id)) AS unseen,
         (SELECT count(*) FROM message WHERE next_try_at IS NOT NULL) AS waiting`,
      [now()],
    );
    expect(left).toEqual({ unseen: 0, waiting: 0 });
  }, 45_000);
}

/** With nothing in hand, whose lease would end before its time. */
async function pass(ms: number): Promise<void> {
  await quiet();
  ahead += ms;
  await quiet();
}

const mailsTo = (email: string) => app.sandbox.mailbox.list({ to: email });
const whatsAppsTo = (email: string) =>
  app.sandbox.whatsapp.messages.filter(({ to }) => to === `+91${phoneOf(email)}`);

it("brings one reminder with none of their words, rows that say why nothing else went out, and no work for a person", async () => {
  const victim = "victim.of.a.stranger@example.in";
  const ids: string[] = [];
  for (const [i, email] of [victim, victim.toUpperCase(), ` ${victim} `].entries()) {
    const id = await bookAs(email, i + 4);
    ids.push(id);
    const time = { date: addDays(TODAY, i + 4), newTimeSlot: "11:00" };
    await post(`/booking/${id}/reschedule`, { email, ...time });
  }
  const [cancelled] = ids;
  await post(`/booking/${cancelled}/cancel`, { email: victim });
  await pass(HOLD_OVER);
  const mails = mailsTo(victim);
  expect(mails.map(({ subject }) => subject)).toEqual([expect.stringMatching(/^Not paid yet/)]);
  expect(JSON.stringify(mails)).not.toContain(WORDS);
  expect(whatsAppsTo(victim)).toEqual([]);
  const { data } = await desk(`/appointments/${cancelled}`);
  const message = data.messages.find((m: { kind: string }) => m.kind === "booking_cancelled");
  expect(message).toMatchObject({ state: "held_back", attempts: 0 });
  expect(message.lastError).toMatch(/^Held back: .+\.$/);
  expect((await desk.page(`/admin/appointments/${cancelled}`)).html).toContain("Held back: ");
  expect((await desk.page("/admin")).html).not.toContain("Held back");
});

it("staff may send a mail again that was held back, and no WhatsApp message before it is paid", async () => {
  const email = "sent.again@example.in";
  const id = await bookAs(email, 42);
  await post(`/booking/${id}/cancel`, { email });
  const [mail, whatsapp] = rowsOf(id);
  const resend = (row: { id: string }) => desk(`/messages/${row.id}/resend`, { method: "POST" });
  expect((await resend(mail!)).data).toMatchObject({ state: "queued", lastError: null });
  const refused = await resend(whatsapp!);
  expect([refused.status, refused.code]).toEqual([400, "validation_failed"]);
  await quiet();
  expect(rowsOf(id).map(({ state }) => state)).toEqual(["sent", "held_back"]);
  expect(mailsTo(email)).toHaveLength(1);
});

it("pages promise no mail that is held back", async () => {
  const email = "no.promise@example.in";
  const id = await bookAs(email, 60);
  const before = (await app.api(`/booking/${id}/cancel`)).text;
  const after = await post(`/booking/${id}/cancel`, { email });
  expect(before).toContain("You have not paid");
  expect(before).not.toContain("We send an email to you");
  expect(after).toContain("Cancelled");
  expect(after).not.toContain("We have sent you an email");
});

it("/metrics counts the mails held back within a day, by kind", async () => {
  const read = async () => {
    const { text } = await app.api("/metrics", { token: METRICS_TOKEN });
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
