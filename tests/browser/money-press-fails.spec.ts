/** Presses about money meet a cut line, a failing server, a lost answer and a slow one. */
import type { Page } from "@playwright/test";
import type { TestApp } from "#tests/helpers/app.ts";
import { adminOf, book } from "#tests/support/admin.ts";
import { ROHAN } from "#tests/support/bookings.ts";
import { guest, openDesk, paidGuest } from "./admin-desk.ts";
import { logged, pressed, type Ready, testLostPages, testPresses } from "./failing-presses.ts";

const PRESSES = {
  async "book for a customer"(page: Page, app: TestApp): Promise<Ready> {
    const who = guest();
    const at = { date: who.date!, time: who.timeSlot!, counselor: ROHAN };
    await openDesk(page, app, `/admin/appointments/new?${new URLSearchParams(at)}`);
    const name = page.getByLabel("Full name");
    await name.fill(who.name);
    await page.getByRole("textbox", { name: "Email" }).fill(who.email!);
    await page.getByRole("textbox", { name: "Phone" }).fill("98450 77009");
    return {
      button: pressed(page, "Book for the customer"),
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

  async "mark as paid"(page: Page, app: TestApp): Promise<Ready> {
    const { id } = await book(app, guest());
    await openDesk(page, app, `/admin/appointments/${id}/payment`);
    const method = page.getByLabel("How it was paid");
    const reference = page.getByLabel("Reference");
    await method.selectOption("upi");
    await reference.fill("UTR 77");
    return {
      button: pressed(page, "Mark as paid"),
      failed: "Not Marked as Paid",
      typed: [
        [method, "upi"],
        [reference, "UTR 77"],
      ],
      times: () => logged(app, "paid_outside", id),
      done: "Marked as Paid",
    };
  },

  async "refund without cancelling"(page: Page, app: TestApp): Promise<Ready> {
    const { id } = await paidGuest(app);
    await openDesk(page, app, `/admin/appointments/${id}/refund`);
    const [amount, reason] = [page.getByLabel("Amount in rupees"), page.getByLabel("Reason")];
    await amount.fill("100");
    await reason.fill("It began late");
    return {
      button: pressed(page, "Refund"),
      failed: "Refund Failed",
      typed: [
        [amount, "100"],
        [reason, "It began late"],
      ],
      times: () => logged(app, "refund", id),
      done: "Refund Wanted",
    };
  },
};

testPresses(PRESSES);
// It leads to another page, of which nothing was there before.
testLostPages({ "book for a customer": PRESSES["book for a customer"] });
