/** What a person does in the booking form. */
import type { Page } from "@playwright/test";
import type { TestApp } from "#tests/helpers/app.ts";
import { ASHA, type BookingBody, bookingBody } from "#tests/support/bookings.ts";
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

/** Books as this browser's form does, which then has the booking's cookie. */
export async function bookIn(page: Page, app: TestApp, changes: Partial<BookingBody> = {}) {
  const body = bookingBody(changes);
  const { request } = page.context();
  const answer = await request.post(`${app.origin}/api/appointments`, { data: body });
  const { data } = await answer.json();
  return { ...body, id: data.id as string };
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

interface LayoutShift extends PerformanceEntry {
  value: number;
  sources: { node: Element | null }[];
}

/** Notes what moves on each page as it loads, but within `except`; answers a reader of it. */
export async function watchShifts(page: Page, except = ":not(*)") {
  await page.addInitScript((apart) => {
    const shifts: string[] = [];
    Object.assign(window, { shifts });
    new PerformanceObserver((list) => {
      for (const { value, sources } of list.getEntries() as LayoutShift[]) {
        // The largest part that moved comes first; of less than a thousandth, which nobody sees, it is often gone.
        const node = sources[0]?.node;
        if (value > 0.001 && !node?.parentElement?.closest(apart))
          shifts.push(`${value} ${node?.outerHTML?.slice(0, 80)}`);
      }
    }).observe({ type: "layout-shift", buffered: true });
  }, except);
  return () => page.evaluate(() => (window as unknown as { shifts: string[] }).shifts);
}
