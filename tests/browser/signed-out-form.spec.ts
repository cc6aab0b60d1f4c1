/** A form that is sent after its session has ended: what was typed, and who may go on with it. */
import type { Page } from "@playwright/test";
import type { TestApp } from "#tests/helpers/app.ts";
import { ADMIN } from "#tests/helpers/environment.ts";
import { anotherAdmin, notice, paidGuest, signInByForm } from "./admin-desk.ts";
import { expect, test } from "./fixtures.ts";

const NOTE = "Called twice.\nComes with her father.";
const noteField = (page: Page) => page.getByLabel("Staff note");
const save = (page: Page) => page.getByRole("button", { name: "Save" }).click();

/** The staff note is typed, and nobody is signed in any more. */
async function typedThenEnded(page: Page, app: TestApp) {
  const { id } = await paidGuest(app);
  const account = await anotherAdmin(app);
  await page.goto(`/admin/appointments/${id}/edit`);
  await signInByForm(page, account);
  await noteField(page).fill(NOTE);
  const saved = () =>
    app.db.firstRaw<{ note: string | null }>(
      "SELECT staff_note AS note FROM appointment WHERE id = ?",
      [id],
    )?.note;
  const end = () =>
    app.db.runRaw(
      "DELETE FROM admin_session WHERE admin_id = (SELECT id FROM admin WHERE username = ?)",
      [account.username],
    );
  return { account, id, saved, end };
}

const OUT = /status of 401/;

test("with scripts the sign-in comes over it, and the form goes on", async ({
  page,
  app,
  problems,
}) => {
  problems.allow(OUT);
  const { account, saved, end } = await typedThenEnded(page, app);
  end();
  await save(page);
  const dialog = page.getByRole("dialog", { name: "Sign in again" });
  await expect(dialog.getByLabel("Username")).toHaveValue(account.username);
  await dialog.getByLabel("Password").fill("wrong password");
  await dialog.getByRole("button", { name: "Sign In" }).click();
  await expect(dialog.getByRole("alert")).toContainText("wrong");
  await expect(noteField(page)).toHaveValue(NOTE);
  expect(saved()).toBeNull();
  await dialog.getByLabel("Password").fill(account.password);
  await dialog.getByRole("button", { name: "Sign In" }).click();
  await expect(notice(page, "Staff Note Saved")).toBeVisible();
  expect(saved()).toBe(NOTE);
});

test("a cookie that is gone comes back from the kept token, without being asked", async ({
  page,
  app,
  problems,
}) => {
  problems.allow(OUT);
  const { saved } = await typedThenEnded(page, app);
  await page.context().clearCookies({ name: /admin_session/ });
  await save(page);
  await expect(notice(page, "Staff Note Saved")).toBeVisible();
  expect(saved()).toBe(NOTE);
});

test("with scripts another account gets neither the text nor the form sent", async ({
  page,
  app,
  problems,
}) => {
  problems.allow(OUT);
  const { saved, end } = await typedThenEnded(page, app);
  end();
  await save(page);
  const dialog = page.getByRole("dialog", { name: "Sign in again" });
  await dialog.getByLabel("Username").fill(ADMIN.username);
  await dialog.getByLabel("Password").fill(ADMIN.password);
  await dialog.getByRole("button", { name: "Sign In" }).click();
  await expect(page.getByRole("heading", { name: "Admin Dashboard" })).toBeAttached();
  await expect(page).toHaveURL(/\/admin$/);
  expect(saved()).toBeNull();
});

test("without scripts the text is back in the form after the sign-in, and nothing is done yet", async ({
  noJsPage: page,
  app,
  problems,
}) => {
  problems.allow(OUT);
  const { account, id, saved, end } = await typedThenEnded(page, app);
  end();
  await save(page);
  expect(page.url()).not.toContain("father");
  await signInByForm(page, account);
  await expect(page).toHaveURL(new RegExp(`${id}/edit$`));
  await expect(page.getByRole("alert")).toContainText("Not Sent Yet");
  await expect(noteField(page)).toHaveValue(NOTE);
  expect(saved()).toBeNull();
  await save(page);
  await expect(notice(page, "Staff Note Saved")).toBeVisible();
  expect(saved()?.replaceAll("\r\n", "\n")).toBe(NOTE);
});
