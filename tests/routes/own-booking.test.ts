/** What the first page says to the browser that booked last, and a form that it sends twice. */
import { beforeEach, describe, expect, it } from "vitest";
import { addDays, instantOf, MINUTE } from "#app/model/dates.ts";
import { pay } from "#tests/support/admin.ts";
import { ASHA, bookingBody, bookingForm } from "#tests/support/bookings.ts";
import { sharedApp } from "#tests/support/hooks.ts";

const MORNING = instantOf("2027-03-01", "06:00");
let clock = MORNING;
const app = sharedApp({
  now: () => clock,
  env: { WORKER_INTERVAL_MS: "60000", TRUSTED_PROXY_HEADER: "x-client" },
});
beforeEach(() => {
  clock = MORNING;
});

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
  clock = instantOf("2027-03-01", "23:40");
  const { id, read } = await bookAsBrowser("2027-03-02", "10:00");
  const page = await read();
  expect(page).toContain("You are holding");
  expect(page).toContain("Start paying by 11:55 PM IST.");
  expect(page).toContain(`/booking/${id}`);
  clock += 16 * MINUTE;
  expect(await read()).toContain("Your time to pay for Tue");
  expect(await read()).toContain("ended at 11:55 PM IST. The session is still free.");
  clock += 4 * MINUTE;
  expect(await read()).toContain("ended at 1 Mar 2027, 11:55 PM IST. The session is still free.");
  clock = instantOf("2027-03-02", "10:00");
  expect(await read()).not.toContain(id);
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
  expect(warned.status).toBe(409);
  expect(warned.text).toContain("Please book again only if you want a second session.");
  const [status, to] = (await send("true")).led;
  expect([status, to?.includes(id)]).toEqual([303, false]);
});

it("says that a paid session is confirmed, until it begins or is cancelled", async () => {
  const { id, read } = await bookAsBrowser("2027-03-02", "11:00");
  await pay(app, id);
  const page = await read();
  expect(page).toContain("Your session on");
  expect(page).toContain("is confirmed.");
  expect(page).toContain(`/booking/${id}`);
  clock = instantOf("2027-03-02", "11:00");
  expect(await read()).not.toContain(id);
  clock = MORNING;
  app.db.runRaw("UPDATE appointment SET status = 'cancelled' WHERE id = ?", [id]);
  expect(await read()).not.toContain(id);
});

it("fills the form again with the booking that is asked for, and no other of this browser", async () => {
  const { id, cookie } = await bookAsBrowser("2027-03-09", "10:00");
  const other = await bookAsBrowser("2027-03-09", "15:00");
  const again = async (booking: string, headers: Record<string, string> = { Cookie: cookie }) => {
    const form = { booking, counselor: ASHA, package: "30", intent: "again" };
    return (await app.api("/?index", { form, headers })).text;
  };
  const { email } = app.db.firstRaw<{ email: string }>(
    "SELECT email FROM appointment WHERE id = ?",
    [id],
  )!;
  expect(await again(id)).toContain(`value="${email}"`);
  expect(await again("abcdefghijkmnpqrstuvwxyz23")).not.toContain(email);
  // Nor for whoever has the id alone.
  expect(await again(id, {})).not.toContain(email);
  expect(await again(id, { Cookie: other.cookie })).not.toContain(email);
});

describe("the form posted twice before its cookie has come, as by a double click without scripts", () => {
  let day = 0;
  let form: Record<string, string>;
  beforeEach(() => {
    day += 1;
    form = bookingForm({ date: addDays("2027-03-20", day), notes: "Can I fly?" });
  });

  interface Post {
    address?: string;
    cookie?: string;
    changes?: Record<string, string>;
  }

  const post = ({ address = "192.0.2.1", cookie, changes = {} }: Post = {}) =>
    app.api("/?index", {
      form: { ...form, ...changes },
      headers: { "X-Client": address, ...(cookie && { Cookie: cookie }) },
    });

  it.each([
    ["one after the other", async () => [await post(), await post()]],
    ["at once", () => Promise.all([post(), post(), post()])],
  ])("%s it is one booking, to which answers and cookies lead", async (_, posts) => {
    const answers = await posts();
    const bookings = app.db.allRaw<{ id: string; receipt: string | null }>(
      "SELECT a.id, receipt FROM appointment a LEFT JOIN payment_order ON appointment_id = a.id WHERE email = ?",
      [form.email],
    );
    expect(bookings).toMatchObject([{ receipt: expect.any(String) }]);
    const page = `/booking/${bookings[0]!.id}#pay`;
    for (const { led, cookie } of answers) {
      expect(led).toEqual([303, page]);
      const moved = await post({ cookie, changes: { timeSlot: "14:00" } });
      expect(moved.to).toBe(page);
      expect((await post({ cookie, changes: { timeSlot: "10:00" } })).status).toBe(303);
    }
  });

  it("from another address, for another person, by a call, and after two minutes the time is taken", async () => {
    const first = await post();
    expect(first.status).toBe(303);
    expect((await post({ address: "192.0.2.2" })).status).toBe(409);
    expect((await post({ changes: { email: "other@example.in" } })).status).toBe(409);
    const json = { ...form, packagePrice: 999 };
    const headers = { "X-Client": "192.0.2.1" };
    const called = await app.api("/api/appointments", { json, headers });
    expect(called.code).toBe("slot_taken");
    clock += 2 * MINUTE;
    expect((await post()).to).toBe(first.to);
    clock += 1;
    expect((await post()).status).toBe(409);
  });
});
