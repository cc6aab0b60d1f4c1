/**
 * What an admin submits meets a cut line, a failing server, a lost answer and a slow one. One form of each
 * kind: in a dialog, on a page, a button alone, one that leads elsewhere.
 */
import type { Locator, Page } from "@playwright/test";
import type { TestApp } from "#tests/helpers/app.ts";
import { adminOf } from "#tests/support/admin.ts";
import { ASHA, dayAhead, ROHAN } from "#tests/support/bookings.ts";
import { guest, listOf, notice, openDesk, paidGuest, rowOf } from "./admin-desk.ts";
import { expect, test } from "./fixtures.ts";

const LOST = /ERR_(FAILED|INTERNET_DISCONNECTED)|Failed to fetch/;
const ANSWERED_BADLY = /status of (409|404|500)/;

/** A page with its form filled in, ready to be submitted. */
interface Ready {
  button: Locator;
  /** The title of the failure. */
  failed: string;
  /** What was typed, and chosen. */
  typed?: readonly (readonly [field: Locator, value: string])[];
  chosen?: Locator;
  /** How often it was done. */
  times(): Promise<number>;
  /** What says so where it was done. */
  done: string;
  /** What the second click shows where the answer to the first was lost; absent: as `done`. */
  again?: string;
  /** It leads to a page that nothing of was shown before, so that there is nothing to keep. */
  isElsewhere?: boolean;
}

async function logged(app: TestApp, action: string, target: string): Promise<number> {
  const admin = await adminOf(app);
  const { data } = await admin("/activity-logs?page=1");
  const logs = data.logs as { action: string; target: string }[];
  return logs.filter((log) => log.action === action && log.target.includes(target)).length;
}

/** Opens a row's dialog over the list. */
async function dialogOf(page: Page, app: TestApp, link: RegExp, name: string): Promise<Locator> {
  await openDesk(page, app, listOf(name));
  await rowOf(page, name).getByRole("link", { name: link }).click();
  return page.getByRole("dialog");
}

const buttonIn = (of: Page | Locator, name: string) =>
  of.getByRole("button", { name, exact: true }).first();

async function expectKept(page: Page, ready: Ready): Promise<void> {
  const region = page.getByRole("region", { name: /Notifications/ });
  await expect(region.getByText(ready.failed, { exact: true })).toBeVisible();
  await expect(region.getByText(/[Pp]lease submit again/)).toBeVisible();
  for (const [field, value] of ready.typed ?? []) await expect(field).toHaveValue(value);
  if (ready.chosen) await expect(ready.chosen).toBeChecked();
  await expect(ready.button).toBeEnabled();
}

const POSTED = "**/admin/**";

/** Does it to each call that writes; all others go through. */
async function onWrites(page: Page, act: Parameters<Page["route"]>[1]): Promise<void> {
  await page.route(POSTED, (route, request) =>
    request.method() === "POST" ? act(route, request) : route.fallback(),
  );
}

const HTML = "<!doctype html><title>Oh</title><h1>500 Internal Server Error</h1>";

/** What comes back from a call that writes, and how often it is done after it. */
const FAULTS: readonly (readonly [act: Parameters<Page["route"]>[1], times: number])[] = [
  [(route) => route.abort(), 0],
  [(route) => route.fulfill({ status: 500, contentType: "text/html", body: HTML }), 0],
  [(route) => route.fetch().then(() => route.abort()), 1],
];

/** Nearer than those of the other bookings. */
let days = 3;

