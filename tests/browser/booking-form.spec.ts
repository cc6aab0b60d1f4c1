/** The booking form keeps what was typed, says what comes next, and serves those who see differently. */
import type { Page } from "@playwright/test";
import { findAppointment } from "#db/queries/appointments.server.ts";
import { callsAs } from "#tests/support/admin.ts";
import { ASHA, dayAhead, ROHAN } from "#tests/support/bookings.ts";
import { chooseDay } from "#tests/support/choose-day.ts";
import {
  choose,
  fillForm,
  fillPerson,
  payWindow,
  SUBMIT,
  someone,
  submit,
  watchShifts,
} from "./booking-steps.ts";
import { expect, hold, test } from "./fixtures.ts";
import { overflowOf } from "./stage.ts";

const times = (page: Page) => page.getByRole("radiogroup", { name: "Start time" });

test("what was typed outlives a reload, and goes once it is booked", async ({ page, app }) => {
  const date = dayAhead(5);
  const who = await fillForm(page, date, "2:00 PM");
  await page.getByLabel("Your question for the captain").fill("Can I fly with glasses?");
  const student = page.getByLabel("Student’s name");
  await expect(student).toBeHidden();
  await page.getByLabel("For someone else").check();
  await student.fill("Kabir Rao");
  await page.getByLabel("The student is under 18").check();
  // The pass fills in as the visitor chooses.
  const moved = await watchShifts(page, "aside");
  // The browser's own memory of a reload does not help an address that is opened again.
  const release = await hold(page, /\/assets\/.*\.js$/);
  await page.goto("/#booking-you", { waitUntil: "commit" });
  await page.reload({ waitUntil: "commit" });
  await expect(page.getByLabel("Full name")).toHaveValue(who.name);
  await expect(page.locator('input[name="package"][value="30"]')).toBeChecked();
  await expect(page.locator('input[name="date"]')).toHaveValue(date);
  await expect(student).toHaveValue("Kabir Rao");
  // A page that is drawn before its last part has come moves then; what the scripts do moves nothing.
  await page.evaluate(
    () => new Promise((drawn) => requestAnimationFrame(() => requestAnimationFrame(drawn))),
  );
  const early = (await moved()).length;
  await release();
  await expect(page.getByRole("radio", { name: "2:00 PM" })).toBeChecked();
  await expect(page.locator(`[data-date="${date}"]`)).toHaveAttribute("aria-pressed", "true");
  await expect(page.getByLabel("Your question for the captain")).toHaveValue(/glasses/);
  // The pass names who comes.
  const pass = page.getByRole("complementary", { name: "Your session and price" });
  await expect(pass.getByText("Kabir Rao")).toBeVisible();
  expect((await moved()).slice(early)).toEqual([]);
  await submit(page);
  await expect(page.getByText("Please say how you are related").first()).toBeVisible();
  await page.getByLabel("Relation to the student").fill("aunt");
  await submit(page);
  // Left while the booking's own page is on its way.
  await page.route(/\/booking\/.*\.data/, () => {});
  await payWindow(page).getByRole("button", { name: "Pay now" }).click();
  await expect(page.getByRole("heading", { name: "Booking Confirmed!" })).toBeVisible();
  await expect.poll(() => page.evaluate(() => sessionStorage.getItem("booking"))).toBeNull();
  const made = "SELECT id FROM appointment WHERE email = ?";
  const { id } = app.db.firstRaw<{ id: string }>(made, [who.email])!;
  expect(findAppointment(app.db, id)?.student).toEqual({
    name: "Kabir Rao",
    under18: true,
    relation: "aunt",
  });
});

