/** What is done to one appointment: view, move, cancel, delete, correct; with scripts and without. */
import type { Page } from "@playwright/test";
import { adminDay } from "#app/model/dates.ts";
import { adminOf, book } from "#tests/support/admin.ts";
import { dayAhead, ROHAN } from "#tests/support/bookings.ts";
import { eventually } from "#tests/support/eventually.ts";
import { pdfText } from "#tests/support/pdf-text.ts";
import { guest, listOf, notice, openDesk, paidGuest, rowOf } from "./admin-desk.ts";
import { expect, test } from "./fixtures.ts";

/** A refused form is a 4xx, which the console tells. */
const REFUSED = /status of 4(00|04|09)/;

/** The open dialog with scripts, the page's own section without. */
function dialogOf(page: Page, scripts: boolean) {
  return scripts ? page.getByRole("dialog") : page.getByRole("main");
}

for (const scripts of [true, false]) {
  const how = scripts ? "with scripts" : "without scripts";
  const deskOf = (page: Page, noJsPage: Page) => (scripts ? page : noJsPage);
  const press = (page: Page, name: string, word: string) =>
    rowOf(page, name)
      .getByRole("link", { name: `${word}: ${name}` })
      .click();

  test(`shows everything of an appointment ${how}`, async ({ page, noJsPage, app }) => {
    const desk = deskOf(page, noJsPage);
    const notes = "Can I become a pilot with glasses?";
    const { id, name, body, paymentId } = await paidGuest(app, { notes });
    await openDesk(desk, app, listOf(name));
    await press(desk, name, "View Details");
    const dialog = dialogOf(desk, scripts);
    for (const text of [
      "Confirmed",
      name,
      body.email,
      `+91${body.phone}`,
      id.slice(-8),
      ROHAN,
      adminDay(body.date),
      "30 minutes",
      "₹999.00",
      "₹180.00",
      "₹1,179.00",
      paymentId,
      notes,
    ]) {
      await expect(dialog.getByText(text, { exact: true }).first()).toBeVisible();
    }
    for (const title of ["Customer Information", "Payment Information", "Messages", "History"]) {
      await expect(dialog.getByRole("heading", { name: title })).toBeVisible();
    }
    const invoice = dialog.getByRole("link", { name: "Download Invoice" });
    const answer = await fetch(new URL((await invoice.getAttribute("href")) ?? "", app.origin));
    expect(await pdfText(new Uint8Array(await answer.arrayBuffer()))).toContain(name);
    await dialog.getByRole("link", { name: "Close", exact: true }).click();
    await expect(rowOf(desk, name)).toBeVisible();
    await expect(desk.getByLabel("Search")).toHaveValue(name);
  });

  test(`sends a message again ${how}`, async ({ page, noJsPage, app }) => {
    const desk = deskOf(page, noJsPage);
    const { name, body } = await paidGuest(app);
    const before = await app.sandbox.mailbox.waitFor({ to: body.email });
    await openDesk(desk, app, listOf(name));
    await press(desk, name, "View Details");
    await dialogOf(desk, scripts)
      .getByRole("button", { name: "Send again: Booking confirmed" })
      .first()
      .click();
    await expect(notice(desk, "Message Queued")).toBeVisible();
    const min = before.length + 1;
    await app.sandbox.mailbox.waitFor({ to: body.email, min });
  });

  test(`reschedules ${how}`, async ({ page, noJsPage, app, problems }) => {
    problems.allow(REFUSED);
    const desk = deskOf(page, noJsPage);
    const { id, name, body } = await paidGuest(app);
    const date = dayAhead(scripts ? 86 : 87);
    await openDesk(desk, app, listOf(name));
    await press(desk, name, "Reschedule");
    const dialog = dialogOf(desk, scripts);
    await dialog.getByRole("button", { name: "Reschedule" }).click();
    await expect(notice(desk, "Invalid Data")).toBeVisible();
    await expect(dialog.getByText("Please select both date and time slot.").first()).toBeVisible();
    await dialog.getByLabel("New date").fill(date);
    if (!scripts) await dialog.getByRole("button", { name: "Show times" }).click();
    await expect(
      dialog.getByText(new RegExp(`^Free times of .* on ${adminDay(date)}, IST$`)),
    ).toBeVisible();
    await dialog.getByRole("radio", { name: "8:30 PM" }).check();
    await dialog.getByRole("button", { name: "Reschedule" }).click();
    await expect(notice(desk, "Appointment Rescheduled")).toBeVisible();
    await expect(rowOf(desk, name).getByText("Rescheduled")).toBeVisible();
    await expect(rowOf(desk, name).getByText("8:30 PM")).toBeVisible();
    const admin = await adminOf(app);
    const { data } = await admin(`/appointments/${id}`);
    expect(data.appointment).toMatchObject({ date, timeSlot: "20:30", status: "rescheduled" });
    await app.sandbox.mailbox.waitFor({ to: body.email, min: 2 });
  });

  test(`says that a time was taken meanwhile, with the fresh times ${how}`, async ({
    page,
    noJsPage,
    app,
    problems,
  }) => {
    problems.allow(REFUSED);
    const desk = deskOf(page, noJsPage);
    const { name, body } = await paidGuest(app);
    await openDesk(desk, app, listOf(name));
    await press(desk, name, "Reschedule");
    const dialog = dialogOf(desk, scripts);
    const wanted = dialog.getByRole("radio", { name: "10:00 AM" });
    await wanted.check();
    await book(app, guest({ date: body.date, timeSlot: "10:00", counselor: ROHAN }));
    await dialog.getByRole("button", { name: "Reschedule" }).click();
    await expect(notice(desk, "Reschedule Failed")).toBeVisible();
    await expect(wanted).toBeHidden();
  });

  test(`cancels with a refund ${how}`, async ({ page, noJsPage, app }) => {
    const desk = deskOf(page, noJsPage);
    const { id, name, body } = await paidGuest(app);
    await openDesk(desk, app, listOf(name));
    await press(desk, name, "Cancel");
    const dialog = dialogOf(desk, scripts);
    await expect(dialog.getByText("A refund is processed:")).toBeVisible();
    await expect(dialog.getByText("₹1,179.00")).toBeVisible();
    if (scripts) {
      await expect(dialog.getByRole("link", { name: "Keep Appointment" })).toBeFocused();
    }
    await dialog.getByRole("button", { name: "Cancel Appointment" }).click();
    await expect(notice(desk, "Appointment Cancelled")).toBeVisible();
    const row = rowOf(desk, name);
    await expect(row.getByText("Cancelled")).toBeVisible();
    await expect(row.getByRole("button", { name: /^Reschedule/ })).toBeDisabled();
    await expect(row.getByRole("button", { name: /^Cancel/ })).toBeDisabled();
    const admin = await adminOf(app);
    await eventually(async () => {
      await app.sandbox.idle();
      const { data } = await admin(`/appointments/${id}`);
      expect(data.payments[0].refund).toMatchObject({ amount: 1179, status: "processed" });
      expect(data.creditNote).toBeTruthy();
    });
    await app.sandbox.mailbox.waitFor({ to: body.email, min: 2 });
    await press(desk, name, "View Details");
    await expect(dialogOf(desk, scripts).getByText("₹1,179.00 Refunded")).toBeVisible();
  });

  test(`deletes, and keeps the invoice ${how}`, async ({ page, noJsPage, app }) => {
    const desk = deskOf(page, noJsPage);
    const { id, name } = await paidGuest(app);
    const admin = await adminOf(app);
    const { data } = await admin(`/appointments/${id}`);
    const { number } = data.invoice;
    await openDesk(desk, app, listOf(name));
    await press(desk, name, "Delete");
    const dialog = dialogOf(desk, scripts);
    await expect(dialog.getByText("The customer is not told")).toBeVisible();
    await expect(dialog.getByText(number)).toBeVisible();
    await dialog.getByRole("link", { name: "Cancel first" }).click();
    await expect(dialog.getByRole("heading", { name: "Cancel Appointment" })).toBeVisible();
    await dialog.getByRole("link", { name: "Keep Appointment" }).click();
    await press(desk, name, "Delete");
    await dialog.getByRole("button", { name: "Delete Permanently" }).click();
    await expect(notice(desk, "Appointment Deleted")).toBeVisible();
    await expect(desk.getByText("No appointments found")).toBeVisible();
    expect((await admin(`/appointments/${id}`)).httpStatus).toBe(404);
    await desk.goto("/admin/documents");
    const link = desk.getByRole("link", { name: number });
    const cookies = await desk.context().cookies();
    const answer = await fetch(new URL((await link.getAttribute("href")) ?? "", app.origin), {
      headers: { Cookie: cookies.map(({ name: key, value }) => `${key}=${value}`).join("; ") },
    });
    expect(await pdfText(new Uint8Array(await answer.arrayBuffer()))).toContain(number);
  });

  test(`corrects the contact data ${how}`, async ({ page, noJsPage, app, problems }) => {
    problems.allow(REFUSED);
    const desk = deskOf(page, noJsPage);
    const { name, body } = await paidGuest(app);
    const email = `right.${body.email}`;
    await openDesk(desk, app, listOf(name));
    await press(desk, name, "View Details");
    const dialog = dialogOf(desk, scripts);
    await dialog.getByRole("link", { name: "Correct contact data" }).click();
    await dialog.getByLabel("Email").fill("no address");
    await dialog.getByRole("button", { name: "Save" }).click();
    await expect(dialog.getByText("Please enter a valid email").first()).toBeVisible();
    await dialog.getByLabel("Email").fill(email);
    await dialog.getByRole("button", { name: "Save" }).click();
    await expect(notice(desk, "Contact Updated")).toBeVisible();
    await expect(dialog.getByText(email, { exact: true }).first()).toBeVisible();
    await app.sandbox.mailbox.waitFor({ to: email });
  });

  test(`tells the second of two admins ${how}`, async ({ page, noJsPage, app, problems }) => {
    problems.allow(REFUSED);
    const desk = deskOf(page, noJsPage);
    const { id, name, body } = await paidGuest(app);
    await openDesk(desk, app, listOf(name));
    await press(desk, name, "Cancel");
    await expect(
      dialogOf(desk, scripts).getByRole("button", { name: "Cancel Appointment" }),
    ).toBeVisible();
    const admin = await adminOf(app);
    const moved = { date: body.date, newTimeSlot: "19:00" };
    await admin(`/appointments/${id}/reschedule`, { method: "PUT", json: moved });
    const dialog = dialogOf(desk, scripts);
    await dialog.getByRole("button", { name: "Cancel Appointment" }).click();
    await expect(notice(desk, "Cancellation Failed")).toBeVisible();
    await expect(dialog.getByText("7:00 PM IST", { exact: false })).toBeVisible();
    const { data } = await admin(`/appointments/${id}`);
    expect(data.appointment.status).toBe("rescheduled");
  });

  test(`keeps a correction that another admin was faster than, and saves it ${how}`, async ({
    page,
    noJsPage,
    app,
    problems,
  }) => {
    problems.allow(REFUSED);
    const desk = deskOf(page, noJsPage);
    const { id, name, body } = await paidGuest(app);
    const email = `right.${body.email}`;
    await openDesk(desk, app, listOf(name));
    await press(desk, name, "View Details");
    const dialog = dialogOf(desk, scripts);
    await dialog.getByRole("link", { name: "Correct contact data" }).click();
    await dialog.getByLabel("Email").fill(email);
    const admin = await adminOf(app);
    const other = { name: "Kavya of the Other", email: `other.${body.email}` };
    await admin(`/appointments/${id}`, { method: "PATCH", json: other });
    await dialog.getByRole("button", { name: "Save" }).click();
    await expect(notice(desk, "Update Failed")).toBeVisible();
    await expect(dialog.getByText(`Saved at present: ${other.email}`)).toBeVisible();
    await expect(dialog.getByLabel("Email")).toHaveValue(email);
    await expect(dialog.getByLabel("Full name")).toHaveValue(other.name);
    await dialog.getByRole("button", { name: "Save" }).click();
    await expect(notice(desk, "Contact Updated")).toBeVisible();
    const { data } = await admin(`/appointments/${id}`);
    expect(data.appointment).toMatchObject({ name: other.name, email });
  });

  test(`says that there is no invoice before payment ${how}`, async ({ page, noJsPage, app }) => {
    const desk = deskOf(page, noJsPage);
    const wish = guest();
    await book(app, wish);
    await openDesk(desk, app, listOf(wish.name));
    await press(desk, wish.name, "Download Invoice");
    await expect(notice(desk, "Invoice Not Available")).toBeVisible();
    await expect(
      desk.getByText("Invoice is not available for this appointment.").first(),
    ).toBeVisible();
  });
}

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

