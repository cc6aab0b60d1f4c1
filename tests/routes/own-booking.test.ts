/** What the first page says to the browser that booked last. */
import { afterAll, beforeAll, expect, it } from "vitest";
import { instantOf } from "#app/model/dates.ts";
import { startTestApp, type TestApp } from "#tests/helpers/app.ts";
import { adminOf, pay } from "#tests/support/admin.ts";
import { wish } from "#tests/support/bookings.ts";

const MINUTE_MS = 60_000;
let clock = instantOf("2027-03-01", "06:00");
let app: TestApp;
beforeAll(async () => {
  app = await startTestApp({ now: () => clock, env: { WORKER_INTERVAL_MS: "60000" } });
});
afterAll(() => app.stop());

/** Books, and answers the id and a reader of the first page as that browser. */
async function bookAsBrowser(date: string, timeSlot: string) {
  const response = await fetch(`${app.origin}/api/appointments`, {
    method: "POST",
    headers: { "Content-Type": "application/json" },
    body: JSON.stringify(wish({ date, timeSlot })),
  });
  const { data } = await response.json();
  const cookie = response.headers.get("set-cookie")!.split(";")[0]!;
  const read = async () => {
    const page = await fetch(app.origin, { headers: { Cookie: cookie } });
    expect(page.headers.get("cache-control")).toContain("no-store");
    return page.text();
  };
  return { id: data.id as string, read };
}

it("offers to pay a held time, until the hold is over", async () => {
  const { id, read } = await bookAsBrowser("2027-03-02", "10:00");
  const page = await read();
  expect(page).toContain("You are holding");
  expect(page).toContain(`/booking/${id}`);
  clock += 40 * MINUTE_MS;
  expect(await read()).not.toContain(id);
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
