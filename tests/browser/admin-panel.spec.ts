/** The detail panel at hand: its actions, ways to reach the customer, place and focus kept. */

import { logActivity } from "#db/queries/activity.server.ts";
import { adminOf, book } from "#tests/support/admin.ts";
import { guest, listOf, notice, openDesk, paidGuest, rowOf } from "./admin-desk.ts";
import { expect, test } from "./fixtures.ts";

const COPY = "Copy: Address of the customer's page";

for (const width of [360, 1280]) {
  test(`keeps the panel's actions in view at ${width} pixels, and leads to the customer`, async ({
    page,
    app,
  }) => {
    await page.setViewportSize({ width, height: 640 });
    await page.context().grantPermissions(["clipboard-read", "clipboard-write"]);
    const { id, name, body } = await paidGuest(app);
    await openDesk(page, app, `/admin/appointments/${id}`);
    await page.goto(listOf(name));
    await rowOf(page, name).getByRole("link").first().click();
    const dialog = page.getByRole("dialog");
    await dialog.getByText("No changes by hand.").scrollIntoViewIfNeeded();
    for (const word of ["Reschedule", "Cancel appointment", "Download Invoice", "Delete"]) {
      await expect(dialog.getByRole("link", { name: word, exact: true })).toBeInViewport();
    }
    const reach = (text: string) => dialog.getByRole("link", { name: text, exact: true });
    await expect(reach(`+91${body.phone}`)).toHaveAttribute("href", `tel:+91${body.phone}`);
    await expect(reach(body.email)).toHaveAttribute("href", `mailto:${body.email}`);
    const own = `${app.origin}/booking/${id}`;
    await expect(reach("Open the customer's page")).toHaveAttribute("href", own);
    await dialog.getByRole("button", { name: COPY }).click();
    await expect(dialog.getByText("Copied", { exact: true })).toBeVisible();
    expect(await page.evaluate(() => navigator.clipboard.readText())).toBe(own);
  });
}

test("shows the address of the customer's page where it cannot be copied", async ({
  page,
  noJsPage,
  app,
}) => {
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

test("says that nothing changed where a session is moved onto its own time", async ({
  page,
  app,
}) => {
  const { id, name, body } = await paidGuest(app);
  await app.sandbox.mailbox.waitFor({ to: body.email });
  await openDesk(page, app, listOf(name));
  await rowOf(page, name)
    .getByRole("link", { name: /^Reschedule/ })
    .click();
  const dialog = page.getByRole("dialog");
  await dialog.getByRole("radio", { name: /now$/ }).check();
  await dialog.getByRole("button", { name: "Reschedule" }).click();
  await expect(notice(page, "Nothing Changed")).toBeVisible();
  await app.sandbox.idle();
  const admin = await adminOf(app);
  const { data } = await admin(`/appointments/${id}`);
  expect(data.appointment.status).toBe("confirmed");
  expect(data.messages.filter(({ kind }: { kind: string }) => kind === "rescheduled")).toEqual([]);
});

test("names in the delete dialog only the documents that exist", async ({ page, app }) => {
  const unpaid = guest();
  await book(app, unpaid);
  const paid = await paidGuest(app);
  const admin = await adminOf(app);
  const open = async (name: string) => {
    await page.goto(listOf(name));
    await rowOf(page, name)
      .getByRole("link", { name: /^Delete/ })
      .click();
    return page.getByRole("dialog");
  };
  await openDesk(page, app);
  await expect(await open(unpaid.name)).not.toContainText(/credit note|invoice .*\d/);
  const dialog = await open(paid.name);
  await expect(dialog).toContainText(/Kept, as tax law demands for 72 months: invoice \S+\d,/);
  await expect(dialog).not.toContainText("credit note");
  await admin(`/appointments/${paid.id}/cancel`, { method: "POST", json: {} });
  await expect
    .poll(async () => {
      await app.sandbox.idle();
      return (await admin(`/appointments/${paid.id}`)).data.creditNote?.number;
    })
    .toBeTruthy();
  const { data } = await admin(`/appointments/${paid.id}`);
  await expect(await open(paid.name)).toContainText(`credit note ${data.creditNote.number}`);
});

test("takes a failure away with the next press, which says nothing of its own", async ({
  page,
  app,
  problems,
}) => {
  problems.allow(/ERR_FAILED/);
  const { name, body } = await paidGuest(app);
  const day = new URLSearchParams({ tab: "block", counselor: body.counselor, date: body.date });
  await openDesk(page, app, `/admin/slots?${day}`);
  const region = page.getByRole("region", { name: /Notifications/ });
  await page.route("**/slots.data*", (route) => route.abort());
  await page.getByRole("button", { name: "Block the whole day", exact: true }).click();
  await expect(region.getByText("Operation Failed")).toBeVisible();
  await page.unroute("**/slots.data*");
  await page.getByRole("button", { name: "Block the whole day", exact: true }).press("Enter");
  await expect(page.getByText(name).first()).toBeVisible();
  await expect(page.getByText("Slots Blocked")).toBeVisible();
  await expect(page.getByText("Operation Failed")).toHaveCount(0);
});

test("keeps place and focus over dialogs, presses and a list that was loaded anew", async ({
  page,
  app,
}) => {
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
