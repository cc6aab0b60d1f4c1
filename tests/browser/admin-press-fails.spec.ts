/** Every press of the admin area meets a cut line, a failing server, a lost answer and a slow one. */
import type { Page } from "@playwright/test";
import type { TestApp } from "#tests/helpers/app.ts";
import { adminOf, book } from "#tests/support/admin.ts";
import { ASHA, dayAhead, ROHAN } from "#tests/support/bookings.ts";
import { guest, notice, openDesk, paidGuest } from "./admin-desk.ts";
import {
  ANSWERED_BADLY,
  dialogOf,
  LOST,
  logged,
  onWrites,
  POSTED,
  pressed,
  type Ready,
  testLostPages,
  testPresses,
} from "./failing-presses.ts";
import { expect, test } from "./fixtures.ts";

/** Nearer than those of the other bookings. */
let days = 3;

const PRESSES = {
  async reschedule(page: Page, app: TestApp): Promise<Ready> {
    const { id, name } = await paidGuest(app);
    const dialog = await dialogOf(page, app, /^Reschedule/, name);
    const chosen = dialog.getByRole("radio", { name: "8:00 PM" });
    await chosen.check();
    return {
      button: pressed(dialog, "Reschedule"),
      failed: "Reschedule Failed",
      chosen,
      times: () => logged(app, "reschedule", id),
      done: "Appointment Rescheduled",
      again: "Nothing Changed",
    };
  },

  async cancel(page: Page, app: TestApp): Promise<Ready> {
    const { id, name } = await paidGuest(app);
    const dialog = await dialogOf(page, app, /^Cancel/, name);
    return {
      button: pressed(dialog, "Cancel Appointment"),
      failed: "Cancellation Failed",
      times: () => logged(app, "cancel", id),
      done: "Appointment Cancelled",
    };
  },

  async delete(page: Page, app: TestApp): Promise<Ready> {
    const wish = guest();
    const { id } = await book(app, wish);
    const dialog = await dialogOf(page, app, /^Delete/, wish.name);
    return {
      button: pressed(dialog, "Delete Permanently"),
      failed: "Delete Failed",
      times: () => logged(app, "delete", id),
      done: "Appointment Deleted",
      again: "This appointment does not exist",
    };
  },

  async "correct contact data"(page: Page, app: TestApp): Promise<Ready> {
    const { id, name } = await paidGuest(app);
    const dialog = await dialogOf(page, app, /^View Details/, name);
    await dialog.getByRole("link", { name: "Correct contact data" }).click();
    const notes = dialog.getByLabel("Notes");
    await notes.fill("Prefers mornings");
    return {
      button: pressed(dialog, "Save"),
      failed: "Update Failed",
      typed: [[notes, "Prefers mornings"]],
      times: () => logged(app, "edit", id),
      done: "Contact Updated",
    };
  },

  async "send again"(page: Page, app: TestApp): Promise<Ready> {
    const { id, name, body } = await paidGuest(app);
    await app.sandbox.mailbox.waitFor({ to: body.email });
    const dialog = await dialogOf(page, app, /^View Details/, name);
    return {
      button: pressed(dialog, "Send again: Booking confirmed"),
      failed: "Message Not Sent",
      times: () => logged(app, "resend", id),
      done: "Message Queued",
    };
  },

  async "retry a refund"(page: Page, app: TestApp): Promise<Ready> {
    const { id, name } = await paidGuest(app);
    app.db.runRaw(
      `INSERT INTO refund (id, payment_id, appointment_id, amount_paise, state, way, reason, last_error, created_at, updated_at)
       SELECT ?, payment_id, appointment_id, amount_paise, 'needs_person', 'provider', 'cancelled', 'no balance', 1, 1
       FROM payment WHERE appointment_id = ?`,
      [`${id.slice(0, -4)}2222`, id],
    );
    const dialog = await dialogOf(page, app, /^View Details/, name);
    return {
      button: pressed(dialog, "Try the refund again"),
      failed: "Refund Not Sent",
      times: () => logged(app, "refund_retry", id),
      done: "Refund Queued",
    };
  },

  async "keep on purpose"(page: Page, app: TestApp): Promise<Ready> {
    days += 1;
    const date = dayAhead(days);
    const { id, name } = await paidGuest(app, { date, timeSlot: "11:00" });
    const admin = await adminOf(app);
    const json = { counselor: ROHAN, date, timeSlotsToBlock: ["11:00"], action: "block" };
    await admin("/blocks", { method: "POST", json });
    await openDesk(page, app);
    return {
      button: pressed(page, `Keep on purpose: ${name}`),
      failed: "Not Kept",
      times: () => logged(app, "clash_keep", id),
      done: "Session Kept",
      again: "Not Kept",
    };
  },

  async "set the times of a day"(page: Page, app: TestApp): Promise<Ready> {
    days += 1;
    const date = dayAhead(days);
    await openDesk(page, app, `/admin/slots?counselor=${encodeURIComponent(ASHA)}&date=${date}`);
    const chosen = page.locator('input[value="20:00"]');
    await chosen.check();
    return {
      button: pressed(page, "Set Availability"),
      failed: "Update Failed",
      chosen,
      times: async () => Math.min(1, await logged(app, "slots_set", date)),
      done: "Slots Updated",
    };
  },

  async "block times"(page: Page, app: TestApp): Promise<Ready> {
    days += 1;
    const date = dayAhead(days);
    const day = new URLSearchParams({ tab: "block", counselor: ASHA, date });
    await openDesk(page, app, `/admin/slots?${day}`);
    const chosen = page.locator('input[value="20:00"]');
    await chosen.check();
    const reason = page.getByLabel("Reason (optional)");
    await reason.fill("Flight duty");
    return {
      button: pressed(page, "Block Slots"),
      failed: "Operation Failed",
      chosen,
      typed: [[reason, "Flight duty"]],
      times: async () => Math.min(1, await logged(app, "block", date)),
      done: "Slots Blocked",
    };
  },

  async "add leave"(page: Page, app: TestApp): Promise<Ready> {
    days += 1;
    const date = dayAhead(days);
    await openDesk(page, app, "/admin/schedule");
    const leave = page.getByRole("region", { name: "Leave", exact: true });
    const reason = leave.getByLabel("Reason (optional)");
    await leave.getByLabel("From").fill(date);
    await leave.getByLabel("To (this day included)").fill(date);
    await reason.fill(`Roster ${days}`);
    return {
      button: pressed(leave, "Add Leave"),
      failed: "Schedule Not Changed",
      typed: [
        [leave.getByLabel("From"), date],
        [reason, `Roster ${days}`],
      ],
      times: async () => {
        const { data } = await (await adminOf(app))("/leave");
        return data.leave.filter((one: { from: string }) => one.from === date).length;
      },
      done: "Leave Added",
    };
  },

  async "change a package"(page: Page, app: TestApp): Promise<Ready> {
    days += 1;
    await openDesk(page, app, "/admin/catalogue");
    const form = page.locator("form").filter({ has: page.getByLabel("Description") });
    const text = form.getByLabel("Description").first();
    const words = `For first questions ${days}`;
    await text.fill(words);
    return {
      button: form.first().getByRole("button", { name: /^Save/ }),
      failed: "Catalogue Not Saved",
      typed: [[text, words]],
      times: async () => {
        const { data } = await (await adminOf(app))("/catalogue");
        return data.packages.filter((one: { description: string }) => one.description === words)
          .length;
      },
      done: "Package Saved",
      again: "Catalogue Not Saved",
    };
  },
};

