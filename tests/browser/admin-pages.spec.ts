import type { Page } from "@playwright/test";
import { Secret, TOTP } from "otpauth";
import { ADMIN } from "#tests/helpers/environment.ts";
import { adminOf, book } from "#tests/support/admin.ts";
import { ASHA } from "#tests/support/bookings.ts";
import { pdfText } from "#tests/support/pdf-text.ts";
import { anotherAdmin, guest, notice, openDesk, paidGuest, signInByForm } from "./admin-desk.ts";
import { expect, test } from "./fixtures.ts";

const REFUSED = /status of (4(00|01|09)|502)/;

for (const scripts of [true, false]) {
  const how = scripts ? "with scripts" : "without scripts";

  test(`shows who did what ${how}`, async ({ page, noJsPage, app }) => {
    const desk = scripts ? page : noJsPage;
    const { id } = await paidGuest(app);
    const admin = await adminOf(app);
    await admin(`/appointments/${id}/cancel`, { method: "POST" });
    await openDesk(desk, app, "/admin/activity");
    await desk.getByLabel("Search").fill(`appointment cancelled #${id.slice(-6)}`);
    await desk.getByRole("button", { name: "Search" }).click();
    // The rows of earlier tests stand there until the search has answered.
    await expect(desk).toHaveURL(/\?q=/);
    const row = desk
      .getByRole("row")
      .filter({ hasText: "Appointment cancelled" })
      .filter({ hasText: `#${id.slice(-6)}` });
    await expect(row.getByText(ADMIN.username)).toBeVisible();
    const words = row.getByText(/status from Confirmed to Cancelled;.* refund ₹1,179/);
    await expect(words).toBeVisible();
    await expect(row.getByText('"status": "cancelled"')).toBeHidden();
    await words.click();
    await expect(row.getByText('"status": "cancelled"')).toBeVisible();
    await row.getByRole("link", { name: `#${id.slice(-6)}` }).click();
    await expect(desk.getByRole("heading", { name: "View Details" })).toBeVisible();
  });

  test(`downloads a month of documents ${how}`, async ({ page, noJsPage, app }) => {
    const desk = scripts ? page : noJsPage;
    const { name } = await paidGuest(app);
    await openDesk(desk, app, "/admin/documents");
    await expect(desk.getByRole("cell", { name })).toBeVisible();
    const [download] = await Promise.all([
      desk.waitForEvent("download"),
      desk.getByRole("link", { name: "Download the month (PDF)" }).click(),
    ]);
    expect(download.suggestedFilename()).toMatch(/^documents_\d{4}-\d{2}\.pdf$/);
    const { readFile } = await import("node:fs/promises");
    expect(await pdfText(new Uint8Array(await readFile(await download.path())))).toContain(name);
  });

  test(`assigns and refunds money that no booking knows ${how}`, async ({
    page,
    noJsPage,
    app,
    problems,
  }) => {
    problems.allow(REFUSED);
    const desk = scripts ? page : noJsPage;
    const wish = guest();
    const { id } = await book(app, wish);
    const marks = ["A", "B", "C"].map((mark) => `pay_Unmatched${mark}${scripts ? 1 : 2}`);
    const [first, second, third] = marks as [string, string, string];
    for (const [paymentId, email] of [
      [first, wish.email],
      [second, "nobody.here@example.in"],
      [third, null],
    ]) {
      app.db.runRaw(
        `INSERT INTO payment (payment_id, order_id, amount_paise, currency, provider_status, outcome, method, captured_at,
           created_at, updated_at, payer_email, paid_at)
         VALUES (?, NULL, 117900, 'INR', 'captured', 'unmatched', 'upi', 1, 1, 1, ?, ?)`,
        [paymentId, email, email && 1],
      );
    }
    await openDesk(desk, app, "/admin/unmatched");
    const item = (paymentId: string) =>
      desk.getByRole("listitem").filter({ hasText: paymentId }).filter({ hasText: "Send it back" });
    await expect(item(first).getByText(`${wish.email}`)).toBeVisible();
    await expect(item(second).getByText("No unpaid booking looks like it")).toBeVisible();
    await item(second).getByRole("button", { name: "Search" }).click();
    await expect(
      desk.getByText("Please enter a name, a phone number or an ID").first(),
    ).toBeVisible();
    await item(second).getByLabel("Another booking").fill(wish.name);
    await item(second).getByRole("button", { name: "Search" }).click();
    await expect(item(second).getByRole("link", { name: wish.name })).toBeVisible();
    await item(first)
      .getByRole("button", { name: `Assign to ${wish.name}` })
      .click();
    await expect(notice(desk, "Payment Assigned")).toBeVisible();
    await expect(item(first)).toHaveCount(0);
    await item(second)
      .getByLabel("Another booking")
      .fill(`#${id.slice(-6)}`);
    await item(second).getByRole("button", { name: "Search" }).click();
    await expect(item(second).getByText("This appointment is paid already.")).toBeVisible();
    await expect(item(second).getByRole("button", { name: "Assign" })).toHaveCount(0);
    await item(second).getByText("Send it back instead").click();
    await item(second).getByRole("button", { name: "Refund ₹1,179.00" }).click();
    await expect(notice(desk, "Refund Queued")).toBeVisible();
    await item(third).getByRole("button", { name: "Ask the provider who paid" }).click();
    await expect(
      desk.getByText("The payment provider does not answer right now.").first(),
    ).toBeVisible();
    const admin = await adminOf(app);
    const { data } = await admin(`/appointments/${id}`);
    expect(data.appointment).toMatchObject({ status: "confirmed", razorpayPaymentId: first });
  });

  test(`gives a captain's calendar a new address ${how}`, async ({ page, noJsPage, app }) => {
    const desk = scripts ? page : noJsPage;
    await openDesk(desk, app, "/admin/account");
    const row = desk.getByRole("listitem").filter({ hasText: ASHA });
    const shown = row.getByText("/calendar/");
    const address = async () => new URL((await shown.textContent()) ?? "").pathname;
    const before = await address();
    expect((await app.api(before)).httpStatus).toBe(200);
    await row.getByRole("button", { name: `New Address for ${ASHA}` }).click();
    await expect(notice(desk, "Address Renewed")).toBeVisible();
    await expect(shown).not.toContainText(before);
    expect((await app.api(before)).httpStatus).toBe(404);
    expect((await app.api(await address())).httpStatus).toBe(200);
  });

  test(`changes the password and ends other sessions ${how}`, async ({
    page,
    noJsPage,
    app,
    problems,
  }) => {
    problems.allow(REFUSED);
    const desk = scripts ? page : noJsPage;
    const account = await anotherAdmin(app);
    const other = await app.api("/api/admin/login", { json: account });
    await desk.goto("/admin/account");
    await signInByForm(desk, account);
    const sessions = desk.getByRole("region", { name: "Sessions" });
    await sessions.getByLabel("Current password").fill("not it");
    await sessions.getByRole("button", { name: "End Other Sessions" }).click();
    await expect(sessions.getByText("This is not your current password.")).toBeVisible();
    await sessions.getByLabel("Current password").fill(account.password);
    await sessions.getByRole("button", { name: "End Other Sessions" }).click();
    await expect(notice(desk, "Sessions Ended")).toBeVisible();
    const call = await app.api("/api/admin/appointments", { token: other.data.token });
    expect(call.httpStatus).toBe(401);

    const password = desk.getByRole("region", { name: "Password" });
    await password.getByLabel("Current password").fill("not it");
    await password.getByLabel("New password", { exact: true }).fill("a calm new evening");
    await password.getByLabel("Confirm new password").fill("a calm new evening");
    await password.getByRole("button", { name: "Change Password" }).click();
    await expect(password.getByText("This is not your current password.")).toBeVisible();
    await password.getByLabel("Current password").fill(account.password);
    await password.getByLabel("New password", { exact: true }).fill("a calm new evening");
    await password.getByLabel("Confirm new password").fill("a calm new evening");
    await password.getByRole("button", { name: "Change Password" }).click();
    await expect(notice(desk, "Password Changed")).toBeVisible();
    for (const label of ["Current password", "New password", "Confirm new password"]) {
      await expect(password.getByLabel(label, { exact: true })).toHaveValue("");
    }
  });

  test(`asks for a second factor once it is on ${how}`, async ({
    page,
    noJsPage,
    app,
    problems,
  }) => {
    problems.allow(REFUSED);
    const desk = scripts ? page : noJsPage;
    const account = await anotherAdmin(app);
    await desk.goto("/admin/account");
    await signInByForm(desk, account);
    await desk.getByRole("button", { name: "Set Up" }).click();
    const factor = desk.getByRole("region", { name: "Second factor" });
    await expect(desk.getByRole("img", { name: "QR code" })).toBeVisible();
    const secret = (await desk.locator(".font-mono").first().textContent()) ?? "";
    const totp = new TOTP({ secret: Secret.fromBase32(secret.trim()) });
    await factor.getByLabel("Current password").fill("not it");
    await factor.getByLabel("Code of the app").fill(totp.generate());
    await factor.getByRole("button", { name: "Turn On" }).click();
    await expect(factor.getByText("This is not your current password.")).toBeVisible();
    await factor.getByLabel("Current password").fill(account.password);
    await factor.getByLabel("Code of the app").fill(totp.generate());
    await factor.getByRole("button", { name: "Turn On" }).click();
    const codes = desk.getByRole("region", { name: "Your recovery codes" });
    await expect(codes.getByText("they are shown only now.")).toBeVisible();
    if (scripts) await expect(codes).toBeFocused();
    const code =
      (await desk
        .locator("li", { hasText: /^[a-z0-9]{4}(-[a-z0-9]{4}){5}$/ })
        .first()
        .textContent()) ?? "";

    await desk.getByRole("button", { name: "Logout" }).click();
    await signInByForm(desk, account);
    await expect(desk.getByLabel("Code of your authenticator app")).toBeVisible();
    if (scripts) await expect(desk.getByLabel("Code of your authenticator app")).toBeFocused();
    await desk.getByLabel("Password").fill(account.password);
    const codeField = desk.getByLabel("Code of your authenticator app");
    await codeField.fill("1");
    await desk.getByRole("button", { name: "Sign In" }).click();
    await expect(codeField).toHaveAttribute("aria-invalid", "true");
    if (scripts) {
      await codeField.press("2");
      await expect(codeField).not.toHaveAttribute("aria-invalid");
      await expect(codeField).toHaveValue("12");
    }
    await desk.getByLabel("Password").fill(account.password);
    await codeField.fill(code);
    await desk.getByRole("button", { name: "Sign In" }).click();
    await expect(desk.getByText(`Welcome, ${account.username}`)).toBeVisible();
  });
}

