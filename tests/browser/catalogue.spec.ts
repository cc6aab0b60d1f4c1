/** The owner's catalogue, with scripts and without, and what visitors see of it. */
import type { Page } from "@playwright/test";
import { DEFAULT_TIMES } from "#app/catalogue.ts";
import { ASHA, dayAhead, ROHAN } from "#tests/support/bookings.ts";
import { chooseDay } from "#tests/support/choose-day.ts";
import { notice, openDesk, paidGuest } from "./admin-desk.ts";
import { choose, fillPerson, payWindow, SUBMIT, someone } from "./booking-steps.ts";
import { expect, test } from "./fixtures.ts";
import { faultsOf, overflowOf } from "./stage.ts";

const REFUSED = /status of (400|409)/;
const part = (page: Page, name: string) => page.getByRole("region", { name, exact: true });

test.beforeEach(({ app }) => {
  app.db.runRaw(
    "UPDATE package SET price_rupees = 999, label = 'One clear question' WHERE minutes = 30",
  );
  app.db.runRaw("UPDATE offer_settings SET default_times = ?", [JSON.stringify(DEFAULT_TIMES)]);
  app.db.runRaw("UPDATE counselor SET active = 1, position = iif(key = 'asha', 0, 1)");
  app.db.runRaw("UPDATE counselor SET title = 'Mentor', name = ? WHERE key = 'rohan'", [ROHAN]);
});

