/** Help at the hour by its forms: the booking's page, the captain's session, staff's panel and list. */
import { beforeEach, describe, expect, it } from "vitest";
import { addDays, MINUTE } from "#app/model/dates.ts";
import { findAppointment } from "#db/queries/appointments.server.ts";
import { findCustomerId } from "#db/queries/customers.server.ts";
import { type AdminApi, adminOf, bookAndPay, bookConfirmed } from "#tests/support/admin.ts";
import { type BookingBody, dayAhead, daysFrom, ROHAN } from "#tests/support/bookings.ts";
import { captainOf } from "#tests/support/captain.ts";
import { sharedApp } from "#tests/support/hooks.ts";

let ahead = 0;
const app = sharedApp({ now: () => Date.now() + ahead });
let admin: AdminApi;
beforeEach(async () => {
  ahead = 0;
  admin = await adminOf(app);
});

const nextDay = daysFrom(10);
const BUTTON = "The captain is not here";

/** Six minutes after its start; an admin has signed in since. */
async function atTheHour(
  minutes = 6,
  changes: Partial<BookingBody> = {},
  make: typeof bookConfirmed = bookConfirmed,
): Promise<string> {
  const { id } = await make(app, { date: nextDay(), ...changes });
  ahead = findAppointment(app.db, id)!.startsAt + minutes * MINUTE - Date.now();
  admin = await adminOf(app);
  return id;
}
const page = async (path: string, by?: AdminApi) => (await (by?.page ?? app.api)(path)).text;
const send = (path: string, form: Record<string, string>, cookie = "") =>
  app.api(path, { form, headers: { Cookie: cookie } });
const uidOf = (id: string) => findAppointment(app.db, id)!.calendarUid;
const calls = (id: string) =>
  app.db.allRaw("SELECT side, asks FROM help_call WHERE appointment_id = ?", [id]);

/** The customer has said so; answers the cookie that opens the booking. */
async function called(id: string): Promise<string> {
  const { email } = findAppointment(app.db, id)!.contact;
  return (await send(`/booking/${id}/help`, { asks: "call", email })).cookie;
}

it("at the hour the booking's page begins with the way in, and the captain has a button", async () => {
  const rest = ["At the start time", "What comes next", "Booking Confirmed!"];
  const id = await atTheHour(-20);
  const early = await page(`/booking/${id}`);
  expect(rest.filter((words) => early.includes(words))).toEqual(rest);
  expect(early.indexOf("Join the session")).toBeGreaterThan(early.indexOf("Session pass"));
  for (const minutes of [-14, 1, 29]) {
    ahead = findAppointment(app.db, id)!.startsAt + minutes * MINUTE - Date.now();
    const now = await page(`/booking/${id}`);
    expect(rest.filter((words) => now.includes(words))).toEqual([]);
    expect(now.split("Join the session")).toHaveLength(2);
    expect(now.indexOf("Join the session")).toBeLessThan(now.indexOf("Session pass"));
  }
  const asha = await captainOf(app);
  const own = () => page(`/admin/sessions/${uidOf(id)}`, asha);
  expect(await own()).toMatch(/class="button button-primary[^"]*">Join</);
  ahead += 2 * MINUTE;
  expect(await own()).not.toMatch(/>Join</);
  const byPhone = await atTheHour(-10, { counselor: ROHAN });
  const shown = await page(`/booking/${byPhone}`);
  expect(shown.indexOf("calls you on")).toBeLessThan(shown.indexOf("Session pass"));
});

