/** What the first page says to the browser that booked last. */
import { expect, it } from "vitest";
import { instantOf } from "#app/model/dates.ts";
import { adminOf, pay } from "#tests/support/admin.ts";
import { ASHA, bookingBody, bookingForm } from "#tests/support/bookings.ts";
import { sharedApp } from "#tests/support/hooks.ts";

const MINUTE_MS = 60_000;
let clock = instantOf("2027-03-01", "06:00");
const app = sharedApp({ now: () => clock, env: { WORKER_INTERVAL_MS: "60000" } });

/** Books, and answers the id and a reader of the first page as that browser. */
async function bookAsBrowser(date: string, timeSlot: string) {
  const json = bookingBody({ date, timeSlot });
  const { data, cookie } = await app.api("/api/appointments", { json });
  const read = async () => {
    const page = await app.api("/", { headers: { Cookie: cookie } });
    expect(page.headers.get("cache-control")).toContain("no-store");
    return page.text;
  };
  return { id: data.id as string, cookie, read };
}

it("offers to pay a held time, until the hold is over", async () => {
  const { id, read } = await bookAsBrowser("2027-03-02", "10:00");
  const page = await read();
  expect(page).toContain("You are holding");
  expect(page).toContain(`/booking/${id}`);
  clock += 20 * MINUTE_MS;
  expect(await read()).toContain("Your time to pay for Tue");
  expect(await read()).toContain("ended at 6:15 AM IST. The session is still free.");
  clock = instantOf("2027-03-02", "10:00");
  expect(await read()).not.toContain(id);
  clock = instantOf("2027-03-01", "06:00");
});

it("offers a browser its own time, and nobody else", async () => {
  const { cookie } = await bookAsBrowser("2027-03-03", "10:00");
  const day = "2027-03-03";
  const query = { counselor: ASHA, date: day, from: day, to: day, package: "60" };
  const times = async (headers: Record<string, string>) => {
    const ask = (call: string) =>
      app.api(`/api/${call}?${new URLSearchParams(query)}`, { headers });
    const { availableSlots } = (await ask("slots")).data;
    return [availableSlots.includes("10:00"), (await ask("availability")).data.days[day]];
  };
  const strangers = await times({});
  expect(strangers[0]).toBe(false);
  expect(await times({ Cookie: cookie })).toEqual([true, Number(strangers[1]) + 1]);
  expect(await times({})).toEqual(strangers);
});

it("says before it books a second session that the first one is paid", async () => {
  const { id, cookie } = await bookAsBrowser("2027-03-05", "10:00");
  const form = bookingForm({ date: "2027-03-05", timeSlot: "15:00" });
  const send = (knowsPaid: string) =>
    app.api("/", { form: { ...form, knowsPaid }, headers: { Cookie: cookie } });
  await pay(app, id);
  const warned = await send("false");
  expect(warned.httpStatus).toBe(409);
  expect(warned.text).toContain("Please book again only if you want a second session.");
  const [status, to] = (await send("true")).led;
  expect([status, to?.includes(id)]).toEqual([303, false]);
});

it("says that a paid session is confirmed, until it begins", async () => {
  const { id, read } = await bookAsBrowser("2027-03-02", "11:00");
  await pay(app, id);
  const page = await read();
  expect(page).toContain("Your session on");
  expect(page).toContain("is confirmed.");
  expect(page).toContain(`/booking/${id}`);
  clock = instantOf("2027-03-02", "11:00");
  expect(await read()).not.toContain(id);
});

it("says nothing of a cancelled one", async () => {
  const { id, read } = await bookAsBrowser("2027-03-04", "11:00");
  await pay(app, id);
  const admin = await adminOf(app);
  await admin(`/appointments/${id}/cancel`, { method: "POST", json: {} });
  expect(await read()).not.toContain(id);
});

it("fills the form again with the booking that is asked for, and no other of this browser", async () => {
  const { id, cookie } = await bookAsBrowser("2027-03-09", "10:00");
  const again = async (booking: string) => {
    const form = { booking, counselor: ASHA, package: "30", intent: "again" };
    return (await app.api("/?index", { form, headers: { Cookie: cookie } })).text;
  };
  const { email } = app.db.firstRaw<{ email: string }>(
    "SELECT email FROM appointment WHERE id = ?",
    [id],
  )!;
  expect(await again(id)).toContain(`value="${email}"`);
  expect(await again("abcdefghijkmnpqrstuvwxyz23")).not.toContain(email);
});