for (const scripts of [true, false]) {
  const how = scripts ? "with scripts" : "without scripts";
  const deskOf = (page: Page, noJsPage: Page) => (scripts ? page : noJsPage);

  test(`a price, the times and the links are changed ${how}`, async ({
    page,
    noJsPage,
    app,
    problems,
  }) => {
    problems.allow(REFUSED);
    const desk = deskOf(page, noJsPage);
    await openDesk(desk, app);
    await desk.getByRole("link", { name: "Catalogue", exact: true }).click();
    const half = part(desk, "30 minutes");
    await half.getByLabel("Price in rupees, before GST").fill("0");
    await half.getByRole("button", { name: "Save" }).click();
    await expect(half.getByText("whole rupees, from 1 to 40,000")).toBeVisible();
    await half.getByLabel("Price in rupees, before GST").fill("1100");
    if (scripts) await expect(half.getByText("₹1,100 + ₹198 GST = ₹1,298")).toBeVisible();
    await half.getByRole("button", { name: "Save" }).click();
    await expect(notice(desk, "Package Saved")).toBeVisible();
    await expect(half.getByText("₹1,100 + ₹198 GST = ₹1,298")).toBeVisible();

    const times = part(desk, "Default times");
    await times.locator('input[value="18:00"]').setChecked(scripts);
    await times.getByRole("button", { name: "Save Default Times" }).click();
    await expect(notice(desk, "Default Times Saved")).toBeVisible();
    await expect(times.locator('input[value="18:00"]')).toBeChecked({ checked: scripts });

    const links = part(desk, "Links");
    const address = `https://read.example/${scripts ? "with" : "without"}`;
    await links.getByLabel("Link 4: words").fill("Read more");
    await links.getByLabel("Link 4: address").fill("http://read.example");
    await links.getByRole("button", { name: "Save Links" }).click();
    await expect(links.getByText("beginning with https://")).toBeVisible();
    await expect(links.getByLabel("Link 4: words")).toHaveValue("Read more");
    await links.getByLabel("Link 4: address").fill(address);
    await links.getByRole("button", { name: "Save Links" }).click();
    await expect(notice(desk, "Links Saved")).toBeVisible();

    await desk.goto("/");
    await expect(desk.getByText("From ₹1,298, GST included")).toBeVisible();
    await expect(desk.getByRole("link", { name: /Read more/ })).toHaveAttribute("href", address);
  });

  test(`a captain is changed beside the card that visitors see ${how}`, async ({
    page,
    noJsPage,
    app,
    problems,
  }) => {
    problems.allow(REFUSED);
    const desk = deskOf(page, noJsPage);
    await openDesk(desk, app, "/admin/catalogue");
    await desk.getByRole("link", { name: ROHAN }).click();
    const card = part(desk, "Preview").getByRole("article");
    const title = `Selection mentor ${how}`;
    await desk.getByLabel("Title").fill(title);
    await desk.getByRole("textbox", { name: "Specialties" }).fill("Interviews\nSimulators");
    await desk.getByLabel("Rating").fill("");
    if (scripts) {
      await expect(card.getByText(title)).toBeVisible();
      await expect(card.getByText("Simulators")).toBeVisible();
      await expect(card.getByText("Rating", { exact: true })).toHaveCount(0);
    }
    await desk.getByRole("radio", { name: /By video/ }).check();
    await desk.getByLabel("Meeting link", { exact: true }).fill("");
    await desk.getByRole("button", { name: "Save", exact: true }).click();
    await expect(desk.getByText("Please enter the meeting link").first()).toBeVisible();
    await expect(desk.getByLabel("Title")).toHaveValue(title);
    await desk.getByRole("radio", { name: /By phone/ }).check();
    await desk.getByRole("button", { name: "Save", exact: true }).click();
    await expect(notice(desk, "Captain Saved")).toBeVisible();
    await expect(card.getByText(title)).toBeVisible();
    await expect(card.getByText("Rating", { exact: true })).toHaveCount(0);
    await desk.goto("/#captains");
    await expect(desk.getByText(title).first()).toBeVisible();
  });

  test(`a captain is added, moved up, taken off the page and put back ${how}`, async ({
    page,
    noJsPage,
    app,
    problems,
  }) => {
    problems.allow(REFUSED);
    const desk = deskOf(page, noJsPage);
    const name = scripts ? "Capt. Meera Withs" : "Capt. Meera Without";
    await openDesk(desk, app, "/admin/catalogue");
    await desk.getByRole("link", { name: "Add a Captain" }).click();
    await desk.getByLabel("Name").fill(ASHA.toUpperCase());
    await desk.getByLabel("Title").fill("Airline captain");
    await desk.getByLabel("Email").fill("meera@captains.example");
    await desk.getByRole("radio", { name: /By phone/ }).check();
    await desk.getByRole("button", { name: "Add Captain" }).click();
    await expect(desk.getByText("Another captain has or had this name").first()).toBeVisible();
    await expect(desk.getByLabel("Email")).toHaveValue("meera@captains.example");
    await desk.getByLabel("Name").fill(name);
    await desk.getByRole("button", { name: "Add Captain" }).click();
    await expect(notice(desk, "Captain Added")).toBeVisible();

    await desk.getByRole("link", { name: "Catalogue", exact: true }).first().click();
    await desk.getByRole("button", { name: `Up: ${name}` }).click();
    await expect(notice(desk, "Order Saved")).toBeVisible();

    const guest = await paidGuest(app, { counselor: name });
    await desk.getByRole("link", { name, exact: true }).click();
    await expect(desk.getByText("One session to come would stand")).toBeVisible();
    await desk.getByRole("button", { name: "Take Off the Page" }).click();
    await expect(notice(desk, "Captain Saved")).toBeVisible();
    const affected = desk.getByRole("region", { name: /appointments? (is|are) affected/ });
    await expect(affected.getByText(guest.name)).toBeVisible();
    await expect(affected.getByRole("link", { name: `Reschedule: ${guest.name}` })).toHaveAttribute(
      "href",
      `/admin/appointments/${guest.id}/reschedule`,
    );
    await desk.goto(`/?counselor=${encodeURIComponent(name)}`);
    await expect(desk.getByText(`${name} takes no bookings.`)).toBeVisible();
    await expect(desk.getByRole("radio", { name })).toHaveCount(0);
    await desk.goto("/admin/catalogue");
    await desk.getByRole("link", { name, exact: true }).click();
    await desk.getByRole("button", { name: "Put on the Page" }).click();
    await expect(notice(desk, "Captain Saved")).toBeVisible();
    await expect(desk.getByRole("button", { name: "Take Off the Page" })).toBeVisible();
  });

  test(`the second of two admins sees what the first saved, and keeps what they typed ${how}`, async ({
    page,
    noJsPage,
    app,
    problems,
  }) => {
    problems.allow(REFUSED);
    const desk = deskOf(page, noJsPage);
    await openDesk(desk, app, "/admin/catalogue/captains/rohan");
    app.db.runRaw(
      "UPDATE counselor SET title = 'Of the first', years_of_experience = 21, version = version + 1 WHERE key = 'rohan'",
    );
    await desk.getByLabel("Title").fill("Of the second");
    await desk.getByRole("button", { name: "Save", exact: true }).click();
    await expect(desk.getByText("This was changed in the meantime").first()).toBeVisible();
    await expect(desk.getByText("Saved at present: Of the first")).toBeVisible();
    await expect(desk.getByLabel("Title")).toHaveValue("Of the second");
    await expect(desk.getByLabel("Years")).toHaveValue("21");
    await desk.getByRole("button", { name: "Save", exact: true }).click();
    await expect(notice(desk, "Captain Saved")).toBeVisible();
    await expect(desk.getByLabel("Title")).toHaveValue("Of the second");
    app.db.runRaw("UPDATE counselor SET version = version + 1 WHERE key = 'rohan'");
    await desk.getByRole("button", { name: "Take Off the Page" }).click();
    await expect(desk.getByText("This was changed in the meantime").first()).toBeVisible();
    await desk.getByRole("button", { name: "Take Off the Page" }).click();
    await expect(notice(desk, "Captain Saved")).toBeVisible();

    await desk.goto("/admin/catalogue");
    app.db.runRaw("UPDATE package SET label = 'Of the first', version = version + 1");
    app.db.runRaw("UPDATE offer_settings SET default_times = '[\"12:00\"]', version = version + 1");
    const half = part(desk, "30 minutes");
    await half.getByLabel("Price in rupees, before GST").fill("1200");
    await half.getByRole("button", { name: "Save" }).click();
    await expect(half.getByLabel("Label")).toHaveValue("Of the first");
    await expect(half.getByLabel("Price in rupees, before GST")).toHaveValue("1200");
    await half.getByRole("button", { name: "Save" }).click();
    await expect(notice(desk, "Package Saved")).toBeVisible();
  });
}

