/** What a screen reader is given: order and names on each step, and what is said once by itself. */
import type { Page } from "@playwright/test";
import { ASHA, dayAhead } from "#tests/support/bookings.ts";
import { chooseDay } from "#tests/support/choose-day.ts";
import { choose, fillPerson, payWindow, SUBMIT, someone } from "./booking-steps.ts";
import { expect } from "./fixtures.ts";
import { test, visit } from "./stage.ts";

interface PassRead {
  state: string;
  gate?: string;
  total?: "Total" | "Paid";
}

/** The pass and the sentence under it, each fact with its name and nothing twice. */
function passRead({ state, gate = "Video link by email", total = "Total" }: PassRead): string {
  const facts = (pairs: [string, string][]) =>
    pairs.map(([term, value]) => `- term: ${term}\n- definition: ${value}`).join("\n");
  return `- heading "Session pass" [level=2]
- paragraph: Captain's Briefing
${facts([
  ["Traveller", "/\\w+ \\w+/"],
  ["Captain", "Capt. Asha Sample"],
  ["Date", "/\\d{4}$/"],
  ["Gate", gate],
  ["Departs, IST", "/^\\d+:\\d\\d [AP]M$/"],
  ["Duration", "/^\\d\\d minutes$/"],
  ["Lands, IST", "/^\\d+:\\d\\d [AP]M$/"],
])}
- paragraph: "/^State: ${state}$/"
${facts([
  ["Booking no.", "/^[a-z0-9]{8}$/"],
  ["Session", "/^₹/"],
  ["GST (18%)", "/^₹/"],
  [total, "/^₹/"],
])}
- paragraph: /do not share it/`;
}

const said = (heading: string) => `- status:\n  - heading "${heading}" [level=1]`;
const region = (name: string, rows: string) =>
  `- region "${name}":\n  - /children: equal\n${rows.replace(/^/gm, "  ")}`;

const CHANGE = `- paragraph:
  - /children: equal
  - text: /Not the right time/
  - link "move the booking"
  - text: or
  - link "cancel it"
  - text: .`;
const SUMS = `- term: Paid
- definition: ₹1,179
- term: Refund
- definition: ₹1,179
- term: Kept
- definition: ₹0`;
const INVOICE = region("Papers", "- group: /^Invoice AC/");
const AFTER = [
  region("What comes next", '- heading "What comes next" [level=2]\n- list'),
  region(
    "To keep",
    `- link "Download Invoice (opens in a new tab)"
- heading "Add to calendar" [level=2]
- link "Google Calendar (opens in a new tab)"
- link "Outlook Calendar (opens in a new tab)"
- link "File for any calendar"`,
  ),
  INVOICE,
  region(
    "If your plans change",
    `- heading "If your plans change" [level=2]
- paragraph
- link "Move the session"
- link "Cancel the session"`,
  ),
];

/** From top to bottom, all there is. */
const STATES: Readonly<Record<string, string[]>> = {
  held: [
    said("Pay to confirm your session"),
    region(
      "Payment",
      `- paragraph: /Start paying by/
- timer: /left$/
- button "Pay ₹1,769"
- status
- paragraph: /Razorpay/`,
    ),
    CHANGE,
    // With its date shortly before midnight.
    passRead({ state: "Held until (\\\\d+ \\\\w+ \\\\d+, )?\\\\d+:\\\\d\\\\d [AP]M IST" }),
  ],
  checking: [
    said("Your payment is being checked"),
    region(
      "Payment",
      `- status: /do not pay again/
- paragraph: /Last checked at/
- button "Check again"`,
    ),
    passRead({ state: "Payment being checked" }),
  ],
  confirmed: [
    said("Booking Confirmed!"),
    "- paragraph: /A confirmation email to .* will follow/",
    passRead({ state: "Confirmed", total: "Paid" }),
    ...AFTER,
  ],
  "moved-now": [
    said("Your session has moved"),
    "- status:\n  - paragraph: /^Moved to/\n  - paragraph",
    passRead({ state: "Moved", total: "Paid" }),
    AFTER[0]!,
    // The scene has a refund that waits for a person.
    region(
      "Your money",
      `- heading "Your money" [level=2]\n- paragraph: /did not go through at first/\n${SUMS}`,
    ),
    ...AFTER.slice(1),
  ],
  cancelled: [
    said("This session is cancelled"),
    `- paragraph: We cancelled this session.
- paragraph: /^Your refund of ₹1,179/
${SUMS}
- link "Book a new time"
- link "Download credit note (opens in a new tab)"
- link "Download Invoice (opens in a new tab)"`,
    region("Papers", "- group: /^Invoice AC/\n- group: /^Credit note CN/"),
    passRead({ state: "Cancelled – refund (sent|on its way)", gate: "Closed" }),
  ],
  over: [
    said("This session is over"),
    passRead({ state: "Session over", total: "Paid" }),
    region(
      "To keep",
      `- link "Download Invoice (opens in a new tab)"\n- link "Book another session"`,
    ),
    INVOICE,
  ],
};

for (const [state, rows] of Object.entries(STATES)) {
  test(`a booking that is ${state} reads its state first, then each thing once`, async ({
    page,
    app,
    scenes,
  }) => {
    await visit(page, app, scenes.find(({ name }) => name === `booking-${state}`)!);
    const all = ["- /children: equal", ...rows].join("\n").replace(/^/gm, "  ");
    await expect(page.getByRole("main")).toMatchAriaSnapshot(`- main:\n${all}`);
  });
}

