/** A captain's imported calendar and portrait, with scripts and without. */
import { openDesk } from "./admin-desk.ts";
import { expect, test } from "./fixtures.ts";

const REFUSED = /status of 40[04]/;
const PICTURE = "public/preview.png";

for (const scripts of [true, false]) {
  const how = scripts ? "with scripts" : "without scripts";

  test(`a calendar is refused, saved, read and removed ${how}`, async ({
    page,
    noJsPage,
    app,
    problems,
  }) => {
    problems.allow(REFUSED);
    const desk = scripts ? page : noJsPage;
    await openDesk(desk, app);
    const open = () => desk.goto(`${app.origin}/admin/schedule/asha/busy-calendar`);
    const address = desk.getByLabel(/rivate address/);
    await open();
    await address.fill("http://10.0.0.1/roster.ics");
    await desk.getByRole("button", { name: "Save" }).click();
    await expect(desk.getByText("leads to a place that is not public").first()).toBeVisible();
    await expect(address).toBeFocused();
    await address.fill(app.sandbox.addresses.calendarUrl!);
    await desk.getByRole("button", { name: "Save" }).click();
    await desk.waitForURL(/\/admin\/schedule\/asha$/);
    await open();
    await expect(desk.getByText("14 busy times ahead")).toBeVisible();
    await expect(address).toHaveValue("");
    app.sandbox.switches.set({ name: "calendar_error", value: 404, count: 1 });
    await desk.getByRole("button", { name: "Read Now" }).click();
    await desk.waitForURL(/\/admin\/schedule\/asha$/);
    await open();
    await expect(desk.getByText("14 busy times ahead")).toBeVisible();
    await expect(desk.getByText("copy its private address anew").last()).toBeVisible();
    await desk.getByRole("button", { name: "Remove" }).click();
    await desk.waitForURL(/\/admin\/schedule\/asha$/);
    await open();
    await expect(desk.getByLabel("Private address", { exact: true })).toHaveValue("");
    await expect(desk.getByText("busy times ahead")).toHaveCount(0);
  });

  test(`a portrait is refused, taken, and on the page at once ${how}`, async ({
    page,
    noJsPage,
    app,
    problems,
  }) => {
    problems.allow(REFUSED);
    const desk = scripts ? page : noJsPage;
    await openDesk(desk, app);
    await desk.goto(`${app.origin}/admin/catalogue/captains/asha`);
    const file = desk.getByLabel("New picture");
    await file.setInputFiles({ name: "a.png", mimeType: "image/png", buffer: Buffer.from("no") });
    await desk.getByRole("button", { name: "Upload" }).click();
    await expect(desk.getByText("cannot be read as a picture").first()).toBeVisible();
    await file.setInputFiles(PICTURE);
    await desk.getByRole("button", { name: "Upload" }).click();
    await desk.waitForURL(/\/captains\/asha$/);
    await expect(desk.getByText("The page shows the new portrait").first()).toBeVisible();
    await expect(file).toHaveValue("");
    await desk.goto(app.origin);
    const card = desk.locator("article", { hasText: "Capt. Asha Sample" }).locator("img");
    await card.scrollIntoViewIfNeeded();
    await expect(card).toHaveJSProperty("complete", true);
    await expect(card).toHaveAttribute("srcset", /^\/portraits\/[0-9a-f]{32}\/96\.webp 96w/);
    await expect
      .poll(() => card.evaluate((img: HTMLImageElement) => img.naturalWidth))
      .toBeGreaterThan(0);
  });
}