const FORMS = {
  async reschedule(page: Page, app: TestApp): Promise<Ready> {
    const { id, name } = await paidGuest(app);
    const dialog = await dialogOf(page, app, /^Reschedule/, name);
    const chosen = dialog.getByRole("radio", { name: "8:00 PM" });
    await chosen.check();
    return {
      button: buttonIn(dialog, "Reschedule"),
      failed: "Reschedule Failed",
      chosen,
      times: () => logged(app, "reschedule", id),
      done: "Appointment Rescheduled",
      again: "Nothing Changed",
    };
  },

  async "send again"(page: Page, app: TestApp): Promise<Ready> {
    const { id, name, body } = await paidGuest(app);
    await app.sandbox.mailbox.waitFor({ to: body.email });
    const dialog = await dialogOf(page, app, /^View Details/, name);
    return {
      button: buttonIn(dialog, "Send again: Booking confirmed"),
      failed: "Message Not Sent",
      times: () => logged(app, "resend", id),
      done: "Message Queued",
    };
  },

  async "block times"(page: Page, app: TestApp): Promise<Ready> {
    days += 1;
    const date = dayAhead(days);
    const day = new URLSearchParams({ tab: "block", counselor: ASHA, date });
    await openDesk(page, app, `/admin/slots?${day}`);
    const until = page.getByLabel("Until (this day included)");
    await page.getByText("Several dates at once").click();
    await until.fill(date);
    const chosen = page.locator('input[value="20:00"]');
    await chosen.check();
    const reason = page.getByLabel("Reason (optional)");
    await reason.fill("Flight duty");
    return {
      button: buttonIn(page, "Block Slots"),
      failed: "Operation Failed",
      chosen,
      typed: [
        [until, date],
        [reason, "Flight duty"],
      ],
      times: async () => Math.min(1, await logged(app, "block", date)),
      done: "Slots Blocked",
    };
  },

  async "book for a customer"(page: Page, app: TestApp): Promise<Ready> {
    const who = guest();
    const at = { date: who.date!, time: who.timeSlot!, counselor: ROHAN };
    await openDesk(page, app, `/admin/appointments/new?${new URLSearchParams(at)}`);
    const name = page.getByLabel("Full name");
    await name.fill(who.name);
    await page.getByRole("textbox", { name: "Email" }).fill(who.email!);
    await page.getByRole("textbox", { name: "Phone" }).fill("98450 77009");
    return {
      button: buttonIn(page, "Book for the customer"),
      failed: "Booking Failed",
      typed: [[name, who.name]],
      times: async () => {
        const q = encodeURIComponent(who.email!);
        const { data } = await (await adminOf(app))(`/appointments?q=${q}`);
        return data.appointments.length;
      },
      done: "Booked",
      isElsewhere: true,
    };
  },
};

/** Each click meets a cut line, a 500, a lost answer and a slow one, and is done once. */
for (const [what, prepare] of Object.entries(FORMS)) {
  test(`${what}: kept open by each fault, and done once`, async ({ page, app, problems }) => {
    problems.allow(LOST);
    problems.allow(ANSWERED_BADLY);
    const ready = await prepare(page, app);
    for (const [act, times] of FAULTS) {
      let met = 0;
      await onWrites(page, async (route, request) => {
        await act(route, request);
        met += 1;
      });
      await ready.button.click();
      await expect.poll(() => met).toBe(1);
      await expectKept(page, ready);
      expect(await ready.times()).toBe(times);
      await page.unroute(POSTED);
    }
    const held = Promise.withResolvers<void>();
    let calls = 0;
    await onWrites(page, async (route) => {
      calls += 1;
      await held.promise;
      await route.continue();
    });
    await ready.button.press("Enter");
    await expect(
      ready.button.or(page.getByRole("button", { name: /\.\.\.$/ })).first(),
    ).toBeDisabled();
    await expect.poll(() => calls).toBe(1);
    held.resolve();
    await expect(notice(page, ready.again ?? ready.done)).toBeVisible();
    expect(calls).toBe(1);
    await expect(page.getByText(ready.failed)).toHaveCount(0);
    expect(await ready.times()).toBe(1);
  });
}

/** The click is carried out, but the page that says so does not come. */
for (const what of ["block times", "book for a customer"] as const) {
  test(`${what}: done, but the page that says so is lost`, async ({ page, app, problems }) => {
    problems.allow(LOST);
    const ready = await FORMS[what](page, app);
    await ready.button.waitFor();
    await page.route("**/*.data*", (route, request) =>
      request.method() === "GET" ? route.abort() : route.fallback(),
    );
    await ready.button.click();
    const loadAgain = page.getByRole("link", { name: "Load this page again" });
    if (ready.isElsewhere) await expect(loadAgain).toBeVisible();
    else {
      await expect(notice(page, "Page Not Loaded").or(notice(page, ready.done))).toBeVisible();
      await expect(page.getByText("Something went wrong")).toHaveCount(0);
      await expect(page.getByRole("navigation", { name: "Admin" })).toBeVisible();
    }
    await page.unroute("**/*.data*");
    if (ready.isElsewhere) await loadAgain.click();
    else await page.reload();
    await expect(page.getByRole("navigation", { name: "Admin" })).toBeVisible();
    expect(await ready.times()).toBe(1);
  });
}
