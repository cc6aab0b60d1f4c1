/** What a person does in the booking form. */
import type { Page } from "@playwright/test";

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

export async function choose(page: Page, counselor: string, minutes: number): Promise<void> {
  await page.locator(`input[name="counselor"][value="${counselor}"]`).check({ force: true });
  await page.locator(`input[name="package"][value="${minutes}"]`).check({ force: true });
}
