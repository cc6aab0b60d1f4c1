/** What a person does in the booking form. */
import type { Page } from "@playwright/test";
import { ASHA } from "#tests/support/bookings.ts";
import { chooseDay } from "#tests/support/choose-day.ts";

export const SUBMIT = /^(book and pay|pay ₹)/i;

let person = 0;
export function someone() {
  person += 1;
  return {
    name: "Ananya Rao",
    email: `ananya.${process.env.TEST_PARALLEL_INDEX}.${person}@example.in`,
    phone: `98450 1${String(person).padStart(4, "0")}`,
  };
}

export async function fillPerson(page: Page, who: ReturnType<typeof someone>): Promise<void> {
  await page.getByLabel("Full name").fill(who.name);
  await page.getByLabel("Email", { exact: false }).first().fill(who.email);
  await page.getByLabel("Phone", { exact: false }).first().fill(who.phone);
}

/** The sandbox's payment window. */
export const payWindow = (page: Page) =>
  page.frameLocator('iframe[title="Payment window (sandbox)"]');

/** Fills the whole form in, up to the payment. */
export async function fillForm(
  page: Page,
  date: string,
  time: string,
  { who = someone(), counselor = ASHA, minutes = 30 } = {},
) {
  await page.goto("/");
  await choose(page, counselor, minutes);
  await chooseDay(page, date);
  await page.getByRole("radio", { name: time }).check();
  await fillPerson(page, who);
  return who;
}

export const submit = (page: Page) => page.getByRole("button", { name: SUBMIT }).first().click();

/** Brings back what is folded to a line. */
export async function change(page: Page): Promise<void> {
  const line = page.locator("#booking-chosen:not([open]) summary");
  if (await line.isVisible()) await line.click();
}

export async function choose(page: Page, counselor: string, minutes: number): Promise<void> {
  await change(page);
  await page.locator(`input[name="counselor"][value="${counselor}"]`).check({ force: true });
  await page.locator(`input[name="package"][value="${minutes}"]`).check({ force: true });
}
