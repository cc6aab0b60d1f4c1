/** A booking by staff: its form, the known customer, money by hand. */
import type { Page } from "@playwright/test";
import { adminDay } from "#app/model/dates.ts";
import { adminOf } from "#tests/support/admin.ts";
import { ROHAN } from "#tests/support/bookings.ts";
import { guest, notice, openDesk, paidGuest } from "./admin-desk.ts";
import { expect, test } from "./fixtures.ts";

/** A refused form is a 4xx, which the console tells. */
const REFUSED = /status of 4(00|04|09)/;

const press = (page: Page, name: string) =>
  page.getByRole("button", { name, exact: true }).first().click();

async function typeCustomer(page: Page, { name, email }: { name: string; email?: string }) {
  await page.getByLabel("Full name").fill(name);
  await page.getByRole("textbox", { name: "Email" }).fill(email ?? "");
  await page.getByRole("textbox", { name: "Phone" }).fill("98450 77001");
}

const newBooking = ({ date, timeSlot }: { date?: string; timeSlot?: string }) =>
  `/admin/appointments/new?${new URLSearchParams({ date: date!, time: timeSlot!, counselor: ROHAN })}`;

/** In the page: how many times can be chosen in the moment in which another length is. */
function choosableAfterLength(): number {
  document.querySelector<HTMLElement>('input[name="package"]:not(:checked)')!.click();
  return document.querySelectorAll('input[name="timeSlot"]:enabled').length;
}

test("books with a payment link", async ({ page, app, problems }) => {
  problems.allow(REFUSED);
  const who = guest();
  await openDesk(page, app);
  await page.getByRole("link", { name: "Book for a customer" }).click();
  await page.getByRole("radio", { name: ROHAN }).check();
  await page.getByLabel("Date", { exact: true }).fill(who.date!);
  const times = `Free times of ${ROHAN} on ${adminDay(who.date!)}, IST`;
  await expect(page.getByText(times)).toBeVisible();
  // With another length, the times shown can at once not be chosen any more.
  expect(await page.evaluate(choosableAfterLength)).toBe(0);
  await typeCustomer(page, { ...who, email: "no address" });
  await page.getByRole("radio", { name: /^60 minutes, ₹1,769\.00/ }).check();
  await expect(page.getByRole("radio", { name: "4:00 PM" })).toBeEnabled();
  await page.getByRole("radio", { name: "4:00 PM" }).check();
  await press(page, "Book for the customer");
  // The refusal stands at its field, and everything else is as it was typed.
  await expect(notice(page, "Booking Failed")).toBeVisible();
  const email = page.getByRole("textbox", { name: "Email" });
  await expect(email).toHaveAttribute("aria-invalid", "true");
  await expect(page.getByLabel("Full name")).toHaveValue(who.name);
  await expect(page.getByRole("radio", { name: "4:00 PM" })).toBeChecked();
  await email.fill(who.email!);
  await press(page, "Book for the customer");
  await expect(notice(page, "Booked")).toBeVisible();
  await expect(page.getByText("Pending Payment")).toBeVisible();
  const link = await page.getByLabel("Payment link", { exact: true }).inputValue();
  expect(link).toMatch(/\/booking\/[a-z0-9]{26}$/);
  const [mail] = await app.sandbox.mailbox.waitFor({ to: who.email! });
  expect(mail!.text).toContain(link);
  await page.goto(link);
  await expect(page.getByText("₹1,769").first()).toBeVisible();
});

test("finds a known customer, books once what was paid in cash, and gives a part back", async ({
  page,
  app,
  problems,
}) => {
  problems.allow(REFUSED);
  const known = await paidGuest(app);
  const at = guest();
  await openDesk(page, app, newBooking(at));
  await page.getByLabel("Known customer").fill(known.name);
  await page.getByLabel("Known customer").press("Enter");
  await page.getByRole("button", { name: new RegExp(`^${known.name}`) }).press("Enter");
  await expect(page.getByLabel("Full name")).toHaveValue(known.name);
  await expect(page.getByRole("textbox", { name: "Email" })).toHaveValue(known.body.email!);
  expect(page.url()).not.toContain(encodeURIComponent(known.name.split(" ")[0]!));
  await page.getByLabel("Paid outside, to you").check();
  await page.getByLabel("How it was paid").selectOption("cash");
  await page.getByLabel("Reference").fill("R-17");
  const book = page.getByRole("button", { name: "Book for the customer" });
  await book.dblclick();
  await expect(notice(page, "Booked")).toBeVisible();
  await expect(page.getByText("Paid outside by cash", { exact: false }).first()).toBeVisible();
  await expect(page.getByText("reference R-17", { exact: false })).toBeVisible();
  const admin = await adminOf(app);
  const q = encodeURIComponent(known.body.email!);
  const { data } = await admin(`/appointments?q=${q}&startDate=${at.date}&endDate=${at.date}`);
  expect(data.appointments).toHaveLength(1);

  await page.getByRole("link", { name: "Refund without cancelling" }).click();
  await page.getByLabel("Amount in rupees").fill("5000");
  await page.getByLabel("Reason").fill("It began late");
  await press(page, "Refund");
  await expect(page.getByText(/Please enter at most ₹1,179/).first()).toBeVisible();
  await expect(page.getByLabel("Reason")).toHaveValue("It began late");
  await page.getByLabel("Amount in rupees").fill("179.50");
  await press(page, "Refund");
  await expect(notice(page, "Refund Wanted")).toBeVisible();
  await expect(page.getByText("₹999.50", { exact: true })).toBeVisible();
  await expect(page.getByText("Waits for you to pay it back by hand")).toBeVisible();
  await expect(page.getByText("Reason: It began late")).toBeVisible();
  await expect(page.getByText("Confirmed", { exact: true }).first()).toBeVisible();

  await page.getByRole("link", { name: "Mark as paid back" }).click();
  await page.getByLabel("Reference").fill("UTR 9");
  await press(page, "Mark as paid back");
  await expect(notice(page, "Marked as Paid Back")).toBeVisible();
  await expect(page.getByText("Paid back by hand")).toBeVisible();
  await expect(page.getByRole("link", { name: /^Credit note / })).toBeVisible();
  await expect(page.getByRole("link", { name: "Mark as paid back" })).toHaveCount(0);
  // The customer reads it too, while the session stands.
  await page.goto(`/booking/${data.appointments[0].id}`);
  const told = "Your refund of ₹179.50 has been paid back by us. Reason: It began late";
  await expect(page.getByText(told)).toBeVisible();
  await expect(page.getByText("₹999.50", { exact: true })).toBeVisible();
});

test("a captain chosen while the times are on their way stays chosen with the next date", async ({
  page,
  app,
}) => {
  const who = guest();
  await openDesk(page, app, "/admin/appointments/new");
  const held = Promise.withResolvers<void>();
  await page.route("**/admin/appointments/new.data*", async (route) => {
    await held.promise;
    await route.continue().catch(() => undefined);
  });
  await page.getByRole("radio", { name: ROHAN }).check();
  await page.getByRole("radio", { name: /^60 minutes/ }).check();
  await page.getByLabel("Date", { exact: true }).fill(who.date!);
  held.resolve();
  await expect(
    page.getByText(`Free times of ${ROHAN} on ${adminDay(who.date!)}, IST`),
  ).toBeVisible();
  await expect(page.getByRole("radio", { name: ROHAN })).toBeChecked();
  await expect(page.getByRole("radio", { name: /^60 minutes/ })).toBeChecked();
  await page.unroute("**/admin/appointments/new.data*");
});