for (const scripts of [true, false]) {
  const how = scripts ? "with scripts" : "without scripts";

  test(`a form opened before a change of price shows the new total, and books at it next ${how}`, async ({
    page,
    noJsPage,
    app,
    problems,
  }) => {
    problems.allow(REFUSED);
    const visitor = scripts ? page : noJsPage;
    const date = dayAhead(scripts ? 40 : 41);
    await visitor.goto("/");
    await fillPerson(visitor, someone());
    await choose(visitor, ASHA, 30);
    if (scripts) await chooseDay(visitor, date);
    else {
      await visitor.locator('input[name="date"]').fill(date);
      await visitor.getByRole("button", { name: /show times/i }).click();
    }
    await visitor.locator('input[name="timeSlot"][value="10:00"]').check({ force: true });
    app.db.runRaw("UPDATE package SET price_rupees = 1100 WHERE minutes = 30");
    await visitor.getByRole("button", { name: SUBMIT }).first().click();
    await expect(
      visitor.getByText(/price (of this package is ₹1,100|has changed)/).first(),
    ).toBeVisible();
    const panel = visitor.getByRole("complementary", { name: "Your session and price" });
    await expect(panel.getByText("₹1,298").first()).toBeVisible();
    await visitor.getByRole("button", { name: SUBMIT }).first().click();
    if (scripts) await expect(payWindow(visitor).getByText("₹1,298").first()).toBeVisible();
    else await expect(visitor.getByText("Pay ₹1,298").first()).toBeVisible();
  });
}

test("nothing is cut off or faulty on a phone", async ({ page, app }) => {
  await page.setViewportSize({ width: 360, height: 800 });
  for (const path of ["", "/new", "/captains/asha"]) {
    await openDesk(page, app, `/admin/catalogue${path}`);
    expect(await overflowOf(page), path).toBeLessThanOrEqual(0);
    expect(await faultsOf(page), path).toEqual([]);
  }
});
