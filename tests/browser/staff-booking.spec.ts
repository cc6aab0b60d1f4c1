/** What staff do on the phone: book, take money, give it back; with scripts and without. */
import type { Page } from "@playwright/test";
import { adminDay } from "#app/model/dates.ts";
import { adminOf } from "#tests/support/admin.ts";
import { dayAhead, ROHAN } from "#tests/support/bookings.ts";
import { eventually } from "#tests/support/eventually.ts";
import { guest, notice, openDesk, paidGuest } from "./admin-desk.ts";
import { expect, test } from "./fixtures.ts";

/** A refused form is a 4xx, which the console tells. */
const REFUSED = /status of 4(00|04|09)/;

const press = (desk: Page, name: string) =>
  desk.getByRole("button", { name, exact: true }).first().click();

async function typeCustomer(desk: Page, { name, email }: { name: string; email?: string }) {
  await desk.getByLabel("Full name").fill(name);
  await desk.getByRole("textbox", { name: "Email" }).fill(email ?? "");
  await desk.getByRole("textbox", { name: "Phone" }).fill("98450 77001");
}

const newBooking = ({ date, timeSlot }: { date?: string; timeSlot?: string }) =>
  `/admin/appointments/new?${new URLSearchParams({ date: date!, time: timeSlot!, counselor: ROHAN })}`;

/** In the page: how many times can be chosen in the moment in which another length is. */
function choosableAfterLength(): number {
  document.querySelector<HTMLElement>('input[name="package"]:not(:checked)')!.click();
  return document.querySelectorAll('input[name="timeSlot"]:enabled').length;
}