test("a choice made over a link’s stays after a reload and Back; a new link brings its own", async ({
  page,
}) => {
  const link = "/?counselor=rohan&package=45#book";
  const chosen = (name: string, value: string | number) =>
    expect(page.locator(`input[name="${name}"][value="${value}"]:checked`)).toHaveCount(1);
  await page.goto(link);
  await choose(page, ASHA, 60);
  await chooseDay(page, dayAhead(10));
  await page.getByRole("radio", { name: "2:00 PM" }).check();
  await page.getByLabel("Full name").fill("Ananya Rao");
  const isAsLeft = async () => {
    await chosen("counselor", ASHA);
    await chosen("package", 60);
    await chosen("timeSlot", "14:00");
    await expect(page.getByLabel("Full name")).toHaveValue("Ananya Rao");
  };
  // Within the page the router goes on from the address that it knew.
  await page.evaluate(() => location.assign("#questions"));
  await page.goBack();
  await isAsLeft();
  await page.reload();
  await isAsLeft();
  await page.goto("/privacy");
  await page.goBack();
  await isAsLeft();
  // Another entry of the history may still have the link's address.
  await page.evaluate(() => sessionStorage.clear());
  await page.goto("/?counselor=rohan&package=45");
  await page.getByRole("link", { name: "Choose your session" }).click();
  await choose(page, ASHA, 60);
  await page.goBack();
  await expect(page).toHaveURL(/\/$/);
  await page.reload();
  await chosen("counselor", ASHA);
  await chosen("package", 60);
  // What is typed before the scripts have come changes the address too.
  const release = await hold(page, /\/assets\/.*\.js$/);
  await page.goto(link, { waitUntil: "commit" });
  await page.getByLabel("Full name").fill("Tara Bhatt");
  await expect(page).toHaveURL(/\/#book$/);
  await release();
  await expect(page.getByRole("button", { name: "Show times" })).toHaveCount(0);
  await chosen("counselor", ROHAN);
  await chosen("package", 45);
  await expect(page.getByLabel("Full name")).toHaveValue("Tara Bhatt");
});

test("a day leads to the captain first, then to its times", async ({ page, problems }) => {
  problems.allow(/status of 503/);
  const message = "We are being repaired. Please come back at noon.";
  await page.route("**/api/slots*", (route) =>
    route.fulfill({ status: 503, json: { status: "error", message } }),
  );
  await page.goto("/");
  await page.locator('input[name="package"][value="30"]').check();
  await chooseDay(page, dayAhead(4));
  await expect(page.locator('input[name="counselor"]').first()).toBeFocused();
  await expect(page.getByText("is chosen. Next: the captain.")).toBeInViewport();
  await choose(page, ASHA, 30);
  await expect(times(page)).toContainText(message);
  await page.unroute("**/api/slots*");
  await page.getByRole("button", { name: "Load the times again" }).click();
  await expect(page.getByRole("radio", { name: "11:00 AM" })).toBeVisible();
  await expect(times(page)).toBeFocused();
  await page.getByLabel("Full name").focus();
  await chooseDay(page, dayAhead(6));
  await expect(times(page)).toBeFocused();
});

test("a mistyped address is asked about once; loading times hold nobody up", async ({ page }) => {
  const mistyped = "ananya@gmial.com";
  await fillForm(page, dayAhead(9), "2:00 PM");
  const meant = page.getByRole("button", { name: "Did you mean ananya@gmail.com?" });
  // Clicked straight out of the field: the click asks.
  await page.getByLabel("Email").fill(mistyped);
  // In Safari a clicked button gets no focus: the field loses it to nothing.
  await page.getByLabel("Email").evaluate((input) => input.blur());
  await expect(meant).toHaveCount(0);
  await submit(page);
  await expect(meant).toBeFocused();
  await expect(page.getByLabel("Email")).toHaveValue(mistyped);
  const release = await hold(page, "**/api/slots?*");
  await choose(page, ASHA, 45);
  await expect(times(page)).toHaveAttribute("aria-busy", "true");
  await submit(page);
  await expect(payWindow(page).getByText("₹1,533").first()).toBeVisible();
  await release();
});

test("an invoice for a company: its state, and what is wrong, also folded", async ({ page }) => {
  await page.goto("/#book");
  const state = page.getByLabel("State", { exact: true });
  const gstin = page.getByLabel("GSTIN");
  await expect(state).toBeVisible();
  await expect(gstin).toBeHidden();
  await page.getByText("Invoice for a company").click();
  await gstin.fill("27aapfu0939f1z");
  await expect(state).toHaveValue("");
  await gstin.fill("27aapfu0939f1zw");
  await expect(state).toHaveValue("27");
  await page.getByLabel("Company name").fill("Sky Lines Pvt. Ltd.");
  // What is sent along is seen after a reload too, by the browser's memory or by ours.
  await page.reload();
  await expect(gstin).toBeVisible();
  await page.goto("/privacy");
  await page.goto("/#book");
  await expect(gstin).toHaveValue("27aapfu0939f1zw");
  await expect(gstin).toBeVisible();
  // Stays open while what is wrong is mended.
  await submit(page);
  const address = page.getByLabel("Address", { exact: true });
  await gstin.fill("27aapfu0939f1zv");
  await address.fill("1 Hangar Road, Pune");
  await expect(page.locator("details [aria-invalid]")).toHaveCount(0);
  await expect(address).toBeFocused();
  await gstin.fill("27aapfu0939f1zw");
  await address.fill("");
  await page.getByText("Invoice for a company").click();
  await expect(gstin).toBeHidden();
  await submit(page);
  await expect(page.locator("#form-errors")).toContainText("This GSTIN has a wrong check digit.");
  await page.getByRole("link", { name: "Please enter the company’s address" }).press("Enter");
  await expect(address).toBeFocused();
});

/** Goes through the form, and looks at each step. */
async function walk(page: Page, look: (step: string) => Promise<void>): Promise<void> {
  await look("empty");
  // The form is alive: before that a click sends it.
  await expect(page.getByRole("button", { name: "Show times" })).toHaveCount(0);
  await page.getByRole("button", { name: SUBMIT }).click();
  await expect(page.locator("#form-errors")).toBeFocused();
  await look("refused");
  // The notice "Package Required" stands before the form.
  await page.locator(".toast").getByRole("button", { name: "Close" }).press("Enter");
  await expect(page.locator(".toast")).toHaveCount(0);
  await fillPerson(page, someone());
  await choose(page, ASHA, 30);
  await look("captain and package");
  await chooseDay(page, dayAhead(5));
  await expect(page.getByRole("radio", { name: "11:00 AM" })).toBeVisible();
  await look("day");
  await page.getByRole("radio", { name: "11:00 AM" }).check();
  await look("time");
}

/** What moves, or would. */
function moving(page: Page): Promise<string[]> {
  return page.evaluate(() =>
    [...document.querySelectorAll("*")]
      .filter((one) => {
        const { transitionDuration, animationDuration, scrollBehavior } = getComputedStyle(one);
        return /[1-9]/.test(transitionDuration + animationDuration) || scrollBehavior === "smooth";
      })
      .map((one) => one.className),
  );
}

test("zoom of 400 %, the system's colours and less motion are kept to", async ({ page }) => {
  // 1280 by 1024 pixels at 400 %.
  await page.setViewportSize({ width: 320, height: 256 });
  await page.goto("/#book");
  expect((await moving(page)).length).toBeGreaterThan(0);
  await page.emulateMedia({ forcedColors: "active", reducedMotion: "reduce" });
  const marks = { chosen: 0, wrong: 0 };
  await walk(page, async (step) => {
    expect(await overflowOf(page), step).toBeLessThanOrEqual(0);
    const { chosen, wrong, ...faults } = await page.evaluate(() => {
      const all = (selector: string) => [...document.querySelectorAll(selector)];
      const names = (found: Element[]) => found.map((one) => one.outerHTML.slice(0, 99));
      const isMarked = (one: Element) => {
        const { outlineStyle, borderTopStyle, borderTopWidth } = getComputedStyle(one);
        const isPlain = one.matches(".choice, [data-date]");
        return (
          outlineStyle !== "none" ||
          (!isPlain && borderTopStyle === "solid" && borderTopWidth !== "0px")
        );
      };
      const marked = all(".choice:has(:checked), [data-date][aria-pressed=true]");
      const edged = all(".input, .button-primary, #form-errors");
      // Stays in its place while the page scrolls, and takes more than a third of the window.
      const covering = all("#book *")
        .filter((one) => /sticky|fixed/.test(getComputedStyle(one).position))
        .filter((one) => one.getBoundingClientRect().height > innerHeight / 3);
      return {
        chosen: marked.length,
        wrong: all("#booking [aria-invalid=true]").length,
        unmarked: names([...marked, ...edged].filter((one) => !isMarked(one))),
        covering: names(covering),
      };
    });
    expect(faults, step).toEqual({ unmarked: [], covering: [] });
    expect(await moving(page), step).toEqual([]);
    marks.chosen = Math.max(marks.chosen, chosen);
    marks.wrong = Math.max(marks.wrong, wrong);
  });
  // Captain, package, day, time.
  expect(marks.chosen).toBe(4);
  expect(marks.wrong).toBeGreaterThan(3);
});

/** As Chrome does: every text stands in elements of its own, also each that comes later. */
const translated = (page: Page) =>
  page.addInitScript(() => {
    const translate = (root: Node) => {
      const walker = document.createTreeWalker(root, NodeFilter.SHOW_TEXT);
      const texts: Text[] = [];
      while (walker.nextNode()) texts.push(walker.currentNode as Text);
      for (const text of texts) {
        const parent = text.parentElement;
        if (!parent || !text.data.trim() || parent.closest("font, script, style, select")) continue;
        const font = document.createElement("font");
        text.replaceWith(font);
        font.append(text);
      }
    };
    addEventListener("load", () => {
      translate(document.body);
      const added = new MutationObserver((changes) => {
        for (const { addedNodes } of changes) for (const node of addedNodes) translate(node);
      });
      added.observe(document.body, { childList: true, subtree: true });
    });
  });

test("is booked and paid while a browser translates the page", async ({ page, problems }) => {
  // Translated before the scripts came, the page is drawn anew.
  problems.allow(/Minified React error #418/);
  await translated(page);
  await fillForm(page, dayAhead(8), "3:00 PM");
  await choose(page, ASHA, 45);
  await chooseDay(page, dayAhead(9));
  await page.getByRole("radio", { name: "4:00 PM" }).check();
  await submit(page);
  await payWindow(page).getByRole("button", { name: "Pay now" }).click();
  await expect(page.getByRole("heading", { level: 1 })).toHaveText("Booking Confirmed!");
});

test("what is done on a translated page before its scripts is kept", async ({ page, problems }) => {
  problems.allow(/Minified React error #418/);
  await translated(page);
  const release = await hold(page, /\/assets\/.*\.js$/);
  await page.goto("/", { waitUntil: "commit" });
  await page.locator("h1 font").first().waitFor();
  await page.getByLabel("Full name").fill("Tara Bhatt");
  await page.locator("button[name=pick]").first().click();
  await release();
  await expect(page.locator("input[name=timeSlot]:checked")).toHaveCount(1);
  await expect(page.getByLabel("Full name")).toHaveValue("Tara Bhatt");
  await page.getByLabel("Email", { exact: true }).fill("tara@example.in");
  await page.reload();
  await expect(page.getByLabel("Email", { exact: true })).toHaveValue("tara@example.in");
});

test("a captain who is renamed while the form is filled in stays chosen when the price is refused", async ({
  page,
  app,
  problems,
}) => {
  problems.allow(/409/);
  await fillForm(page, dayAhead(33), "2:00 PM");
  const put = await callsAs(app);
  const renamed = "Capt. Asha Renamed";
  await put("/counselors/asha", { method: "PUT", json: { name: renamed } });
  await put("/packages/30", { method: "PUT", json: { price: 1111 } });
  await submit(page);
  await expect(page.getByText("The price of this package is ₹1,111").first()).toBeVisible();
  const pass = page.getByRole("complementary", { name: "Your session and price" });
  await expect(pass.getByText(renamed)).toBeVisible();
});