describe("the customer", () => {
  it("finds the button at the hour alone", async () => {
    const id = await atTheHour();
    expect(await page(`/booking/${id}`)).toContain(BUTTON);
    const byPhone = await atTheHour(6, { counselor: ROHAN });
    expect(await page(`/booking/${byPhone}`)).toContain("Has the captain not called you?");
    ahead = findAppointment(app.db, id)!.endsAt + 61 * MINUTE - Date.now();
    expect(await page(`/booking/${id}`)).not.toContain(BUTTON);
  });

  it("says so in a browser that booked, or with the booking's e-mail address, once", async () => {
    const id = await atTheHour();
    const to = `/booking/${id}/help`;
    // As the button sends it, and a bare form.
    for (const fields of [{ asks: "call" }, {} as Record<string, string>]) {
      const shut = await send(to, fields);
      expect([shut.status, shut.text.includes('name="email"')]).toEqual([403, true]);
    }
    const wrong = await send(to, { asks: "call", email: "stranger@example.in" });
    expect([wrong.status, wrong.headers.get("set-cookie")]).toEqual([400, null]);
    expect(wrong.text).toContain('value="stranger@example.in"');
    expect(calls(id)).toEqual([]);
    const cookie = await called(id);
    expect(calls(id)).toEqual([{ side: "customer", asks: null }]);
    const again = await send(to, { asks: "call" }, cookie);
    expect(again.led).toEqual([303, `/booking/${id}?done=known`]);
    expect(await page(`/booking/${id}?done=known`)).toContain("You have said so already");
    const said = async () => (await app.api(`/booking/${id}`)).words;
    expect(await said()).toMatch(/You said at \d+:\d\d [AP]M IST that/);
    expect(await said()).toContain("+91");
    ahead += 23 * 60 * MINUTE;
    expect(await said()).toMatch(/You said at \d+ \w+ \d{4}, \d+:\d\d [AP]M IST that/);
  });

  it("asks for a free time or for the money, only there and only after that", async () => {
    const id = await atTheHour(6, {}, bookAndPay);
    const to = `/booking/${id}/help`;
    expect(await page(to)).not.toContain("Ask for this time");
    const cookie = await called(id);
    const shown = await page(to);
    const date = /name="date" value="([^"]+)"/.exec(shown)![1]!;
    const newTimeSlot = /name="newTimeSlot" value="([^"]+)"/.exec(shown)![1]!;
    expect(shown).toContain("₹1,179");
    const statusOf = async (fields: Record<string, string>) =>
      (await send(to, fields, cookie)).status;
    expect(await statusOf({ asks: "move", date: "soon", newTimeSlot })).toBe(400);
    const later = { asks: "move", date, newTimeSlot, day: addDays(date, 1) };
    expect(await statusOf(later)).toBe(400);
    const other = await send(to, { ...later, show: "times" }, cookie);
    expect(other.html).toContain(`name="date" value="${later.day}"`);
    expect(other.status).toBe(200);
    expect(other.html).not.toContain("Not sent yet");
    expect(await statusOf({ asks: "move", date, newTimeSlot: "08:00" })).toBe(409);
    expect(await statusOf({ asks: "move", date, newTimeSlot })).toBe(303);
    expect(calls(id)).toEqual([{ side: "customer", asks: "move" }]);
    expect(await statusOf({ asks: "refund" })).toBe(303);
    expect(await page(`/booking/${id}`)).toContain("all your money back");
    const another = await atTheHour();
    expect((await send(`/booking/${another}/help`, { asks: "call" }, cookie)).status).toBe(403);
  });
});

it("the captain says so of their own session, and reads there what the customer said", async () => {
  const id = await atTheHour();
  await called(id);
  const asha = await captainOf(app);
  const rohan = await captainOf(app, ROHAN);
  expect(await page("/admin", asha)).toContain("the captain is not here");
  const path = `/admin/sessions/${uidOf(id)}`;
  const to = `/admin/appointments/${uidOf(id)}/help`;
  const shown = await page(path, asha);
  expect(shown).toContain("The customer is not here");
  expect(shown).toContain("the captain is not here");
  // So that a click is not lost where the sign-in has ended meanwhile.
  for (const form of ["help", "attendance"]) {
    expect(shown).toMatch(new RegExp(`/${form}".{0,300}name="account" value="captain-asha"`, "s"));
  }
  expect(shown).not.toContain("Settled:");
  await rohan.page(to, { form: { back: path } });
  await asha.page(`/admin/appointments/${id}/help`, { form: { back: path } });
  expect(calls(id)).toHaveLength(1);
  const done = await asha.page(to, { form: { back: path } });
  expect(done.led).toEqual([303, path]);
  expect(calls(id)).toHaveLength(2);
  expect(await page(`/booking/${id}`)).toContain("you are not in the session");
});