test("keeps what is typed into the log's search while it loads; the history fills it", async ({
  page,
  app,
}) => {
  await openDesk(page, app, "/admin/activity");
  const search = page.getByLabel("Search");
  const release = await hold(page, "**/admin/activity.data*");
  await search.fill("cancel");
  await search.press("Enter");
  await search.pressSequentially("led");
  release();
  await expect(page).toHaveURL(/q=cancel$/);
  await expect(search).toHaveValue("cancelled");
  await expect(search).toBeFocused();
  await page.goBack();
  await expect(search).toHaveValue("");
  await page.goForward();
  await expect(search).toHaveValue("cancel");
});

test("keeps the focus in the month while it loads", async ({ page, app }) => {
  await openDesk(page, app, "/admin/documents?month=2026-01");
  const month = page.getByRole("combobox", { name: "Month" });
  const release = await hold(page, "**/admin/documents.data*");
  await page.getByRole("button", { name: "Show" }).click();
  await month.focus();
  release();
  await expect(page).not.toHaveURL(/month=2026-01/);
  await expect(month).toBeFocused();
});

/** Holds the page's answers until the function that comes back is called. */
async function hold(page: Page, url: string): Promise<() => void> {
  const held = Promise.withResolvers<void>();
  await page.route(url, async (route) => {
    await held.promise;
    await route.continue();
  });
  return held.resolve;
}