for (const scripts of [true, false]) {
  const how = scripts ? "with scripts" : "without scripts";

  test(`books with a payment link ${how}`, async ({ page, noJsPage, app, problems }) => {
    problems.allow(REFUSED);
    const desk = scripts ? page : noJsPage;
    const who = guest();
    await openDesk(desk, app);
    await desk.getByRole("link", { name: "Book for a customer" }).click();
    await desk.getByRole("radio", { name: ROHAN }).check();
    await desk.getByLabel("Date", { exact: true }).fill(who.date!);
    if (!scripts) await press(desk, "Show times");
    const times = `Free times of ${ROHAN} on ${adminDay(who.date!)}, IST`;
    await expect(desk.getByText(times)).toBeVisible();
    // With another length, the times shown can at once not be chosen any more.
    if (scripts) expect(await desk.evaluate(choosableAfterLength)).toBe(0);
    await typeCustomer(desk, { ...who, email: "no address" });
    await desk.getByRole("radio", { name: /^60 minutes, ₹1,769\.00/ }).check();
    await expect(desk.getByRole("radio", { name: "4:00 PM" })).toBeEnabled();
    await desk.getByRole("radio", { name: "4:00 PM" }).check();
    await press(desk, "Book for the customer");
    // The refusal stands at its field, and everything else is as it was typed.
    if (scripts) await expect(notice(desk, "Booking Failed")).toBeVisible();
    const email = desk.getByRole("textbox", { name: "Email" });
    if (scripts) await expect(email).toHaveAttribute("aria-invalid", "true");
    await expect(desk.getByLabel("Full name")).toHaveValue(who.name);
    await expect(desk.getByRole("radio", { name: "4:00 PM" })).toBeChecked();
    await email.fill(who.email!);
    await press(desk, "Book for the customer");
    await expect(notice(desk, "Booked")).toBeVisible();
    await expect(desk.getByText("Pending Payment")).toBeVisible();
    const link = await desk.getByLabel("Payment link", { exact: true }).inputValue();
    expect(link).toMatch(/\/booking\/[a-z0-9]{26}$/);
    const [mail] = await app.sandbox.mailbox.waitFor({ to: who.email! });
    expect(mail!.text).toContain(link);
    await desk.goto(link);
    await expect(desk.getByText("₹1,769").first()).toBeVisible();
  });

  test(`finds a known customer, books once what was paid in cash, and gives a part back ${how}`, async ({
    page,
    noJsPage,
    app,
    problems,
  }) => {
    problems.allow(REFUSED);
    const desk = scripts ? page : noJsPage;
    const known = await paidGuest(app);
    const at = guest();
    await openDesk(desk, app, newBooking(at));
    await desk.getByLabel("Known customer").fill(known.name);
    await desk.getByLabel("Known customer").press("Enter");
    await desk.getByRole("button", { name: new RegExp(`^${known.name}`) }).press("Enter");
    await expect(desk.getByLabel("Full name")).toHaveValue(known.name);
    await expect(desk.getByRole("textbox", { name: "Email" })).toHaveValue(known.body.email!);
    expect(desk.url()).not.toContain(encodeURIComponent(known.name.split(" ")[0]!));
    await desk.getByLabel("Paid outside, to you").check();
    await desk.getByLabel("How it was paid").selectOption("cash");
    await desk.getByLabel("Reference").fill("R-17");
    const book = desk.getByRole("button", { name: "Book for the customer" });
    await book.dblclick();
    await expect(notice(desk, "Booked")).toBeVisible();
    await expect(desk.getByText("Paid outside by cash", { exact: false }).first()).toBeVisible();
    await expect(desk.getByText("reference R-17", { exact: false })).toBeVisible();
    const admin = await adminOf(app);
    const q = encodeURIComponent(known.body.email!);
    const { data } = await admin(`/appointments?q=${q}&startDate=${at.date}&endDate=${at.date}`);
    expect(data.appointments).toHaveLength(1);

    await desk.getByRole("link", { name: "Refund without cancelling" }).click();
    await desk.getByLabel("Amount in rupees").fill("5000");
    await desk.getByLabel("Reason").fill("It began late");
    await press(desk, "Refund");
    await expect(desk.getByText(/Please enter at most ₹1,179/).first()).toBeVisible();
    await expect(desk.getByLabel("Reason")).toHaveValue("It began late");
    await desk.getByLabel("Amount in rupees").fill("179.50");
    await press(desk, "Refund");
    await expect(notice(desk, "Refund Wanted")).toBeVisible();
    await expect(desk.getByText("₹999.50", { exact: true })).toBeVisible();
    await expect(desk.getByText("Waits for you to pay it back by hand")).toBeVisible();
    await expect(desk.getByText("Reason: It began late")).toBeVisible();
    await expect(desk.getByText("Confirmed", { exact: true }).first()).toBeVisible();

    await desk.getByRole("link", { name: "Mark as paid back" }).click();
    await desk.getByLabel("Reference").fill("UTR 9");
    await press(desk, "Mark as paid back");
    await expect(notice(desk, "Marked as Paid Back")).toBeVisible();
    await expect(desk.getByText("Paid back by hand")).toBeVisible();
    await expect(desk.getByRole("link", { name: /^Credit note / })).toBeVisible();
    await expect(desk.getByRole("link", { name: "Mark as paid back" })).toHaveCount(0);
    // The customer reads it too, while the session stands.
    await desk.goto(`/booking/${data.appointments[0].id}`);
    const told = "Your refund of ₹179.50 has been paid back by us. Reason: It began late";
    await expect(desk.getByText(told)).toBeVisible();
    await expect(desk.getByText("₹999.50", { exact: true })).toBeVisible();
  });

  test(`marks an unpaid booking as paid, and cancels it with a part ${how}`, async ({
    page,
    noJsPage,
    app,
    problems,
  }) => {
    problems.allow(REFUSED);
    const desk = scripts ? page : noJsPage;
    const admin = await adminOf(app);
    // Within a day of the session a part may be kept.
    const { packagePrice: _, ...wish } = { packagePrice: 0, package: 30, phone: "9845077002" };
    const who = guest({ date: dayAhead(1), timeSlot: scripts ? "20:00" : "20:30" });
    const json = { ...who, ...wish, payment: { by: "link" } };
    const { data, text } = await admin("/appointments", { json });
    expect(text).toContain("payUrl");
    const { id } = data.appointment;
    const startsAt = Date.now() + 5 * 3_600_000;
    app.db.runRaw("UPDATE appointment SET starts_at = ?, ends_at = ? WHERE id = ?", [
      startsAt,
      startsAt + 30 * 60_000,
      id,
    ]);
    await openDesk(desk, app, `/admin/appointments/${id}`);
    await desk.getByRole("link", { name: "Mark as paid", exact: true }).click();
    await press(desk, "Mark as paid");
    await expect(desk.getByText("Please select how it was paid").first()).toBeVisible();
    await desk.getByLabel("How it was paid").selectOption("upi");
    await press(desk, "Mark as paid");
    await expect(notice(desk, "Marked as Paid")).toBeVisible();
    await expect(desk.getByText("Paid outside by UPI", { exact: false }).first()).toBeVisible();

    await desk.getByRole("link", { name: "Cancel appointment" }).click();
    await desk.getByLabel("Reason").fill("You are ill");
    await desk.getByLabel("The customer asked for it").check();
    await desk.getByLabel("A part", { exact: true }).check();
    await press(desk, "Cancel Appointment");
    await expect(desk.getByText(/^Please enter an amount in rupees/).first()).toBeVisible();
    await expect(desk.getByLabel("Reason")).toHaveValue("You are ill");
    await desk.getByLabel("The part that goes back, in rupees").fill("500");
    if (scripts) {
      await expect(
        desk.getByText(
          "You cancelled this session. Reason: You are ill Your refund of ₹500 is paid back by us",
          { exact: false },
        ),
      ).toBeVisible();
    }
    await press(desk, "Cancel Appointment");
    await expect(notice(desk, "Appointment Cancelled")).toBeVisible();
    await eventually(async () => {
      const { data: now } = await admin(`/appointments/${id}`);
      expect(now.appointment).toMatchObject({
        status: "cancelled",
        payments: [{ amount: 1179, refund: { amount: 500, status: "needs_person" } }],
      });
    });
    await desk.goto(`/booking/${id}`);
    await expect(desk.getByText("Reason: You are ill")).toBeVisible();
    await expect(desk.getByText("₹679", { exact: true })).toBeVisible();
  });
}