describe("staff", () => {
  it("see it under “Needs you”, not in red, and give all money back with one click", async () => {
    const id = await atTheHour(6, {}, bookAndPay);
    const cookie = await called(id);
    await send(`/booking/${id}/help`, { asks: "refund" }, cookie);
    const list = await page("/admin", admin);
    expect(list).toContain("where one side is not there");
    expect(list).not.toContain("border-stop bg-stop-soft");
    const { id: other } = await bookConfirmed(app, { date: dayAhead(60) });
    const { counselor, date, timeSlot } = findAppointment(app.db, other)!;
    const block = { counselor, date, timeSlotsToBlock: [timeSlot], action: "block" };
    await admin("/blocks", { method: "POST", json: block });
    const places = await page("/admin", admin);
    expect(places.indexOf("where one side")).toBeLessThan(places.indexOf("inside blocked time"));
    expect(await page(`/admin/appointments/${id}`, admin)).toContain("asks for all money back");
    const to = `/admin/appointments/${id}/help/customer`;
    expect(list).toContain(to);
    const startsAt = String(findAppointment(app.db, id)!.startsAt);
    const fields = { asked: "refund", startsAt, answer: "confirm", back: "/admin" };
    await admin.page(to, { form: { ...fields, asked: "" } });
    expect(findAppointment(app.db, id)!.status).toBe("confirmed");
    expect((await admin.page(to, { form: fields })).status).toBe(303);
    expect(findAppointment(app.db, id)!.status).toBe("cancelled");
    expect(await page("/admin", admin)).not.toContain(`${id}/help`);
  });

  it("are told of it before they erase its customer or delete its booking", async () => {
    const id = await atTheHour(40, { email: "asking@example.in" }, bookAndPay);
    const cookie = await called(id);
    const customer = findCustomerId(app.db, "asking@example.in");
    const erasing = `/admin/customers/${customer}/erase`;
    const words = "called for help and wait";
    expect(await page(erasing, admin)).toContain("Erase Permanently");
    await send(`/booking/${id}/help`, { asks: "refund" }, cookie);
    const shown = await page(erasing, admin);
    expect(shown).toContain(words);
    expect(shown).not.toContain("Erase Permanently");
    const refused = await admin.page(erasing, { form: { intent: "erase" } });
    expect([refused.status, refused.text]).toEqual([
      409,
      expect.stringContaining("This customer called for help at the session on"),
    ]);
    expect(await page(`/admin/appointments/${id}/delete`, admin)).toContain(words);
    const startsAt = String(findAppointment(app.db, id)!.startsAt);
    const form = { asked: "refund", startsAt, answer: "close" };
    await admin.page(`/admin/appointments/${id}/help/customer`, { form });
    expect(await page(`/admin/appointments/${id}/delete`, admin)).not.toContain(words);
    expect((await admin.page(erasing, { form: { intent: "erase" } })).status).toBe(303);
  });

  it("say for the captain that the customer is not there, and close it", async () => {
    const id = await atTheHour();
    const panel = () => page(`/admin/appointments/${id}`, admin);
    expect(await panel()).toContain("The customer is not here");
    await admin.page(`/admin/appointments/${id}/help`, { form: {} });
    const startsAt = String(findAppointment(app.db, id)!.startsAt);
    const form = { asked: "", startsAt, answer: "close" };
    await admin.page(`/admin/appointments/${id}/help/captain`, { form });
    expect(await panel()).toContain("settled");
  });
});
