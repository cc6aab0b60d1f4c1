/** From the invitation to the access that is taken away again, with scripts and without. */
import type { Page } from "@playwright/test";
import { newId } from "#app/model/ids.ts";
import type { TestApp } from "#tests/helpers/app.ts";
import { eventually } from "#tests/support/eventually.ts";
import { notice, openDesk, paidGuest, signInByForm } from "./admin-desk.ts";
import { expect, test } from "./fixtures.ts";

const PASSWORD = "long-final-approach-42";

for (const scripts of [true, false]) {
  test(`somebody is invited, joins, works and leaves, with${scripts ? "" : "out"} scripts`, async ({
    page: withScripts,
    noJsPage,
    browser,
    app,
    problems,
  }) => {
    problems.allow(/status of 40[0134]/);
    const page = scripts ? withScripts : noJsPage;
    const username = `helper${newId(6)}`;
    const email = `${username}@captains.example`;
    const { id } = await paidGuest(app);
    const context = await browser.newContext({
      baseURL: app.origin,
      javaScriptEnabled: scripts,
      viewport: { width: 360, height: 800 },
    });
    const theirs = await context.newPage();

    await openDesk(page, app, "/admin/team");
    await page.getByLabel("Username").fill(username);
    await page.getByLabel("Email").fill(email);
    await page.getByRole("button", { name: "Send Invitation", exact: true }).click();
    await expect(notice(page, "Invitation Sent")).toBeVisible();
    const accounts = page.getByRole("region", { name: "Accounts" });
    const item = accounts.getByRole("listitem").filter({ hasText: email });
    await expect(item).toContainText("Invited: the link works until");

    const link = await linkTo(app, email);
    await theirs.goto(link);
    await setPassword(theirs, "too-short");
    await expect(theirs.getByText("must have at least 12 characters").first()).toBeVisible();
    await fits(theirs);
    await setPassword(theirs, PASSWORD);
    await expect(notice(theirs, "Password Set")).toBeVisible();
    await signInByForm(theirs, { username, password: PASSWORD });
    await expect(theirs.getByText(`Welcome, ${username}`)).toBeVisible();
    await expect(theirs.getByRole("link", { name: "Documents" })).toHaveCount(0);
    await theirs.goto(`/admin/appointments/${id}`);
    await expect(theirs.getByRole("link", { name: "Reschedule" }).first()).toBeVisible();
    await expect(theirs.getByRole("link", { name: "Delete" })).toHaveCount(0);
    await theirs.goto("/admin/documents");
    await expect(theirs.getByRole("heading", { name: "Not Allowed" })).toBeVisible();
    await theirs.goto(link);
    await expect(theirs.getByText("This invitation is not good any more.")).toBeVisible();

    await page.goto("/admin/team");
    await fits(page);
    await item.getByRole("button", { name: "Take Away Access" }).click();
    await expect(notice(page, "Access Taken Away")).toBeVisible();
    await expect(item).toContainText("No access since");

    await theirs.goto("/admin/calendar");
    await expect(theirs.getByRole("button", { name: "Sign In" })).toBeVisible();
    await signInByForm(theirs, { username, password: PASSWORD });
    await expect(theirs.getByText("The username or the password is wrong.").first()).toBeVisible();
    await context.close();
  });
}

async function setPassword(page: Page, password: string): Promise<void> {
  await page.getByLabel("New Password").fill(password);
  await page.getByLabel("Confirm Password").fill(password);
  await page.getByRole("button", { name: "Set Password" }).click();
}

const linkTo = (app: TestApp, email: string) =>
  eventually(() => {
    const [mail] = app.sandbox.mailbox.list({ to: email });
    const link = /\/admin\/invitation\/\S+/.exec(mail?.text ?? "")?.[0];
    if (!link) throw new Error("no invitation yet");
    return link;
  });

/** Nothing is wider than the window. */
async function fits(page: Page): Promise<void> {
  const { width } = page.viewportSize()!;
  const { width: shown } = (await page.locator("body").boundingBox())!;
  expect(shown).toBeLessThanOrEqual(width);
}
