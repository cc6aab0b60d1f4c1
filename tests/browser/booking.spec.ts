/** A person books and pays, and changes their mind: one browser has one unpaid booking. */

import { formatDay } from "#app/model/dates.ts";
import type { TestApp } from "#tests/helpers/app.ts";
import { ASHA, dayAhead, ROHAN } from "#tests/support/bookings.ts";
import { chooseDay } from "#tests/support/choose-day.ts";
import { pdfText } from "#tests/support/pdf-text.ts";
import {
  change,
  choose,
  fillForm,
  fillPerson,
  payWindow,
  someone,
  submit,
} from "./booking-steps.ts";
import { expect, test } from "./fixtures.ts";

/** A date of its own for each test of a worker, whose database is its own. */
let day = 3;
const nextDate = () => {
  day += 1;
  return dayAhead(day);
};

test("books and pays with scripts on", async ({ page, app }) => {
  const date = nextDate();
  const who = await fillForm(page, date, "11:00 AM");
  await expect(page.getByText("₹1,179").first()).toBeVisible();
  await submit(page);
  const pay = payWindow(page);
  await pay.getByRole("button", { name: "Pay now" }).click();
  await expect(page.getByRole("heading", { name: "Booking Confirmed!" })).toBeVisible();
  await expect(page.getByText("Payment Successful", { exact: true })).toBeVisible();
  await expect(page.getByText(formatDay(date)).first()).toBeVisible();
  const invoice = page.getByRole("link", { name: "Download Invoice" });
  await expect(invoice).toHaveAttribute("target", "_blank");
  const answer = await page.request.get((await invoice.getAttribute("href"))!);
  expect(await pdfText(await answer.body())).toContain("1,179.00");
  const [mail] = await app.sandbox.mailbox.waitFor({ to: who.email });
  const types = mail!.attachments.map((attachment) => attachment.contentType.split(";")[0]);
  expect(types).toContain("application/pdf");
});

test("after a closed checkout or a failed payment it can be paid", async ({ page }) => {
  await fillForm(page, nextDate(), "3:00 PM", { minutes: 60 });
  await submit(page);
  const pay = payWindow(page);
  await pay.getByRole("button", { name: "Cancel" }).click();
  await expect(
    page.getByText("Payment was cancelled. You can try again later.").first(),
  ).toBeVisible();
  // One way to pay, the time left beside it.
  await expect(page.getByRole("timer")).toHaveText(/^\d+:\d\d left$/);
  await expect(page.getByRole("link", { name: "Continue to payment" })).toHaveCount(0);
  await expect(page.getByRole("button", { name: /^pay/i })).toHaveCount(1);
  await page
    .getByRole("button", { name: /pay ₹1,769/i })
    .first()
    .click();
  await pay.getByRole("button", { name: "Fail payment" }).click();
  await expect(pay.getByText("Payment failed")).toBeVisible();
  await pay.getByRole("button", { name: "Pay now" }).click();
  await expect(page.getByRole("heading", { name: "Booking Confirmed!" })).toBeVisible();
});

test("an invoice for a company: its fields, and what is wrong", async ({ page, app }) => {
  await fillForm(page, nextDate(), "11:00 AM");
  await expect(page.getByLabel("GSTIN")).toBeHidden();
  await page.getByText("Invoice for a company").click();
  await page.getByLabel("GSTIN").fill("27aapfu0939f1zw");
  await page.getByLabel("Company name").fill("Sky Lines Pvt. Ltd.");
  await submit(page);
  await expect(page.locator("#form-errors")).toContainText("This GSTIN has a wrong check digit.");
  await page.getByRole("link", { name: "Please enter the company’s address" }).click();
  await expect(page.getByLabel("Address", { exact: true })).toBeFocused();
  await page.getByLabel("Address", { exact: true }).fill("4 Marine Drive, Mumbai 400002");
  await page.getByLabel("GSTIN").fill("27AAPFU0939F1ZV");
  await submit(page);
  await payWindow(page).getByRole("button", { name: "Pay now" }).waitFor();
  expect(app.db.firstRaw("SELECT gstin, state_code FROM appointment ORDER BY seq DESC")).toEqual({
    gstin: "27AAPFU0939F1ZV",
    state_code: "27",
  });
});