test("a lost answer loses nothing of the form, and the next press books no second time", async ({
  page,
  app,
  problems,
}) => {
  problems.allow(/ERR_(FAILED|CONNECTION_RESET|EMPTY_RESPONSE)|Failed to fetch|status of/);
  const who = guest();
  await openDesk(page, app, newBooking(who));
  await typeCustomer(page, who);
  // The press arrives, its answer does not.
  await page.route(/appointments\/new\.data/, async (route) => {
    if (route.request().method() !== "POST") return route.continue();
    await route.fetch({ maxRedirects: 0 });
    await route.abort();
  });
  await press(page, "Book for the customer");
  await expect(page.getByRole("alert").filter({ hasText: "Booking Failed" })).toBeVisible();
  await expect(page.getByLabel("Full name")).toHaveValue(who.name);
  await page.unroute(/appointments\/new\.data/);
  await press(page, "Book for the customer");
  await expect(notice(page, "Booked")).toBeVisible();
  const admin = await adminOf(app);
  const { data } = await admin(`/appointments?q=${encodeURIComponent(who.email!)}`);
  expect(data.appointments).toHaveLength(1);
});

test("a captain chosen while the times are on their way stays chosen with the next date", async ({
  page,
  app,
}) => {
  const who = guest();
  await openDesk(page, app, "/admin/appointments/new");
  await page.route("**/admin/appointments/new.data*", async (route) => {
    await new Promise((slow) => setTimeout(slow, 1_000));
    await route.continue().catch(() => undefined);
  });
  await page.getByRole("radio", { name: ROHAN }).check();
  await page.getByRole("radio", { name: /^60 minutes/ }).check();
  await page.getByLabel("Date", { exact: true }).fill(who.date!);
  await expect(
    page.getByText(`Free times of ${ROHAN} on ${adminDay(who.date!)}, IST`),
  ).toBeVisible();
  await expect(page.getByRole("radio", { name: ROHAN })).toBeChecked();
  await expect(page.getByRole("radio", { name: /^60 minutes/ })).toBeChecked();
  await page.unroute("**/admin/appointments/new.data*");
});