test("takes one press of Send again while it is under way", async ({ page, app }) => {
  const { id, body } = await paidGuest(app);
  await app.sandbox.mailbox.waitFor({ to: body.email });
  await openDesk(page, app, `/admin/appointments/${id}`);
  const held = Promise.withResolvers<void>();
  await page.route(`**/admin/appointments/${id}.data*`, async (route) => {
    await held.promise;
    await route.continue();
  });
  const again = page.getByRole("button", { name: "Send again: Booking confirmed" }).first();
  await again.click();
  await expect(again).toBeDisabled();
  held.resolve();
  await expect(notice(page, "Message Queued")).toBeVisible();
});

test("is a page of its own when asked for directly", async ({ page, app }) => {
  const { id, name } = await paidGuest(app);
  await openDesk(page, app, `/admin/appointments/${id}`);
  await expect(page.getByRole("heading", { name: "View Details", level: 1 })).toBeVisible();
  await expect(page.getByText(name).first()).toBeVisible();
  await expect(page.getByRole("dialog")).toBeHidden();
});

test("answers 404 for an appointment that does not exist", async ({ page, app, problems }) => {
  problems.allow(REFUSED);
  await openDesk(page, app);
  const answer = await page.goto("/admin/appointments/abcdefghijkmnpqrstuvwxyz23");
  expect(answer?.status()).toBe(404);
  await expect(page.getByText("This appointment does not exist")).toBeVisible();
});

test("shows failed refunds before everything else and tries them again", async ({ page, app }) => {
  const { id, name } = await paidGuest(app);
  const admin = await adminOf(app);
  app.db.runRaw(
    `INSERT INTO refund (id, payment_id, appointment_id, amount_paise, state, way, reason, last_error, created_at, updated_at)
     SELECT 'refundinneedrefundinneed22', payment_id, appointment_id, amount_paise, 'needs_person', 'provider', 'cancelled', 'no balance', 1, 1
     FROM payment WHERE appointment_id = ?`,
    [id],
  );
  await openDesk(page, app);
  const needs = page.getByRole("region", { name: "Needs you" });
  await needs.getByRole("link", { name: `₹1,179.00 to ${name}` }).click();
  const dialog = page.getByRole("dialog");
  await expect(dialog.getByText("no balance")).toBeVisible();
  await dialog.getByRole("button", { name: "Try the refund again" }).click();
  await expect(notice(page, "Refund Queued")).toBeVisible();
  await eventually(async () => {
    await app.sandbox.idle();
    const { data } = await admin(`/appointments/${id}`);
    expect(data.payments[0].refund.status).toBe("processed");
  });
});