/** Collects what live regions come to say from now on. */
async function listen(page: Page): Promise<() => Promise<string[]>> {
  await page.evaluate(() => {
    const heard: string[] = [];
    const last = new Map<Element, string>();
    const read = () => {
      for (const region of document.querySelectorAll("[role=status], [role=alert], [aria-live]")) {
        if (region.matches("[aria-live=off]")) continue;
        const text = (region.textContent ?? "").trim();
        if (text && last.get(region) !== text) heard.push(text);
        last.set(region, text);
      }
    };
    read();
    heard.length = 0;
    new MutationObserver(read).observe(document, {
      subtree: true,
      childList: true,
      characterData: true,
    });
    Object.assign(window, { heard });
  });
  return () => page.evaluate(() => (window as unknown as { heard: string[] }).heard);
}

test("a payment that is found while the page looks is said once", async ({ page, app }) => {
  const body = { ...someone(), counselor: ASHA, package: 30, packagePrice: 999 };
  const json = { ...body, date: dayAhead(14), timeSlot: "10:00" };
  const { data } = await app.api("/api/appointments", { json });
  const order = await app.api("/api/payments/create-order", { json: { appointmentId: data.id } });
  await page.goto(`/booking/${data.id}?payment=checking`);
  await expect(page.getByRole("heading", { name: "Your payment is being checked" })).toBeVisible();
  const heard = await listen(page);
  const proof = app.sandbox.pay(order.data.orderId, { outcome: "captured", webhooks: false });
  await app.api("/api/payments/verify", { json: { ...proof, appointmentId: data.id } });
  await expect(page.getByRole("heading", { name: "Booking Confirmed!" })).toBeVisible();
  expect(await heard()).toEqual(["Booking Confirmed!"]);
});

test("a payment made on the booking's page is said once, and its heading takes the focus", async ({
  page,
  app,
}) => {
  const body = { ...someone(), counselor: ASHA, package: 30, packagePrice: 999 };
  const json = { ...body, date: dayAhead(14), timeSlot: "14:00" };
  const { data } = await app.api("/api/appointments", { json });
  await page.goto(`/booking/${data.id}`);
  const heard = await listen(page);
  await page.getByRole("button", { name: "Pay ₹1,179" }).click();
  await payWindow(page).getByRole("button", { name: "Pay now" }).click();
  await expect(page.getByRole("heading", { name: "Booking Confirmed!" })).toBeFocused();
  await expect
    .poll(async () => (await heard()).filter((text) => !/\.\.\.$/.test(text)))
    .toEqual([expect.stringContaining("Payment Successful")]);
});

test("the form reads in its order, and each step says what it came to", async ({ page }) => {
  await page.goto("/");
  const form = page.getByRole("region", { name: "Book your session" });
  await form.scrollIntoViewIfNeeded();
  await expect(form).toMatchAriaSnapshot(`
    - region "Book your session":
      - heading "Book your session" [level=2]
      - group "Your details":
        - textbox "Full name"
        - textbox "Email"
        - textbox "Phone"
      - group "Captain":
        - radio /Capt. Asha Sample/
        - radio /Capt. Rohan Sample/
      - group "Session":
        - radio /^30 minutes .*₹1,179/
        - radio /^45 minutes .*₹1,533/
        - radio /^60 minutes .*₹1,769/
      - group "Date"
      - group "Time":
        - radiogroup "Start time":
          - status:
            - paragraph: Please select a counselor and date first
      - group /Anything to add/:
        - combobox "State"
        - textbox "Your question for the captain"
      - complementary "Your session and price":
        - button "Book and pay"
  `);
  await fillPerson(page, someone());
  await choose(page, ASHA, 30);
  await expect(form.getByRole("group", { name: "Captain" })).toMatchAriaSnapshot(`
    - radio /Capt. Asha Sample/ [checked]
    - radio /Capt. Rohan Sample/ [checked=false]
  `);
  const heard = await listen(page);
  await chooseDay(page, dayAhead(15));
  await expect(form.getByRole("group", { name: "Time" })).toMatchAriaSnapshot(`
    - radiogroup "Start time":
      - status:
        - paragraph: /free times on/
      - group "Morning":
        - radio "9:00 AM" [checked=false]
        - radio "10:00 AM" [checked=false]
      - group "Afternoon":
        - radio "2:00 PM" [checked=false]
  `);
  const times = (await heard()).filter((text) => /free times on/.test(text));
  expect(times).toHaveLength(1);
  await page.getByRole("radio", { name: "10:00 AM" }).check();
  await expect(
    page.getByRole("complementary", { name: "Your session and price" }),
  ).toMatchAriaSnapshot(`
    - term: Traveller
    - definition: Ananya Rao
    - term: Captain
    - definition: Capt. Asha Sample
    - term: Departs, IST
    - definition: 10:00 AM
    - term: Duration
    - definition: 30 minutes
    - term: Lands, IST
    - definition: 10:30 AM
    - term: Total
    - definition: ₹1,179
    - button "Pay ₹1,179"
  `);
  await page.getByRole("button", { name: SUBMIT }).first().click();
  await payWindow(page).getByRole("button", { name: "Cancel" }).click();
  await expect(page.getByText("Payment was cancelled.").first()).toBeVisible();
  const steps = (await heard()).filter((text) => /^(Creating|Setting up)/.test(text));
  expect(steps).toEqual(["Creating Appointment...", "Setting up Payment..."]);
});
