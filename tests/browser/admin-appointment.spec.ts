/** One appointment: its panel over the list, its dialogs, booking for a customer; place and focus kept. */
import type { Page } from "@playwright/test";
import { adminDay } from "#app/model/dates.ts";
import { logActivity } from "#db/queries/activity.server.ts";
import { adminOf, book } from "#tests/support/admin.ts";
import { ROHAN } from "#tests/support/bookings.ts";
import { guest, listOf, notice, openDesk, paidGuest, rowOf } from "./admin-desk.ts";
import { expect, hold, test } from "./fixtures.ts";

const COPY = "Copy: Address of the customer's page";

/** A refused form is a 4xx, which the console reports. */
const REFUSED = /status of 4(00|04|09)/;

const clickInRow = (page: Page, name: string, word: string) =>
  rowOf(page, name)
    .getByRole("link", { name: `${word}: ${name}` })
    .click();

test("a time taken meanwhile is shown with the fresh times", async ({ page, app, problems }) => {
  problems.allow(REFUSED);
  const { name, body } = await paidGuest(app);
  await openDesk(page, app, listOf(name));
  await clickInRow(page, name, "Reschedule");
  const dialog = page.getByRole("dialog");
  const wanted = dialog.getByRole("radio", { name: "10:00 AM" });
  await wanted.check();
  await book(app, guest({ date: body.date, timeSlot: "10:00", counselor: ROHAN }));
  await dialog.getByRole("button", { name: "Reschedule" }).click();
  await expect(notice(page, "Reschedule Failed")).toBeVisible();
  await expect(wanted).toBeHidden();
});

test("two admins correct at once, without scripts", async ({ noJsPage: page, app, problems }) => {
  problems.allow(REFUSED);
  const { id, name, body } = await paidGuest(app);
  const email = `right.${body.email}`;
  await openDesk(page, app, listOf(name));
  await clickInRow(page, name, "View Details");
  const dialog = page.getByRole("main");
  await dialog.getByRole("link", { name: "Correct contact data" }).click();
  await dialog.getByLabel("Email").fill(email);
  const admin = await adminOf(app);
  const other = { name: "Kavya of the Other", email: `other.${body.email}` };
  await admin(`/appointments/${id}`, { method: "PATCH", json: other });
  await dialog.getByRole("button", { name: "Save" }).click();
  await expect(notice(page, "Update Failed")).toBeVisible();
  await expect(dialog.getByText(`Saved at present: ${other.email}`)).toBeVisible();
  await expect(dialog.getByLabel("Email")).toHaveValue(email);
  await expect(dialog.getByLabel("Full name")).toHaveValue(other.name);
  await dialog.getByRole("button", { name: "Save" }).click();
  await expect(notice(page, "Contact Updated")).toBeVisible();
  const { data } = await admin(`/appointments/${id}`);
  expect(data.appointment).toMatchObject({ name: other.name, email });
});

test("opens dialogs over the list, keeps the focus in and gives it back", async ({ page, app }) => {
  const { name } = await paidGuest(app);
  await openDesk(page, app, listOf(name));
  const opener = rowOf(page, name).getByRole("link", { name: /^View Details/ });
  await opener.press("Enter");
  const dialog = page.getByRole("dialog");
  await expect(dialog).toBeVisible();
  await expect(rowOf(page, name)).toBeAttached();
  for (let i = 0; i < 25; i++) {
    await page.keyboard.press("Tab");
    const outside = await page.evaluate(() => {
      const { activeElement: active, body } = document;
      return active !== null && active !== body && active.closest("dialog") === null;
    });
    expect(outside).toBe(false);
  }
  await page.keyboard.press("Escape");
  await expect(dialog).toBeHidden();
  await expect(opener).toBeFocused();
  expect(new URL(page.url()).searchParams.get("q")).toBe(name);
});

test("the panel's actions stay in view, and lead to the customer", async ({ page, app }) => {
  await page.context().grantPermissions(["clipboard-read", "clipboard-write"]);
  const { id, name, body } = await paidGuest(app);
  await openDesk(page, app, listOf(name));
  await rowOf(page, name).getByRole("link").first().click();
  const dialog = page.getByRole("dialog");
  for (const width of [360, 1280]) {
    await page.setViewportSize({ width, height: 640 });
    await dialog.getByText("No changes by hand.").scrollIntoViewIfNeeded();
    for (const word of ["Reschedule", "Cancel appointment", "Download Invoice", "Delete"]) {
      await expect(dialog.getByRole("link", { name: word, exact: true })).toBeInViewport();
    }
  }
  const reach = (text: string) => dialog.getByRole("link", { name: text, exact: true });
  await expect(reach(`+91${body.phone}`)).toHaveAttribute("href", `tel:+91${body.phone}`);
  await expect(reach(body.email)).toHaveAttribute("href", `mailto:${body.email}`);
  const own = `${app.origin}/booking/${id}`;
  await expect(reach("Open the booking as the customer sees it")).toHaveAttribute("href", own);
  await dialog.getByRole("button", { name: COPY }).click();
  await expect(dialog.getByText("Copied", { exact: true })).toBeVisible();
  expect(await page.evaluate(() => navigator.clipboard.readText())).toBe(own);
});

test("shows the address where it cannot be copied", async ({ page, noJsPage, app }) => {
  const { id } = await paidGuest(app);
  const path = `/admin/appointments/${id}`;
  await openDesk(noJsPage, app, path);
  const own = `${app.origin}/booking/${id}`;
  await expect(noJsPage.getByLabel("Address of the customer's page")).toHaveValue(own);
  await page.addInitScript(() => {
    navigator.clipboard.writeText = () => Promise.reject(new Error("not allowed"));
  });
  await openDesk(page, app, path);
  await page.getByRole("button", { name: COPY }).click();
  await expect(page.getByText("It is selected", { exact: false })).toBeVisible();
  await expect(page.getByRole("textbox", { name: "Address of the customer's page" })).toHaveValue(
    own,
  );
});

