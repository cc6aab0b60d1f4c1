/** What is noted of a session once it has begun, the plan after it, and its rating. */
import { beforeEach, describe, expect, it } from "vitest";
import { sha256 } from "#app/core/secrets.server.ts";
import { formatSession } from "#app/model/dates.ts";
import { findAppointment } from "#db/queries/appointments.server.ts";
import { listFeeds } from "#db/queries/catalogue.server.ts";
import { insertRating } from "#db/queries/ratings.server.ts";
import type { ApiInit } from "#tests/helpers/api-client.ts";
import {
  type AdminApi,
  adminOf,
  book,
  bookConfirmed,
  pay,
  sessionCookie,
  UNKNOWN_ID,
} from "#tests/support/admin.ts";
import { allSent } from "#tests/support/all-sent.ts";
import { bookingBody, dayAhead, daysFrom, ROHAN } from "#tests/support/bookings.ts";
import { captainOf } from "#tests/support/captain.ts";
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

const nextDay = daysFrom(10);

/** The clock goes to this moment, and an admin signs in then. */
async function goTo(moment: number): Promise<void> {
  ahead = moment - Date.now();
  admin = await adminOf(app);
}
const sessionOf = (id: string) => findAppointment(app.db, id)!;
const uidOf = (id: string) => sessionOf(id).calendarUid;

const note = (id: string, json: object) =>
  admin(`/appointments/${id}/attendance`, { method: "PUT", json });

