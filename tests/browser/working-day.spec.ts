/**
 * A working day: a call booked by staff and paid by link, one paid in cash, and a part refund. The
 * figures end where they must. On a phone and without scripts, as plain forms.
 */
import type { Page } from "@playwright/test";
import type { TestApp } from "#tests/helpers/app.ts";
import { adminOf } from "#tests/support/admin.ts";
import { ASHA, dayAhead } from "#tests/support/bookings.ts";
import { notice, openDesk } from "./admin-desk.ts";
import { expect, testWithOwnApp as test } from "./fixtures.ts";
import { overflowOf } from "./stage.ts";

const ANITA = { name: "Anita Desai", email: "anita.desai@example.in", phone: "98450 70001" };
const BALA = { name: "Bala Krishnan", email: "bala.krishnan@example.in", phone: "98450 70002" };
const [FIRST, SECOND] = [dayAhead(6), dayAhead(7)];

const press = (page: Page, name: string) =>
  page.getByRole("button", { name, exact: true }).first().click();

async function beginBooking(desk: Page, who: typeof ANITA, date: string): Promise<void> {
  const at = new URLSearchParams({ date, time: "10:00", counselor: ASHA });
  await desk.goto(`/admin/appointments/new?${at}`);
  await desk.getByLabel("Full name").fill(who.name);
  await desk.getByRole("textbox", { name: "Email" }).fill(who.email);
  await desk.getByRole("textbox", { name: "Phone" }).fill(who.phone);
  await expect(desk.getByRole("radio", { name: "10:00 AM" })).toBeChecked();
}

/** Answers the booking's id. */
async function booked(desk: Page): Promise<string> {
  await press(desk, "Book for the customer");
  await expect(notice(desk, "Booked")).toBeVisible();
  expect(await overflowOf(desk)).toBeLessThanOrEqual(0);
  return /appointments\/([a-z0-9]{26})/.exec(desk.url())![1]!;
}

async function payByLink(page: Page, app: TestApp, link: string): Promise<void> {
  await page.goto(link);
  await page.getByRole("button", { name: "Pay ₹1,179", exact: true }).click();
  await expect(page.getByText("One more press")).toBeVisible();
  await page.getByRole("button", { name: "Pay ₹1,179", exact: true }).click();
  await page.getByRole("button", { name: "Pay now" }).click();
  await page.getByRole("button", { name: "Return to merchant" }).click();
  await expect(page.getByRole("heading", { name: "Booking Confirmed!" })).toBeVisible();
  await app.sandbox.mailbox.waitFor({ to: ANITA.email, subject: "Confirmed" });
}

test.use({ viewport: { width: 360, height: 780 } });

test("staff book, take money and give back", async ({ noJsPage: desk, app }) => {
  const admin = await adminOf(app);
  await openDesk(desk, app);

  const anita = await test.step("a call, paid by link", async () => {
    await beginBooking(desk, ANITA, FIRST);
    const id = await booked(desk);
    const link = await desk.getByLabel("Payment link", { exact: true }).inputValue();
    await payByLink(desk, app, link);
    return id;
  });

  await test.step("one paid in cash", async () => {
    await beginBooking(desk, BALA, SECOND);
    await desk.getByLabel("Paid outside, to you").check();
    await desk.getByLabel("How it was paid").selectOption("cash");
    await booked(desk);
    await expect(desk.getByText("Confirmed", { exact: true }).first()).toBeVisible();
  });

  await test.step("a part goes back", async () => {
    await desk.goto(`/admin/appointments/${anita}/refund`);
    await desk.getByLabel("Amount in rupees").fill("179");
    await desk.getByLabel("Reason").fill("It began late");
    await press(desk, "Refund");
    await expect(notice(desk, "Refund Wanted")).toBeVisible();
    const [mail] = await app.sandbox.mailbox.waitFor({ to: ANITA.email, subject: "Refund" });
    expect(mail!.text).toContain("It began late");
    expect(mail!.text).toContain("₹1,000");
  });

  await test.step("the figures are those of the day", async () => {
    const { data } = await admin("/appointments");
    expect(data.stats).toEqual({
      totalAppointments: 2,
      confirmedAppointments: 2,
      pendingPayments: 0,
      totalRevenue: 1_000 + 1_179,
    });
    await desk.goto("/admin");
    await expect(desk.getByText("₹2,179").first()).toBeVisible();
    expect(await overflowOf(desk)).toBeLessThanOrEqual(0);
  });
});