testPresses(PRESSES);
// In a dialog over a page, and on a page.
testLostPages({ cancel: PRESSES.cancel, "block times": PRESSES["block times"] });

test("a changed password that a cut line and a 500 meet stays typed", async ({
  page,
  app,
  problems,
}) => {
  problems.allow(LOST);
  problems.allow(ANSWERED_BADLY);
  await openDesk(page, app, "/admin/account");
  const field = page.getByLabel("Current password", { exact: true }).first();
  await field.fill("wrong but typed");
  await page.getByLabel("New password", { exact: true }).fill("a long new password");
  await page.getByLabel(/^Confirm/).fill("a long new password");
  for (const [act, words] of [
    ["cut", /could not reach our server.*please press again/],
    ["500", /500.*please press again/],
  ] as const) {
    await onWrites(page, (route) =>
      act === "cut" ? route.abort() : route.fulfill({ status: 500, body: "no" }),
    );
    await page.getByRole("button", { name: "Change Password" }).press("Enter");
    await expect(page.getByRole("alert").getByText(words)).toBeVisible();
    await expect(field).toHaveValue("wrong but typed");
    await page.unroute(POSTED);
  }
});

/** Nothing can be written to the log, so every change is rolled back by a real 500. */
const BROKEN =
  "CREATE TRIGGER broken BEFORE INSERT ON activity BEGIN SELECT RAISE(ABORT, 'broken'); END";

for (const scripts of [true, false]) {
  test(`a server that fails in the middle says what to do ${scripts ? "with" : "without"} scripts`, async ({
    page,
    noJsPage,
    app,
    problems,
  }) => {
    problems.allow(ANSWERED_BADLY);
    const desk = scripts ? page : noJsPage;
    const { id } = await paidGuest(app);
    await openDesk(desk, app, `/admin/appointments/${id}/edit`);
    const notes = desk.getByLabel("Notes");
    await notes.fill("Prefers mornings");
    app.db.runRaw(BROKEN, []);
    try {
      await pressed(desk, "Save").click();
      await expect(desk.getByRole("alert").first()).toContainText(
        scripts ? /500.*please press again/ : /go back in your browser/,
      );
      await expect(desk.getByRole("navigation", { name: "Admin" })).toBeVisible();
    } finally {
      app.db.runRaw("DROP TRIGGER broken", []);
    }
    if (!scripts) await desk.goBack();
    await expect(notes).toHaveValue("Prefers mornings");
    await pressed(desk, "Save").click();
    await expect(notice(desk, "Contact Updated")).toBeVisible();
    expect(await logged(app, "edit", id)).toBe(1);
  });
}