test("keeps place and focus over dialogs and a list loaded anew", async ({ page, app }) => {
  await page.setViewportSize({ width: 1280, height: 500 });
  const names: string[] = [];
  for (let i = 0; i < 3; i++) names.push((await paidGuest(app)).name);
  const [name = ""] = names;
  await openDesk(page, app);
  const link = (word: string) => rowOf(page, name).getByRole("link", { name: `${word}: ${name}` });
  await link("Reschedule").scrollIntoViewIfNeeded();
  const scrolled = () => page.evaluate(() => Math.round(scrollY));
  const place = await scrolled();
  expect(place).toBeGreaterThan(0);
  await link("Reschedule").click();
  const dialog = page.getByRole("dialog");
  await dialog.getByRole("radio", { name: "8:00 PM" }).check();
  await dialog.getByRole("button", { name: "Reschedule" }).click();
  await expect(notice(page, "Appointment Rescheduled")).toBeVisible();
  await expect(link("Reschedule")).toBeFocused();
  expect(await scrolled()).toBe(place);

  await link("View Details").click();
  const again = dialog.getByRole("button", { name: "Send again: Booking moved" }).first();
  await again
    .or(dialog.getByRole("button", { name: /^Send again/ }).first())
    .first()
    .click();
  await expect(notice(page, "Message Queued")).toBeVisible();
  await expect(dialog.locator(":focus")).toHaveCount(1);
  await page.keyboard.press("Escape");
  await expect(link("View Details")).toBeFocused();
  expect(await scrolled()).toBe(place);

  // Gone with its row, the focus is at the list.
  await link("Delete").click();
  await dialog.getByRole("button", { name: "Delete Permanently" }).click();
  await expect(notice(page, "Appointment Deleted")).toBeVisible();
  await expect(page.locator("#appointments")).toBeFocused();
});

test("keeps place and focus from page to page", async ({ page, app }) => {
  for (let at = 1; at <= 120; at++) {
    logActivity(app.db, { at, actor: "admin", action: "export", target: "paging" });
  }
  await openDesk(page, app, "/admin/activity?q=paging");
  const link = (name: string) => page.getByRole("link", { name, exact: true });
  const scrolled = () => page.evaluate(() => Math.round(scrollY));
  await link("Next").scrollIntoViewIfNeeded();
  expect(await scrolled()).toBeGreaterThan(0);
  await link("Next").press("Enter");
  await expect(page.getByText(/Page 2 of 3/)).toBeVisible();
  await expect(link("Next")).toBeFocused();
  await expect(link("Next")).toBeInViewport();
  await link("Next").press("Enter");
  await expect(page.getByText(/Page 3 of 3/)).toBeVisible();
  await expect(link("Previous")).toBeFocused();
});

test("keeps the focus in the month while it loads", async ({ page, app }) => {
  await openDesk(page, app, "/admin/documents?month=2026-01");
  const month = page.getByRole("combobox", { name: "Month" });
  const release = await hold(page, "**/admin/documents.data*");
  await page.getByRole("button", { name: "Show" }).click();
  await month.focus();
  await release();
  await expect(page).not.toHaveURL(/month=2026-01/);
  await expect(month).toBeFocused();
});

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
  await page.getByLabel("Full name").fill(who.name);
  await page.getByRole("textbox", { name: "Email" }).fill("no address");
  await page.getByRole("textbox", { name: "Phone" }).fill("98450 77001");
  await page.getByRole("radio", { name: /^60 minutes, ₹1,769\.00/ }).check();
  await expect(page.getByRole("radio", { name: "4:00 PM" })).toBeEnabled();
  await page.getByRole("radio", { name: "4:00 PM" }).check();
  await page.getByRole("button", { name: "Book for the customer" }).click();
  // The refusal stands at its field, and everything else is as it was typed.
  await expect(notice(page, "Booking Failed")).toBeVisible();
  const email = page.getByRole("textbox", { name: "Email" });
  await expect(email).toHaveAttribute("aria-invalid", "true");
  await expect(page.getByLabel("Full name")).toHaveValue(who.name);
  await expect(page.getByRole("radio", { name: "4:00 PM" })).toBeChecked();
  await email.fill(who.email!);
  await page.getByRole("button", { name: "Book for the customer" }).click();
  await expect(notice(page, "Booked")).toBeVisible();
  await expect(page.getByLabel("Payment link", { exact: true })).toHaveValue(/\/booking\/\w{26}$/);
});

test("a captain chosen while times load stays chosen", async ({ page, app }) => {
  const who = guest();
  await openDesk(page, app, "/admin/appointments/new");
  const release = await hold(page, "**/admin/appointments/new.data*");
  await page.getByRole("radio", { name: ROHAN }).check();
  await page.getByRole("radio", { name: /^60 minutes/ }).check();
  await page.getByLabel("Date", { exact: true }).fill(who.date!);
  await release();
  await expect(
    page.getByText(`Free times of ${ROHAN} on ${adminDay(who.date!)}, IST`),
  ).toBeVisible();
  await expect(page.getByRole("radio", { name: ROHAN })).toBeChecked();
  await expect(page.getByRole("radio", { name: /^60 minutes/ })).toBeChecked();
  await page.unroute("**/admin/appointments/new.data*");
});
