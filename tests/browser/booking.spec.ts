/** A person books and pays, with scripts and without; each ends with invoice and mail. */
import { addDays, dateInIndia, formatDay } from "#app/model/dates.ts";
import type { TestApp } from "#tests/helpers/app.ts";
import { ASHA, ROHAN } from "#tests/support/bookings.ts";
import { chooseDay } from "#tests/support/choose-day.ts";
import { pdfText } from "#tests/support/pdf-text.ts";
import { choose, fillPerson, payWindow, SUBMIT, someone } from "./booking-steps.ts";
import { expect, test } from "./fixtures.ts";

/** A date of its own for each test of a worker, whose database is its own. */
let day = 3;
const nextDate = () => {
  day += 1;
  return addDays(dateInIndia(Date.now()), day);
};

async function expectPapers(
  app: TestApp,
  invoiceUrl: string,
  email: string,
  amounts: string[],
): Promise<void> {
  const response = await fetch(new URL(invoiceUrl, app.origin));
  const text = await pdfText(new Uint8Array(await response.arrayBuffer()));
  for (const part of ["AC/", ...amounts]) expect(text).toContain(part);
  const [mail] = await app.sandbox.mailbox.waitFor({ to: email });
  expect(mail, "the confirmation mail").toBeTruthy();
  const types = mail!.attachments.map((attachment) => attachment.contentType.split(";")[0]);
  expect(types).toContain("application/pdf");
  expect(types.some((type) => type === "text/calendar" || type === "application/ics")).toBe(true);
}

test("books and pays with scripts on", async ({ page, app }) => {
  const who = someone();
  const date = nextDate();
  await page.goto("/");
  await fillPerson(page, who);
  await choose(page, ASHA, 30);
  await chooseDay(page, date);
  await page.getByRole("radio", { name: "11:00 AM" }).check();
  await expect(page.getByText("₹1,179").first()).toBeVisible();
  await page.getByRole("button", { name: SUBMIT }).first().click();
  const pay = payWindow(page);
  await pay.getByRole("button", { name: "Pay now" }).click();
  await expect(page.getByRole("heading", { name: "Booking Confirmed!" })).toBeVisible();
  await expect(page.getByText("Payment Successful", { exact: true })).toBeVisible();
  await expect(page.getByText(formatDay(date)).first()).toBeVisible();
  const invoice = page.getByRole("link", { name: "Download Invoice" });
  await expect(invoice).toHaveAttribute("target", "_blank");
  const url = (await invoice.getAttribute("href"))!;
  await expectPapers(app, url, who.email, ["999.00", "180.00", "90.00", "1,179.00"]);
});

test("books and pays without scripts", async ({ noJsPage: page, app }) => {
  const who = someone();
  const date = nextDate();
  await page.goto("/");
  await fillPerson(page, who);
  await choose(page, ROHAN, 45);
  await page.locator('input[name="date"]').fill(date);
  await page.getByRole("button", { name: /show times/i }).click();
  await expect(page.getByLabel("Full name")).toHaveValue(who.name);
  expect(page.url()).not.toContain("ananya");
  await page.locator('input[name="timeSlot"][value="14:00"]').check({ force: true });
  await page.getByRole("button", { name: SUBMIT }).first().click();
  await expect(page).toHaveURL(/\/booking\/[a-z0-9]{26}/);
  await page.getByRole("button", { name: /pay ₹1,533/i }).click();
  await page.getByRole("button", { name: "Pay now" }).click();
  await page.getByRole("button", { name: "Return to merchant" }).click();
  await expect(page).toHaveURL(/\/booking\/[a-z0-9]{26}$/);
  await expect(page.getByRole("heading", { name: "Booking Confirmed!" })).toBeVisible();
  await expect(page.getByText(formatDay(date)).first()).toBeVisible();
  const url = (await page.getByRole("link", { name: "Download Invoice" }).getAttribute("href"))!;
  await expectPapers(app, url, who.email, ["1,299.00", "234.00", "117.00", "1,533.00"]);
});

test("a closed checkout leaves the booking payable, and a failed payment may be tried again", async ({
  page,
}) => {
  await page.goto("/");
  await fillPerson(page, someone());
  await choose(page, ASHA, 60);
  await chooseDay(page, nextDate());
  await page.getByRole("radio", { name: "3:00 PM" }).check();
  await page.getByRole("button", { name: SUBMIT }).first().click();
  const pay = payWindow(page);
  await pay.getByRole("button", { name: "Cancel" }).click();
  await expect(
    page.getByText("Payment was cancelled. You can try again later.").first(),
  ).toBeVisible();
  await page
    .getByRole("button", { name: /pay ₹1,769/i })
    .first()
    .click();
  await pay.getByRole("button", { name: "Fail payment" }).click();
  await expect(pay.getByText("Payment failed")).toBeVisible();
  await pay.getByRole("button", { name: "Pay now" }).click();
  await expect(page.getByRole("heading", { name: "Booking Confirmed!" })).toBeVisible();
});

test("a time taken meanwhile is said in the page and everything else is kept", async ({
  page,
  app,
  problems,
}) => {
  problems.allow(/409/);
  const who = someone();
  const date = nextDate();
  await page.goto("/");
  await fillPerson(page, who);
  await choose(page, ASHA, 30);
  await chooseDay(page, date);
  await page.getByRole("radio", { name: "4:00 PM" }).check();
  const { httpStatus } = await app.api("/api/appointments", {
    json: {
      ...someone(),
      counselor: ASHA,
      package: 30,
      date,
      timeSlot: "16:00",
      packagePrice: 999,
    },
  });
  expect(httpStatus).toBe(201);
  await page.getByRole("button", { name: SUBMIT }).first().click();
  await expect(page.getByText(/just taken/i).first()).toBeVisible();
  await expect(page.getByLabel("Full name")).toHaveValue(who.name);
  await expect(page.locator('input[name="timeSlot"][value="16:00"]')).toHaveCount(0);
});

test("an invoice for a company: its fields come with a press, and lead from what is wrong", async ({
  page,
  app,
}) => {
  await page.goto("/");
  await fillPerson(page, someone());
  await choose(page, ASHA, 30);
  await chooseDay(page, nextDate());
  await page.getByRole("radio", { name: "11:00 AM" }).check();
  await expect(page.getByLabel("GSTIN")).toBeHidden();
  await page.getByText("Invoice for a company").click();
  await page.getByLabel("GSTIN").fill("27aapfu0939f1zw");
  await page.getByLabel("Company name").fill("Sky Lines Pvt. Ltd.");
  await page.getByRole("button", { name: SUBMIT }).first().click();
  await expect(page.locator("#form-errors")).toContainText("This GSTIN has a wrong check digit.");
  await page.getByRole("link", { name: "Please enter the company’s address" }).click();
  await expect(page.getByLabel("Company address")).toBeFocused();
  await page.getByLabel("Company address").fill("4 Marine Drive, Mumbai 400002");
  await page.getByLabel("GSTIN").fill("27AAPFU0939F1ZV");
  await page.getByRole("button", { name: SUBMIT }).first().click();
  await payWindow(page).getByRole("button", { name: "Pay now" }).waitFor();
  expect(app.db.firstRaw("SELECT gstin, state_code FROM appointment ORDER BY seq DESC")).toEqual({
    gstin: "27AAPFU0939F1ZV",
    state_code: "27",
  });
});
