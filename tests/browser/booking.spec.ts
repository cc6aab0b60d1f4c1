/** A person books and pays, changes their mind, or comes back once the hold has ended. */
import type { Page } from "@playwright/test";
import { formatDay } from "#app/model/dates.ts";
import type { TestApp } from "#tests/helpers/app.ts";
import { book, endHold, makeOrder } from "#tests/support/admin.ts";
import { ASHA, dayAhead, ROHAN } from "#tests/support/bookings.ts";
import { chooseDay } from "#tests/support/choose-day.ts";
import {
  bookIn,
  choose,
  fillForm,
  fillPerson,
  payWindow,
  someone,
  submit,
} from "./booking-steps.ts";
import { expect, test } from "./fixtures.ts";

test("another choice moves the unpaid booking, paid at a second try", async ({ page, app }) => {
  const last = dayAhead(5);
  const who = await fillForm(page, dayAhead(4), "10:00 AM", { minutes: 60 });
  const pages = await page.evaluate(() => history.length);
  await submit(page);
  const pay = payWindow(page);
  await pay.getByRole("button", { name: "Cancel" }).click();
  await expect(
    page.getByText("Payment was cancelled. You can try again later.").first(),
  ).toBeVisible();
  await expect(page.getByText(/You are holding .* Start paying by/).first()).toBeVisible();
  await expect(page.getByText(/do not pay again/i)).toHaveCount(0);
  // One way to pay, the time left beside it.
  await expect(page.getByRole("timer")).toHaveText(/^\d+:\d\d left$/);
  await expect(page.getByRole("link", { name: "Continue to payment" })).toHaveCount(0);
  await expect(page.getByRole("button", { name: /^pay/i })).toHaveCount(1);

  await choose(page, ROHAN, 45);
  await chooseDay(page, last);
  await page.getByRole("radio", { name: "3:00 PM" }).check();
  await expect(page.getByText("the time you hold is free for others").first()).toBeVisible();
  await submit(page);
  await expect(pay.getByText(`Session with ${ROHAN}, `)).toBeVisible();
  await pay.getByRole("button", { name: "Fail payment" }).click();
  await expect(pay.getByText("Payment failed")).toBeVisible();
  await pay.getByRole("button", { name: "Pay now" }).click();

  await expect(page.getByText("Payment Successful", { exact: true })).toBeVisible();
  await expect(page).toHaveURL(/\/booking\/[a-z0-9]{26}$/);
  const heading = page.getByRole("heading", { name: "Booking Confirmed!" });
  await expect(heading).toBeFocused();
  await expect(page.getByText(formatDay(last)).first()).toBeVisible();
  const booked = "SELECT status, on_date, time_slot FROM appointment WHERE email = ?";
  expect(app.db.allRaw(booked, [who.email])).toEqual([
    { status: "confirmed", on_date: last, time_slot: "15:00" },
  ]);
  // The form is done with: there is no way back to it.
  expect(await page.evaluate(() => history.length)).toBe(pages);
});

test("without scripts a person books, pays and comes back", async ({ noJsPage: page, app }) => {
  const who = someone();
  const date = dayAhead(7);
  await page.goto("/");
  await fillPerson(page, who);
  await choose(page, ASHA, 30);
  await page.locator('input[name="date"]').fill(date);
  await page.getByRole("button", { name: "Show times" }).click();
  await expect(page.getByLabel("Full name")).toHaveValue(who.name);
  expect(page.url()).not.toContain("ananya");
  await page.locator('input[name="timeSlot"][value="11:00"]').check({ force: true });
  await submit(page);
  await page.getByRole("button", { name: "Pay ₹1,179" }).click();
  await page.getByRole("button", { name: "Pay now" }).click();
  await page.getByRole("button", { name: "Return to merchant" }).click();
  await expect(page).toHaveURL(/\/booking\/[a-z0-9]{26}$/);
  await expect(page.getByRole("heading", { name: "Booking Confirmed!" })).toBeVisible();
  // Kept free for what only scripts would fill in.
  await expect(page.locator(".own-time").first()).toBeHidden();
  await app.sandbox.mailbox.waitFor({ to: who.email });
});

test("says by itself what became of a payment that is being checked", async ({ page, app }) => {
  const { id } = await bookIn(page, app, { date: dayAhead(6) });
  const { orderId } = (await makeOrder(app, id)).data;
  const proof = app.sandbox.pay(orderId, { outcome: "authorized", webhooks: false });
  await app.api("/api/payments/verify", { json: { ...proof, appointmentId: id } });
  await page.clock.install();
  await page.goto("/#book");
  await expect(page.getByText(/is being checked\. Last checked at/).first()).toBeVisible();
  app.db.runRaw("UPDATE payment SET outcome = 'failed', provider_status = 'failed'");
  await page.clock.runFor(6_000);
  await expect(page.getByText("You are holding").first()).toBeVisible();
});

const HOLD_AGAIN = "Still free: hold it again and pay ₹1,533";

/** Booked in this browser, not paid, and its hold has ended. */
async function lapsed(page: Page, app: TestApp, date: string) {
  const chosen = { date, timeSlot: "14:00", counselor: ROHAN, package: 45 };
  const booking = await bookIn(page, app, chosen);
  endHold(app, booking.id);
  return booking;
}

test("one button takes an ended hold again, scripts or not", async ({ page, noJsPage, app }) => {
  const { id } = await lapsed(noJsPage, app, dayAhead(11));
  await page.goto(`/booking/${id}`);
  await expect(page.getByRole("heading", { name: "The time to pay has ended" })).toBeVisible();
  await page.getByRole("button", { name: HOLD_AGAIN }).click();
  await payWindow(page).getByRole("button", { name: "Cancel" }).click();
  await expect(page.getByText(/Start paying by/)).toBeVisible();
  endHold(app, id);
  await noJsPage.goto(`/booking/${id}`);
  await noJsPage.getByRole("button", { name: HOLD_AGAIN }).click();
  await expect(noJsPage.getByRole("button", { name: "Pay now" })).toBeVisible();
});

test("where the held time is gone the form comes back filled", async ({ page, app }) => {
  const date = dayAhead(12);
  const { id, name, email, phone } = await lapsed(page, app, date);
  await book(app, { date, timeSlot: "14:00", counselor: ROHAN });
  await page.goto(`/booking/${id}`);
  await expect(page.getByRole("heading", { name: "This booking was not paid" })).toBeVisible();
  await page.getByRole("button", { name: "Choose a new time" }).click();
  await expect(page.getByRole("radiogroup", { name: "Start time" })).toBeInViewport();
  expect(page.url()).not.toContain("example.in");
  await expect(page.getByLabel("Full name")).toHaveValue(name);
  await expect(page.getByLabel("Email")).toHaveValue(email);
  await expect(page.getByLabel("Phone")).toHaveValue(new RegExp(phone));
  await expect(page.locator('input[name="package"][value="45"]')).toBeChecked();
  await expect(page.getByRole("radio", { name: "2:00 PM" })).toHaveCount(0);
  await page.getByRole("radio", { name: "11:00 AM" }).check();
  await submit(page);
  await expect(payWindow(page).getByText(`Session with ${ROHAN}, `)).toBeVisible();
  const booked = "SELECT time_slot FROM appointment WHERE id = ?";
  expect(app.db.firstRaw(booked, [id])).toEqual({ time_slot: "11:00" });
});
