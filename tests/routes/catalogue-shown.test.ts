/** What visitors see and may book follows the catalogue of the database, at the next request. */
import { beforeEach, describe, expect, it } from "vitest";
import { endHold, makeOrder } from "#tests/support/admin.ts";
import { ASHA, bookingBody, bookingForm, dayAhead, ROHAN } from "#tests/support/bookings.ts";
import { sharedApp } from "#tests/support/hooks.ts";

const app = sharedApp();
let day = 30;
beforeEach(() => {
  day += 1;
  app.db.runRaw("UPDATE counselor SET active = 1, name = iif(key = 'asha', ?, ?)", [ASHA, ROHAN]);
  app.db.runRaw("UPDATE package SET active = 1, price_rupees = 999 WHERE minutes = 30");
});

const page = async (search = "") => (await fetch(`${app.origin}/${search}`)).text();
const book = (changes: object) =>
  app.api("/api/appointments", { json: { ...bookingBody({ date: dayAhead(day) }), ...changes } });
const takeOff = (key: string) =>
  app.db.runRaw("UPDATE counselor SET active = 0 WHERE key = ?", [key]);

describe("a captain taken off the page", () => {
  it("is unknown to visitors' calls, and known to the admin's", async () => {
    const held = await book({ counselor: ROHAN });
    expect(await page()).toContain(ROHAN);
    takeOff("rohan");
    const html = await page();
    expect(html).not.toContain(ROHAN);
    expect(html).toContain(ASHA);
    const unknown = { status: 400, errors: { counselor: ["Please select a captain"] } };
    expect(await book({ counselor: ROHAN, timeSlot: "11:00" })).toMatchObject(unknown);
    const query = new URLSearchParams({ counselor: ROHAN, date: dayAhead(day) });
    expect(await app.api(`/api/slots?${query}`)).toMatchObject(unknown);
    const range = new URLSearchParams({ counselor: ROHAN, from: dayAhead(1), to: dayAhead(2) });
    expect(await app.api(`/api/availability?${range}`)).toMatchObject(unknown);
    // What is held can still be paid, and once its hold has ended only when they are back.
    expect((await makeOrder(app, held.data.id)).status).toBe(200);
    expect((await app.api(`/booking/${held.data.id}`)).text).toContain(ROHAN);
    endHold(app, held.data.id);
    expect((await makeOrder(app, held.data.id)).code).toBe("slot_taken");
    app.db.runRaw("UPDATE counselor SET active = 1 WHERE key = 'rohan'");
    expect((await makeOrder(app, held.data.id)).status).toBe(200);
  });

  it("is named to whoever comes by an old link, and nobody else is", async () => {
    const link = (name: string) => page(`?counselor=${encodeURIComponent(name)}`);
    const gone = `${ROHAN} takes no bookings. Please choose another captain.`;
    expect(await link(ROHAN)).not.toContain("takes no bookings");
    takeOff("rohan");
    expect(await link(ROHAN)).toContain(gone);
    expect(await link(ROHAN.toLowerCase())).toContain(gone);
    expect(await link("<b>Nobody</b>")).not.toContain("takes no bookings");
    expect(await page()).not.toContain("takes no bookings");
  });
});

describe("a price", () => {
  it("that changed is agreed to first; what is held keeps the one it was agreed at", async () => {
    const held = await book({});
    app.db.runRaw("UPDATE package SET price_rupees = 1100 WHERE minutes = 30");
    expect(await page()).toContain("₹1,298");
    expect(await book({ timeSlot: "11:00" })).toMatchObject({
      status: 409,
      code: "price_changed",
      message: expect.stringContaining("₹1,100 + GST = ₹1,298"),
    });
    expect((await makeOrder(app, held.data.id)).data.amount).toBe(1179);
  });

  it("that the page showed anew is what the held one is paid at", async () => {
    const form = bookingForm({ date: dayAhead(day) });
    const held = await book({ ...form });
    const headers = { Cookie: held.cookie };
    const post = (shownTotal: string) =>
      app.api("/?index", { form: { ...form, shownTotal }, headers });
    const ordered = async () => (await makeOrder(app, held.data.id)).data.amount;
    app.db.runRaw("UPDATE package SET price_rupees = 500 WHERE minutes = 30");
    // The page said neither.
    for (const other of ["30-1298 45-1533 60-1769", "45-1533 60-1769"]) {
      const shown = await post(other);
      expect([shown.status, await ordered()]).toEqual([409, 1179]);
      expect(shown.text).toContain("The price has changed");
    }
    expect((await post("30-590 45-1533 60-1769")).status).toBe(303);
    expect(await ordered()).toBe(590);
  });

  it("of a package taken off the page is none", async () => {
    app.db.runRaw("UPDATE package SET active = 0 WHERE minutes = 30");
    expect(await book({})).toMatchObject({
      status: 400,
      errors: { package: ["Please select a package"] },
    });
    expect(await page()).not.toContain("30 minutes: ");
    expect(await page()).toContain("45 minutes: ");
  });
});

it("samples cannot be booked at a public address, unless its documents are samples", async () => {
  await app.restart({ PUBLIC_URL: "https://book.example.in", RATE_LIMIT: undefined });
  expect(await page()).toContain("No captain can be booked at the moment");
  expect(await book({})).toMatchObject({
    status: 400,
    errors: { counselor: expect.any(Array) },
  });
  app.db.runRaw("UPDATE counselor SET sample_of = NULL WHERE key = 'asha'");
  expect((await book({})).status).toBe(201);
});