const bookings = (app: TestApp, email: string) =>
  app.db.allRaw<{ id: string; status: string; on_date: string; time_slot: string }>(
    "SELECT * FROM appointment WHERE email = ?",
    [email],
  );

test("another choice moves the unpaid booking, until it is paid", async ({ page, app }) => {
  const who = someone();
  const [first, last] = [nextDate(), nextDate()];
  await page.goto("/");
  const pages = await page.evaluate(() => history.length);
  await fillPerson(page, who);
  await choose(page, ASHA, 30);
  await chooseDay(page, first);
  for (const [counselor, minutes, time] of [
    [ASHA, 30, "10:00 AM"],
    [ASHA, 60, "10:00 AM"],
    [ROHAN, 45, "2:00 PM"],
  ] as const) {
    await choose(page, counselor, minutes);
    await page.getByRole("radio", { name: time }).check();
    await submit(page);
    await expect(payWindow(page).getByText(`Session with ${counselor}, `)).toBeVisible();
    await payWindow(page).getByRole("button", { name: "Cancel" }).click();
    await expect(page.getByText(/You are holding .* Start paying by/).first()).toBeVisible();
    await expect(page.getByText(/do not pay again/i)).toHaveCount(0);
  }
  await change(page);
  await chooseDay(page, last);
  await page.getByRole("radio", { name: "3:00 PM" }).check();
  await expect(page.getByText("this time is free for others").first()).toBeVisible();
  await submit(page);
  await payWindow(page).getByRole("button", { name: "Pay now" }).click();

  await expect(page).toHaveURL(/\/booking\/[a-z0-9]{26}$/);
  const heading = page.getByRole("heading", { name: "Booking Confirmed!" });
  await expect(heading).toBeFocused();
  await expect(page.getByText("Payment Successful", { exact: true })).toBeVisible();
  await page.reload();
  await expect(heading).toBeVisible();
  const [booked, ...others] = bookings(app, who.email);
  expect(others).toEqual([]);
  expect(booked).toMatchObject({ status: "confirmed", on_date: last, time_slot: "15:00" });
  // The form is done with: there is no way back to it.
  expect(await page.evaluate(() => history.length)).toBe(pages);
});

test("says by itself what became of a payment that is being checked", async ({ page, app }) => {
  const who = await fillForm(page, nextDate(), "11:00 AM");
  await submit(page);
  await payWindow(page).getByText("More outcomes").click();
  await payWindow(page).getByRole("button", { name: "Pay, authorise only" }).click();
  await expect(page).toHaveURL(/\/booking\//);
  await expect(page.getByRole("heading", { name: "Your payment is being checked" })).toBeVisible();
  await expect(page.getByText(/Last checked at \d/)).toBeVisible();
  await expect(page.getByRole("button", { name: /^Pay/ })).toHaveCount(0);
  await page.clock.install();
  await page.goto("/#book");
  await expect(page.getByText(/is being checked\. Last checked at/).first()).toBeVisible();
  const [booked] = bookings(app, who.email);
  app.db.runRaw("UPDATE payment SET outcome = 'failed', provider_status = 'failed'");
  await page.clock.runFor(6_000);
  await expect(page.getByText("You are holding").first()).toBeVisible();
  expect(booked!.status).toBe("pending_payment");
});

test("shows one deadline, and at its end what became of the time", async ({ page, app }) => {
  const who = await fillForm(page, nextDate(), "11:00 AM");
  await submit(page);
  await payWindow(page).getByRole("button", { name: "Cancel" }).click();
  await expect(page.getByText("You are holding").first()).toBeVisible();
  const [booked] = bookings(app, who.email);
  app.db.runRaw("UPDATE appointment SET pay_before = ? WHERE id = ?", [
    Date.now() + 2_000,
    booked!.id,
  ]);
  await page.goto("/");
  await expect(page.getByText(/Your time to pay for .* ended at .* IST\./).first()).toBeVisible();
  await page.goto(`/booking/${booked!.id}`);
  await expect(page.getByRole("heading", { name: "The time to pay has ended" })).toBeVisible();
});
