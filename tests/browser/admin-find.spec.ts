import { guest, openDesk, paidGuest } from "./admin-desk.ts";
import { expect, test } from "./fixtures.ts";

for (const scripts of [true, false]) {
  const how = scripts ? "with scripts" : "without scripts";

  test(`finds a customer by name, and a booking by what is read out ${how}`, async ({
    page,
    noJsPage,
    app,
  }) => {
    const desk = scripts ? page : noJsPage;
    const { id, name, paymentId } = await paidGuest(app);
    const field = desk.getByRole("searchbox", { name: "Quick find" });
    await openDesk(desk, app, "/admin/documents");
    await field.fill(name);
    await field.press("Enter");
    await expect(desk.getByRole("heading", { level: 3, name })).toBeVisible();
    // Neither name nor number stands in an address.
    expect(new URL(desk.url()).pathname + new URL(desk.url()).search).toBe("/admin/find");
    await expect(desk).toHaveTitle("Quick find – Admin");
    await desk.getByRole("link", { name: `#${id.slice(-6)}` }).click();
    await expect(desk.getByRole("heading", { name: "View Details" })).toBeVisible();
    for (const q of [`#${id.slice(-6)}`, paymentId]) {
      await openDesk(desk, app, "/admin/activity");
      await field.fill(q);
      await desk.getByRole("button", { name: "Find" }).click();
      await expect(desk.getByRole("heading", { name: "View Details" })).toBeVisible();
      await expect(desk.getByText(name).first()).toBeVisible();
      expect(new URL(desk.url()).pathname).toBe(`/admin/appointments/${id}`);
    }
  });
}

test("says what can be sought when nothing is found", async ({ page, app }) => {
  await openDesk(page, app, "/admin");
  const field = page.getByRole("searchbox", { name: "Quick find" });
  await field.fill("nobody of this name");
  await field.press("Enter");
  await expect(page.getByRole("status").filter({ hasText: "Nothing found" })).toBeVisible();
  await expect(page.getByText("try fewer letters")).toBeVisible();
});

test("a stroke leads to the field, and stays a stroke where people write", async ({
  page,
  app,
}) => {
  await openDesk(page, app, "/admin");
  const field = page.getByRole("searchbox", { name: "Quick find" });
  await page.keyboard.press("/");
  await expect(field).toBeFocused();
  await expect(field).toHaveValue("");
  await field.pressSequentially("a/b");
  await expect(field).toHaveValue("a/b");
  const other = page.getByLabel("Search");
  await other.focus();
  await page.keyboard.press("/");
  await expect(other).toHaveValue("/");
  await expect(field).not.toBeFocused();
  await page.locator("main").focus();
  await page.keyboard.press("/");
  await page.keyboard.type("new");
  await expect(field).toHaveValue("new");
});

test("the stroke does nothing behind a dialog", async ({ page, app }) => {
  const { name } = await paidGuest(app, guest());
  await openDesk(page, app, `/admin?q=${encodeURIComponent(name)}`);
  await page
    .getByRole("link", { name: /^View Details/ })
    .first()
    .click();
  await expect(page.getByRole("dialog")).toBeVisible();
  await page.keyboard.press("/");
  await expect(page.getByRole("searchbox", { name: "Quick find" })).not.toBeFocused();
});
