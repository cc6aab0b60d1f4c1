/** What must be in view where staff and captains work: measured, not looked at. */
import type { Locator, Page } from "@playwright/test";
import { dayAhead } from "#tests/support/bookings.ts";
import {
  confirmedGuest,
  guest,
  listOf,
  openDesk,
  paidGuest,
  rowOf,
  signInByForm,
} from "./admin-desk.ts";
import { submit } from "./booking-steps.ts";
import { expect, test } from "./fixtures.ts";
import { overflowOf } from "./stage.ts";

const PHONES = [
  { width: 360, height: 740 },
  { width: 390, height: 844 },
];
const WIDE = { width: 1280, height: 800 };

const boxOf = async (target: Locator) => (await target.boundingBox())!;

/** Whole in the window, without scrolling. */
async function inView(page: Page, target: Locator) {
  const { y, height } = await boxOf(target);
  return y >= 0 && y + height <= page.viewportSize()!.height;
}

async function isOver(one: Locator, other: Locator) {
  const [a, b] = [await boxOf(one), await boxOf(other)];
  return a.x < b.x + b.width && b.x < a.x + a.width && a.y < b.y + b.height && b.y < a.y + a.height;
}

const places = (page: Page) => page.getByRole("navigation", { name: "Admin" });

test("on phones: four places and More on a line, the calendar in view", async ({ page, app }) => {
  await page.setViewportSize(PHONES[0]!);
  await openDesk(page, app);
  const links = places(page).getByRole("link");
  const more = places(page).getByText("More");
  const book = page.getByRole("link", { name: "Book for a customer" }).first();
  for (const size of PHONES) {
    await page.setViewportSize(size);
    const shown = await links.filter({ visible: true }).all();
    expect(shown).toHaveLength(4);
    const tops = new Set<number>();
    for (const one of [...shown, more]) tops.add(Math.round((await boxOf(one)).y));
    expect([...tops]).toHaveLength(1);
    expect(await inView(page, book)).toBe(true);
    expect(await overflowOf(page)).toBeLessThanOrEqual(0);
  }
  for (const view of ["day", "week", "month"]) {
    await page.goto(`/admin/calendar?view=${view}&date=${dayAhead(3)}`);
    for (const size of PHONES) {
      await page.setViewportSize(size);
      const { y } = await boxOf(page.getByRole("table").first());
      // With some rows of it.
      expect([view, y + 96 <= size.height]).toEqual([view, true]);
    }
  }
  await page.goto("/admin/schedule/asha");
  await page.getByText("Single times").click();
  const days = await page.locator(".week-grid thead th").all();
  expect(days).toHaveLength(8);
  for (const one of days) {
    const isCut = await one.evaluate(
      (th) => th.clientHeight > 30 || th.scrollWidth > th.clientWidth,
    );
    expect(isCut).toBe(false);
  }
  await more.click();
  await expect(links.filter({ visible: true })).toHaveCount(await links.count());
});

test("the documents of a month stay in their card on a tablet", async ({ page, app }) => {
  await paidGuest(app);
  await openDesk(page, app, "/admin/documents");
  for (const width of [768, 794, 900]) {
    await page.setViewportSize({ width, height: 1024 });
    const table = await boxOf(page.getByRole("table"));
    const card = await boxOf(page.getByRole("region", { name: "Documents of the month" }));
    expect([width, table.x + table.width <= card.x + card.width]).toEqual([width, true]);
    expect([width, await overflowOf(page)]).toEqual([width, 0]);
  }
});

test("a notice covers nothing that it reports on, on a phone", async ({ page, problems }) => {
  problems.allow(/status of 4/);
  await page.setViewportSize(PHONES[0]!);
  const toast = page.locator(".toast").first();
  await page.goto("/");
  await submit(page);
  await expect(toast).toContainText("Package Required");
  for (const id of ["#form-errors", ".pay-bar"]) {
    expect([id, await isOver(toast, page.locator(id))]).toEqual([id, false]);
  }
  await page.goto("/admin");
  await signInByForm(page, { username: "nobody", password: "no-such-password" });
  await expect(toast).toContainText("Login Failed");
  expect(await isOver(toast, page.getByRole("button", { name: "Sign In" }))).toBe(false);
});

test("a notice covers neither the places nor the log-out", async ({ page, app }) => {
  const { id } = await confirmedGuest(app);
  for (const size of [PHONES[0]!, WIDE]) {
    await page.setViewportSize(size);
    await openDesk(page, app, `/admin/appointments/${id}/edit`);
    await page.getByLabel("Staff note").fill(`Called at ${size.width}`);
    await page.getByRole("button", { name: "Save" }).click();
    const toast = page.locator(".toast").first();
    await expect(toast).toContainText("Staff Note Saved");
    for (const other of [places(page), page.getByRole("button", { name: "Logout" })]) {
      expect([size.width, await isOver(toast, other)]).toEqual([size.width, false]);
    }
  }
});

test("at 1280 by 800 addresses, Cancel's buttons and hours are in view", async ({ page, app }) => {
  await page.setViewportSize(WIDE);
  const email = "parent.of.pupil.0239@example-school.in";
  const { id, name } = await confirmedGuest(app, guest({ email }));
  await openDesk(page, app, listOf(name));
  const lines = await rowOf(page, name)
    .getByText(email)
    .evaluate((element, text) => {
      const range = document.createRange();
      const [node] = element.childNodes;
      range.setStart(node!, 0);
      range.setEnd(node!, text.length);
      return new Set([...range.getClientRects()].map(({ top }) => Math.round(top))).size;
    }, email);
  expect(lines).toBe(1);
  expect(await overflowOf(page)).toBeLessThanOrEqual(0);

  await page.goto(`/admin/appointments/${id}`);
  await page.getByRole("link", { name: "Cancel appointment" }).click();
  const buttons = [
    page.getByRole("button", { name: "Cancel Appointment" }),
    page.getByRole("link", { name: "Keep Appointment" }),
  ];
  for (const choose of [null, "The customer"]) {
    if (choose) await page.getByRole("radio", { name: choose }).check();
    for (const one of buttons) expect([choose, await inView(page, one)]).toEqual([choose, true]);
  }

  await page.goto(`/admin/calendar?view=week&date=${dayAhead(3)}`);
  const row = (time: string) => page.getByRole("row", { name: new RegExp(`^${time}`) }).first();
  expect((await boxOf(row("10:00 AM"))).height).toBeGreaterThanOrEqual(20);
  // The default times end with 4:00 PM, and nothing else stands so late.
  await expect(row("8:30 PM")).toBeHidden();
});
