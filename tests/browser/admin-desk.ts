/** What the tests of the admin pages share: a signed-in page and bookings of their own. */
import type { Page } from "@playwright/test";
import { newId } from "#app/model/ids.ts";
import type { TestApp } from "#tests/helpers/app.ts";
import { ADMIN } from "#tests/helpers/environment.ts";
import { addAccount, bookAndPay, bookConfirmed, signIn } from "#tests/support/admin.ts";
import { type BookingBody, dayAhead, ROHAN } from "#tests/support/bookings.ts";

/** Puts the session's cookie into the page's context, as the sign-in does. */
export async function signInPage(page: Page, app: TestApp): Promise<void> {
  const { data } = await signIn(app);
  const headers = { Authorization: `Bearer ${data.token}` };
  await page.context().request.post(`${app.origin}/api/admin/session`, { headers });
}

export async function openDesk(page: Page, app: TestApp, path = "/admin"): Promise<void> {
  await signInPage(page, app);
  await page.goto(path);
}

let serial = 0;

/** A name, address and time of its own, far enough ahead to meet no other test of the worker. */
export function guest(changes: Partial<BookingBody> = {}): Partial<BookingBody> & { name: string } {
  serial += 1;
  // With a letter, so that no phone number is found by it.
  const mark = `k${process.env.TEST_PARALLEL_INDEX ?? 0}${String(serial).padStart(3, "0")}`;
  return {
    name: `Kavya Menon ${mark}`,
    email: `kavya.${mark}@example.in`,
    counselor: ROHAN,
    date: dayAhead(30 + (serial % 50)),
    timeSlot: ["09:00", "11:00", "14:00", "16:00"][Math.floor(serial / 50) % 4] ?? "09:00",
    ...changes,
  };
}

/** Without money and documents, whose making costs more than most tests. */
export async function confirmedGuest(app: TestApp, changes: Partial<BookingBody> = {}) {
  const body = guest(changes);
  return { ...(await bookConfirmed(app, body)), name: body.name };
}

export async function paidGuest(app: TestApp, changes: Partial<BookingBody> = {}) {
  const body = guest(changes);
  return { ...(await bookAndPay(app, body)), name: body.name };
}

/** An admin beside the first one, for tests that change the account. */
export async function anotherAdmin(app: TestApp) {
  serial += 1;
  const name = `pilot${process.env.TEST_PARALLEL_INDEX ?? 0}x${serial}`;
  const account = { ...ADMIN, username: name, email: `${name}@captains.example` };
  await addAccount(app.db, { id: newId(), username: name, email: account.email });
  return account;
}

/** The row of a customer; the list is sought for it first. */
export function rowOf(page: Page, name: string) {
  return page.getByRole("row").filter({ hasText: name });
}

export function listOf(name: string): string {
  return `/admin?q=${encodeURIComponent(name)}`;
}

export function linkOf(page: Page, word: string, name: string) {
  return rowOf(page, name).getByRole("link", { name: `${word}: ${name}` });
}

/** The dialog of a row, opened over the list. */
export async function openDialogOf(page: Page, app: TestApp, word: string, name: string) {
  await openDesk(page, app, listOf(name));
  await linkOf(page, word, name).click();
  return page.getByRole("dialog");
}

export async function signInByForm(
  page: Page,
  { username, password }: { username: string; password: string },
): Promise<void> {
  await page.getByLabel("Username").fill(username);
  await page.getByLabel("Password").fill(password);
  await page.getByRole("button", { name: "Sign In" }).click();
}

/** The notification with scripts, the notice in the page without. */
export function notice(page: Page, title: string) {
  return page.getByText(title, { exact: true }).first();
}
