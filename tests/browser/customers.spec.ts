import { guest, openDesk, paidGuest } from "./admin-desk.ts";
import { expect, test } from "./fixtures.ts";

for (const scripts of [true, false]) {
  const how = scripts ? "with scripts" : "without scripts";

  test(`a customer is found, corrected, cancelled and erased ${how}`, async ({
    page,
    noJsPage,
    app,
  }) => {
    const desk = scripts ? page : noJsPage;
    if (!scripts) await desk.setViewportSize({ width: 360, height: 800 });
    const { id, name } = await paidGuest(app, guest());
    const right = `right.${id}@example.in`;

    await openDesk(desk, app, `/admin/appointments/${id}`);
    await desk.getByRole("link", { name: "Customer", exact: true }).click();
    await expect(desk.getByRole("heading", { level: 1, name })).toBeVisible();
    await desk.getByLabel("Right email").fill(right);
    await desk.getByRole("button", { name: "Correct the address" }).click();
    await expect(desk.getByText("One booking has this address now.").first()).toBeVisible();
    await expect(desk.getByRole("link", { name: right })).toBeVisible();

    await desk.getByRole("link", { name: "Customers" }).click();
    await desk.getByLabel("Search", { exact: true }).fill(right);
    await desk.getByRole("button", { name: "Search" }).click();
    await expect(desk.getByText("1 customer for")).toBeVisible();
    // Neither name nor address stands in the page's own.
    expect(new URL(desk.url()).pathname + new URL(desk.url()).search).toBe("/admin/customers");
    await desk.getByRole("link", { name }).click();
    await desk.getByRole("link", { name: "Erase this customer" }).click();
    await expect(desk.getByText("There is a session to come.")).toBeVisible();
    await expect(desk.getByRole("button", { name: "Erase Permanently" })).toHaveCount(0);

    await desk.getByRole("link", { name: /^Cancel / }).click();
    await desk.getByRole("button", { name: /^Cancel/ }).click();
    await openDesk(desk, app, `/admin/appointments/${id}`);
    await desk.getByRole("link", { name: "Customer", exact: true }).click();
    await desk.getByRole("link", { name: "Erase this customer" }).click();
    await desk.getByRole("button", { name: "Erase Permanently" }).click();
    await expect(desk.getByText("Customer Erased").first()).toBeVisible();
    await expect(desk.getByRole("link", { name })).toHaveCount(0);
  });
}
