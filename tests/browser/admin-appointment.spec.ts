/** One appointment: its panel over the list, its dialogs, booking for a customer; place and focus kept. */
import { adminDay } from "#app/model/dates.ts";
import { logActivity } from "#db/queries/activity.server.ts";
import { book } from "#tests/support/admin.ts";
import { ROHAN } from "#tests/support/bookings.ts";
import {
  confirmedGuest,
  guest,
  linkOf,
  notice,
  openDesk,
  openDialogOf,
  paidGuest,
} from "./admin-desk.ts";
import { expect, hold, test } from "./fixtures.ts";

const ADDRESS = "Address of the customer's page";

/** A refused form is a 4xx, which the console reports. */
const REFUSED = /status of 4(00|04|09)/;

test("a time taken meanwhile is shown with the fresh times", async ({ page, app, problems }) => {
  problems.allow(REFUSED);
  const { name, body } = await confirmedGuest(app);
  const dialog = await openDialogOf(page, app, "Reschedule", name);
  const wanted = dialog.getByRole("radio", { name: "10:00 AM" });
  await wanted.check();
  await book(app, guest({ date: body.date, timeSlot: "10:00", counselor: ROHAN }));
  await dialog.getByRole("button", { name: "Reschedule" }).click();
  await expect(notice(page, "Reschedule Failed")).toBeVisible();
  await expect(wanted).toBeHidden();
});

test("the panel's actions stay in view; its address is copied, or shown", async ({ page, app }) => {
  await page.context().grantPermissions(["clipboard-read", "clipboard-write"]);
  const { id, name } = await paidGuest(app);
  const dialog = await openDialogOf(page, app, "View Details", name);
  for (const width of [360, 1280]) {
    await page.setViewportSize({ width, height: 640 });
    await dialog.getByText("No changes by hand.").scrollIntoViewIfNeeded();
    for (const word of ["Reschedule", "Cancel appointment", "Download Invoice", "Delete"]) {
      await expect(dialog.getByRole("link", { name: word, exact: true })).toBeInViewport();
    }
  }
  const own = `${app.origin}/booking/${id}`;
  const copy = dialog.getByRole("button", { name: `Copy: ${ADDRESS}` });
  await copy.click();
  await expect(dialog.getByText("Copied", { exact: true })).toBeVisible();
  expect(await page.evaluate(() => navigator.clipboard.readText())).toBe(own);

  await page.evaluate(() => {
    navigator.clipboard.writeText = () => Promise.reject(new Error("not allowed"));
  });
  await copy.click();
  await expect(dialog.getByText("It is selected", { exact: false })).toBeVisible();
  await expect(dialog.getByRole("textbox", { name: ADDRESS })).toHaveValue(own);
});

test("keeps place and focus over dialogs and a list loaded anew", async ({ page, app }) => {
  await page.setViewportSize({ width: 1280, height: 500 });
  const { name } = await confirmedGuest(app);
  for (let i = 0; i < 2; i++) await confirmedGuest(app);
  await openDesk(page, app);
  const link = (word: string) => linkOf(page, word, name);
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

  await link("View Details").press("Enter");
  await expect(dialog).toBeVisible();
  await expect(link("View Details")).toBeAttached();
  for (let i = 0; i < 25; i++) {
    await page.keyboard.press("Tab");
    const outside = await page.evaluate(() => {
      const { activeElement: active, body } = document;
      return active !== null && active !== body && active.closest("dialog") === null;
    });
    expect(outside).toBe(false);
  }
  await dialog
    .getByRole("button", { name: /^Send again/ })
    .first()
    .click();
  await expect(notice(page, "Message Queued")).toBeVisible();
  await expect(dialog.locator(":focus")).toHaveCount(1);
  await page.keyboard.press("Escape");
  await expect(dialog).toBeHidden();
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
  await link("Next").scrollIntoViewIfNeeded();
  expect(await page.evaluate(() => scrollY)).toBeGreaterThan(0);
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
  await month.selectOption({ index: 0 });
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

test("books for a customer: what is chosen meanwhile stays", async ({ page, app, problems }) => {
  problems.allow(REFUSED);
  await page.setViewportSize({ width: 360, height: 740 });
  const who = guest();
  await openDesk(page, app, "/admin/appointments/new");
  // What is typed while a customer is looked up stays.
  const found = await hold(page, "**/admin/appointments/new.data*");
  await page.getByLabel("Known customer").fill("nobody of this name");
  await page.getByRole("button", { name: "Find customer" }).click();
  await expect.poll(found.asked).toBe(1);
  await page.getByLabel("Full name").fill("Ira Das");
  await found();
  await expect(page.getByText("Nobody with these words has booked before")).toBeVisible();
  await expect(page.getByLabel("Full name")).toHaveValue("Ira Das");
  const release = await hold(page, "**/admin/appointments/new.data*");
  await page.getByRole("radio", { name: ROHAN }).check();
  await page.getByRole("radio", { name: /^60 minutes/ }).check();
  await page.getByLabel("Date", { exact: true }).fill(who.date!);
  await release();
  const times = `Free times of ${ROHAN} on ${adminDay(who.date!)}, IST`;
  await expect(page.getByText(times)).toBeVisible();
  await expect(page.getByRole("radio", { name: ROHAN })).toBeChecked();
  await expect(page.getByRole("radio", { name: /^60 minutes/ })).toBeChecked();
  // With another length, the times shown can at once not be chosen any more.
  expect(await page.evaluate(choosableAfterLength)).toBe(0);
  const name = page.getByLabel("Full name");
  const email = page.getByRole("textbox", { name: "Email" });
  const time = page.getByRole("radio", { name: "4:00 PM" });
  const submit = page.getByRole("button", { name: "Book for the customer" });
  await name.fill(who.name);
  await email.fill("no address");
  await page.getByRole("textbox", { name: "Phone" }).fill("98450 77001");
  await expect(time).toBeEnabled();
  await time.check();
  // A chosen time that still fits stays, also when something else is chosen before the times are there.
  const reload = await hold(page, "**/admin/appointments/new.data*");
  await page.getByRole("radio", { name: /^45 minutes/ }).check();
  await page.getByRole("radio", { name: /^60 minutes/ }).check();
  await reload();
  await expect(time).toBeEnabled();
  await expect(time).toBeChecked();
  await submit.click();
  // The refusal stands at its field, and everything else is as it was typed.
  await expect(notice(page, "Booking Failed")).toBeVisible();
  await expect(email).toHaveAttribute("aria-invalid", "true");
  await expect(name).toHaveValue(who.name);
  await expect(time).toBeChecked();
  await email.fill(who.email!);
  // The notification may stand before it.
  await submit.press("Enter");
  // The page begins at its top.
  await expect(page.getByRole("heading", { name: `${who.name}, ` })).toBeVisible();
  expect(await page.evaluate(() => scrollY)).toBe(0);
  await expect(notice(page, "Booked")).toBeVisible();
  await expect(page.getByLabel("Payment link", { exact: true })).toHaveValue(/\/booking\/\w{26}$/);
});