describe("attendance", () => {
  it("by call is one of two, or null to take it back", async () => {
    for (const json of [{}, { attendance: "" }, { attendance: "late" }, { attendance: 1 }]) {
      const { status, errors } = await note(UNKNOWN_ID, json);
      const attendance = ["Please send completed, no_show or null"];
      expect([status, errors]).toEqual([400, { attendance }]);
    }
  });

  const post = (id: string, fields: Record<string, string>) =>
    admin.page(`/admin/appointments/${id}/attendance`, { form: fields });
  const led = async (id: string, fields: Record<string, string>) => (await post(id, fields)).led;

  it("by form leads back to where it was submitted, and nowhere else", async () => {
    const { id } = await bookConfirmed(app, { date: nextDay() });
    await goTo(sessionOf(id).startsAt);
    const back = `/admin/calendar?view=day&date=${dayAhead(1)}`;
    const anchor = `attendance-${id.slice(-8)}`;
    expect(await led(id, { attendance: "completed", back, anchor })).toEqual([
      ...[303, `${back}#${anchor}`],
    ]);
    expect(await led(id, { attendance: "", back })).toEqual([303, back]);
    expect(sessionOf(id).attendance).toBeNull();
    expect(await led(id, { attendance: "", back: "//evil.example" })).toEqual([303, "/admin"]);
    const { to } = await post(id, { attendance: "", back, anchor: "x\r\nSet-Cookie: a=b" });
    expect(to).toBe(`${back}#x%0D%0ASet-Cookie%3A%20a%3Db`);
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
  await goTo(sessionOf(id).startsAt);
  await note(id, { attendance: "no_show" });
  await pages();
  const { messages } = (await admin(`/appointments/${id}`)).data;
  await admin(`/messages/${messages[0].id}/resend`, { method: "POST" });
  await admin(`/appointments/${id}`, { method: "PATCH", json: { name: "Meera P. Nair" } });
  await admin(`/appointments/${id}/cancel`, { method: "POST" });
  await eventually(() =>
    expect(app.db.firstRaw("SELECT 1 FROM document WHERE kind = 'credit_note'")).toBeDefined(),
  );
  await allSent(app);
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

/** Its session is over, and an admin has signed in since. */
async function over(changes: object = {}): Promise<string> {
  const { id } = await bookConfirmed(app, { date: nextDay(), ...changes });
  await goTo(sessionOf(id).endsAt + 1000);
  return id;
}

const put = (id: string, json: object, by = admin) =>
  by(`/appointments/${id}/plan`, { method: "PUT", json });
const page = (id: string, cookie = "") =>
  app.api(`/booking/${id}`, { headers: { Cookie: cookie } });

const TEXT = "First the medical.\n\n- [examiners](https://dgca.gov.in/)\n- <b>no markup</b>";

it("a plan by call is the captain's by the address of their own session alone, then sent by staff", async () => {
  const id = await over();
  const captain = await captainOf(app);
  const other = await captainOf(app, ROHAN);
  expect(await put(id, { text: TEXT }, captain)).toMatchObject({ status: 404 });
  expect(await put(uidOf(id), { text: TEXT }, other)).toMatchObject({ status: 404 });
  const plan = { text: TEXT, sentAt: null };
  expect((await put(uidOf(id), { text: TEXT }, captain)).data).toEqual({ plan });
  expect((await captain(`/appointments/${uidOf(id)}`)).data.plan).toEqual(plan);
  const { data } = await put(id, { text: TEXT, send: true });
  expect(data.plan).toEqual({ text: TEXT, sentAt: expect.stringMatching(/^\d{4}-.*Z$/) });
  const detail = (await admin(`/appointments/${id}`)).data;
  expect([detail.plan, detail.appointment.plan]).toEqual([data.plan, data.plan]);
});

describe("a plan by form", () => {
  it("is saved as a draft, then sent, by staff and by its captain", async () => {
    const id = await over();
    const captain = await captainOf(app);
    const send = (path: string, by: AdminApi, form: Record<string, string>) =>
      by.page(path, { form });
    const [mine, theirs] = [id, uidOf(id)].map((one) => `/admin/appointments/${one}/plan`);
    const shown = await captain.page(theirs!);
    const version = /name="version" value="([^"]*)"/.exec(shown.text)![1]!;
    const first = { intent: "draft", text: "A draft", version };
    expect((await send(theirs!, captain, first)).led).toEqual([303, theirs]);
    // Staff's page was made before there was any.
    expect((await send(mine!, admin, { ...first, text: "B" })).status).toBe(409);
    expect((await send(mine!, admin, { intent: "send", text: " " })).status).toBe(400);
    await send(mine!, admin, { intent: "send", text: TEXT, version: "1" });
    const { text } = await admin.page(mine!);
    expect(text).toContain("Mailed on");
    expect(text).toContain('<a class="link" href="https://dgca.gov.in/" rel="noopener nofollow">');
    expect(text).toContain("&lt;b&gt;no markup&lt;/b&gt;");
  });

  it("of an earlier session stands beside an empty form for the one that it was moved to", async () => {
    const id = await over();
    const path = `/admin/appointments/${id}/plan`;
    await put(id, { text: TEXT, send: true });
    const move = { date: nextDay(), newTimeSlot: "15:00", counselor: ROHAN };
    await admin(`/appointments/${id}/reschedule`, { method: "PUT", json: move });
    await goTo(sessionOf(id).endsAt);
    const { text } = await admin.page(path);
    expect(text).toContain("The plan of an earlier session");
    expect(text).toMatch(/Of Capt\. Asha Sample, .*\. What you save here takes its place\./);
    expect(text).toMatch(/<textarea[^>]*><\/textarea>/);
    expect(text).toContain("Send to the customer");
    expect((await admin(`/appointments/${id}`)).data.plan).toBeNull();
    expect((await put(id, { text: "A draft", version: 0 })).status).toBe(200);
    expect((await put(id, { text: "Another", version: 0 })).status).toBe(409);
    expect((await admin.page(path)).text).not.toContain("earlier session");
  });

  it("is taken in Hindi as long as any other, also after the session has ended", async () => {
    const id = await over();
    const text = "\u0928".repeat(5_000);
    const path = `/admin/appointments/${id}/plan`;
    const post = (to: string, cookie: string) =>
      app.api(to, {
        headers: { Cookie: cookie },
        form: {
          account: "admin",
          intent: "draft",
          text,
          shown: JSON.stringify({ text }),
          version: "0",
        },
      });
    expect((await post(path, sessionCookie(admin.token))).status).toBe(303);
    const out = await post("/admin", "");
    expect([out.status, out.text.includes("is back in its form")]).toEqual([401, true]);
  });
});

describe("a plan on the booking's page", () => {
  it("is read by who knows the booking's e-mail address, in the browser where it was given", async () => {
    const id = await over();
    await put(id, { text: TEXT });
    expect((await page(id)).text).not.toContain("Your plan");
    await put(id, { text: TEXT, send: true });
    const shut = (await page(id)).text;
    expect([shut.includes("Show the plan"), shut.includes("First the medical")]).toEqual([
      true,
      false,
    ]);
    const open = (email: string) => app.api(`/booking/${id}/open`, { form: { email } });
    const wrong = await open("stranger@example.in");
    expect([wrong.status, wrong.headers.get("set-cookie")]).toEqual([400, null]);
    const right = await open(sessionOf(id).contact.email.toUpperCase());
    expect(right.status).toBe(303);
    const { cookie } = right;
    expect(cookie).not.toContain(id);
    const { text } = await page(id, cookie);
    expect(text).toContain("First the medical");
    // On a phone, before what the session was.
    expect(text.indexOf("First the medical")).toBeLessThan(text.indexOf("Session pass"));

    expect((await app.api(`/booking/${id}/plan.pdf`)).status).toBe(404);
    const pdf = await app.api(`/booking/${id}/plan.pdf`, { headers: { Cookie: cookie } });
    expect(pdf.headers.get("content-type")).toBe("application/pdf");
    const words = await pdfText(pdf.bytes);
    expect(words).toContain("First the medical.");
    expect(words).toContain("<b>no markup</b>");

    const other = await over();
    await put(other, { text: TEXT, send: true });
    expect((await page(other, cookie)).text).not.toContain("First the medical");
  });
});

const TOKEN = "abcdefghijkmnpqrstuvwxyz77";

/** A session that took place, which `token` rates. */
async function toRate(token: string, ratingId: string): Promise<string> {
  const { id } = await bookConfirmed(app, { date: nextDay() });
  const { counselorKey, startsAt, endsAt } = sessionOf(id);
  await goTo(endsAt);
  await note(id, { attendance: "completed" });
  const asked = { id: ratingId, appointmentId: id, tokenHash: sha256(token), askedAt: Date.now() };
  insertRating(app.db, { ...asked, counselorKey, startsAt });
  return id;
}
const send = (token: string, form: Record<string, string>) => app.api(`/rating/${token}`, { form });

it("a rating is sent by the link without scripts, listed for the owner, hidden and shown again", async () => {
  const id = await toRate(TOKEN, UNKNOWN_ID);
  const { counselorKey } = sessionOf(id);
  expect((await app.api(`/rating/${UNKNOWN_ID}`)).status).toBe(404);
  expect((await send(UNKNOWN_ID, { stars: "1" })).status).toBe(404);
  const { headers, text } = await app.api(`/rating/${TOKEN}`);
  const { date, timeSlot, counselor } = sessionOf(id);
  for (const said of ["How was your session with", counselor, formatSession(date, timeSlot)]) {
    expect(text).toContain(said);
  }
  expect(headers.get("cache-control")).toContain("no-store");
  for (const stars of ["", "0", "6", "2.5"]) {
    expect((await send(TOKEN, { stars, text: "x" })).status).toBe(400);
  }
  expect((await send(TOKEN, { stars: "4", text: "Clear", shown: "yes" })).status).toBe(303);
  const again = (await app.api(`/rating/${TOKEN}`)).text;
  expect(again).toMatch(/<input(?=[^>]* value="4")[^>]* checked=""/);
  const { data } = await admin("/ratings");
  expect(data.ratings).toEqual([
    expect.objectContaining({ id: UNKNOWN_ID, stars: 4, text: "Clear", hidden: null }),
  ]);
  const captain = () => app.api(`/captains/${counselorKey}`).then((page) => page.text);
  expect(await captain()).toContain("Clear</p>");
  const page = async () => (await admin.page("/admin/ratings")).words;
  const submit = (fields: Record<string, string>) =>
    admin.page("/admin/ratings", { form: { rating: UNKNOWN_ID, ...fields } });
  expect(await page()).toContain("On the captain's page.");
  const without = await submit({ intent: "hide", hidden: "" });
  expect([without.status, without.words]).toEqual([
    400,
    expect.stringContaining("Please choose a reason"),
  ]);
  expect((await submit({ intent: "hide", hidden: "private_data" })).status).toBe(303);
  expect(await page()).toContain("Hidden: Private data. The stars count.");
  expect(await captain()).not.toContain("Clear</p>");
  expect(await captain()).toContain("The text of 1 rating is hidden");
  expect((await submit({ intent: "show" })).status).toBe(303);
  expect(await captain()).toContain("Clear</p>");
  const byCall = (hidden: string | null, of = UNKNOWN_ID) =>
    admin(`/ratings/${of}`, { method: "PUT", json: { hidden } });
  expect((await byCall("low")).status).toBe(400);
  expect((await byCall("abuse", "abcdefghijkmnpqrstuvwxyz24")).status).toBe(404);
  expect((await byCall("abuse")).data.rating).toMatchObject({ hidden: "abuse", stars: 4 });
  expect((await byCall(null)).data.rating).toMatchObject({ hidden: null });
  await byCall("abuse");
  expect((await app.api(`/rating/${TOKEN}`)).text).toContain("Reason: abuse.");
  expect((await send(TOKEN, { intent: "withdraw" })).status).toBe(303);
  const withdrawn = (await app.api(`/rating/${TOKEN}?done=withdrawn`)).text;
  expect(withdrawn).toContain("you can rate again");
  expect(withdrawn).not.toContain("We do not show your words");
  expect((await admin("/ratings")).data.ratings).toEqual([]);
});

it.each([
  [
    "was cancelled",
    "was cancelled",
    (id: string) => admin(`/appointments/${id}/cancel`, { json: {} }),
  ],
  ["was no session", "do not say that", (id: string) => note(id, { attendance: "no_show" })],
])("the link of a session that %s says so, and takes no stars", async (name, why, end) => {
  const token =
    name === "was cancelled" ? "cancelledwasthissession222" : "therewasnosuchsession22222";
  const id = await toRate(token, `rating that ${name}`);
  await send(token, { stars: "2", text: "Too short" });
  await end(id);
  const page = (query = "") => app.api(`/rating/${token}${query}`);
  const { status, text } = await page("?done=rated");
  expect(status).toBe(200);
  for (const said of [why, "Your rating, 2 of 5 stars, stays as it is", "Withdraw"])
    expect(text).toContain(said);
  for (const not of ["<textarea", 'name="stars"', "Thank you"]) expect(text).not.toContain(not);
  const refused = await send(token, { stars: "5", text: "Other words" });
  expect([refused.status, refused.text]).toEqual([409, expect.stringContaining(why)]);
  const stars = async () =>
    (await admin("/ratings")).data.ratings.map((one: { stars: number; text: string }) => [
      one.stars,
      one.text,
    ]);
  expect(await stars()).toEqual([[2, "Too short"]]);
  expect((await send(token, { intent: "withdraw" })).status).toBe(303);
  const withdrawn = (await page("?done=withdrawn")).text;
  expect(withdrawn).toContain("Your rating is withdrawn");
  for (const not of ["rate again", "Withdraw it", "stays as it is"])
    expect(withdrawn).not.toContain(not);
  expect(await stars()).toEqual([]);
});

it.each(["Infinity", "1e300"])("the list of ratings answers for page %s", async (page) => {
  expect((await admin.page(`/admin/ratings?page=${page}`)).status).toBe(200);
});

it("a cancellation after the start says that the session has begun", async () => {
  const { id } = await book(app, { date: nextDay() });
  await pay(app, id);
  await goTo(sessionOf(id).endsAt + 1);
  const { words } = await admin.page(`/admin/appointments/${id}/cancel`);
  expect(words).toContain("The session has begun, so you may keep a part.");
  expect(words).not.toMatch(/starts in less than|free for others/);
});
