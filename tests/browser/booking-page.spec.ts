/** The booking's page and the form as a screen reader has them; the pass on paper and small. */
import type { Page } from "@playwright/test";
import { HOUR } from "#app/model/dates.ts";
import type { TestApp } from "#tests/helpers/app.ts";
import {
  adminOf,
  beginAt,
  book,
  bookAndPay,
  bookConfirmed,
  makeOrder,
} from "#tests/support/admin.ts";
import { ASHA, type BookingBody, dayAhead } from "#tests/support/bookings.ts";
import { chooseDay } from "#tests/support/choose-day.ts";
import { listen } from "#tests/support/heard.ts";
import { pagesOf } from "#tests/support/pdf-text.ts";
import { choose, fillPerson, payWindow, SUBMIT, someone, watchShifts } from "./booking-steps.ts";
import { expect, hold, test } from "./fixtures.ts";

test.use({ contextOptions: { reducedMotion: "reduce" } });

type Read = [heading: string, state: string, total: "Total" | "Paid", place?: string];

/** Of each state its heading, and what the pass says. */
const STATES: Readonly<Record<string, Read>> = {
  // With its date shortly before midnight.
  held: [
    "Pay to confirm your session",
    "Held until (\\\\d+ \\\\w+ \\\\d+, )?\\\\d+:\\\\d\\\\d [AP]M IST",
    "Total",
  ],
  confirmed: ["Booking Confirmed!", "Confirmed", "Paid"],
  cancelled: ["This session is cancelled", "Cancelled – refund (sent|on its way)", "Total", "None"],
  over: ["This session is over", "Session over", "Paid"],
};

/** The heading, the pass and the sentence under it, each fact with its name. */
function pageRead([heading, state, total, place = "Video link by email"]: Read): string {
  const facts = (pairs: [string, string][]) =>
    pairs.map(([term, value]) => `- term: ${term}\n- definition: ${value}`).join("\n");
  const rows = `- status:
  - heading "${heading}" [level=1]
- heading "Session pass" [level=2]
- paragraph: Captain's Briefing
${facts([
  ["Name", "/\\w+ \\w+/"],
  ["Captain", "Capt. Asha Sample"],
  ["Date", "/\\d{4}$/"],
  ["Place", place],
  ["Starts, IST", "/^\\d+:\\d\\d [AP]M$/"],
  ["Duration", "/^\\d\\d minutes$/"],
  ["Ends, IST", "/^\\d+:\\d\\d [AP]M$/"],
])}
- paragraph: "/^State: ${state}$/"
${facts([
  ["Booking no.", "/^[a-z0-9]{8}$/"],
  ["Session", "/^₹/"],
  ["GST (18%)", "/^₹/"],
  [total, "/^₹/"],
])}
- paragraph: /do not share it/`;
  return `- main:\n${rows.replace(/^/gm, "  ")}`;
}

/** What a screen reader would be told a second time, values and parts of a sentence apart. */
async function readTwice(page: Page): Promise<string[]> {
  const all = (await page.getByRole("main").ariaSnapshot()).split("\n");
  const named = all
    .map((line) => line.trim())
    .filter((line) => /"|: ./.test(line) && !/^- (definition|text|\/)/.test(line));
  return named.filter((line, at) => named.indexOf(line) !== at);
}

/** The addresses of bookings in each state. */
async function stageStates(app: TestApp) {
  const at = (days: number, changes: Partial<BookingBody> = {}) => ({
    date: dayAhead(days),
    timeSlot: "11:00",
    ...changes,
  });
  const held = await book(app, at(4, { package: 60 }));
  const confirmed = await bookAndPay(app, at(5));
  const cancelled = await bookAndPay(app, at(6));
  const admin = await adminOf(app);
  await admin(`/appointments/${cancelled.id}/cancel`, { method: "POST" });
  const over = await bookConfirmed(app, at(7));
  beginAt(app, over.id, Date.now() - 2 * HOUR);
  const name = "Venkatanarasimharajuvaripeta Lakshminarasimha Krishnamoorthy";
  const email = "a.very.long.mailbox.name.without.any.place.to.break@a-long-domain-of-example.in";
  const long = await bookConfirmed(app, at(8, { name, email }));
  const note = `/api/credit-note/${cancelled.id}`;
  await expect.poll(async () => (await app.api(note)).status).toBe(200);
  return Object.entries({ held, confirmed, cancelled, over, long });
}

test("each state is read once, stands still, and is whole everywhere", async ({ page, app }) => {
  const moved = await watchShifts(page);
  for (const [state, { id }] of await stageStates(app)) {
    await test.step(state, async () => {
      await page.setViewportSize({ width: 360, height: 900 });
      await page.goto(`/booking/${id}`);
      const read = STATES[state];
      if (read) await expect(page.getByRole("main")).toMatchAriaSnapshot(pageRead(read));
      expect(await readTwice(page), state).toEqual([]);
      if (state === "held") await expect(page.getByRole("timer")).toHaveText(/left$/);
      expect(await moved(), state).toEqual([]);
      await page.emulateMedia({ forcedColors: "active" });
      await page.setViewportSize({ width: 320, height: 256 });
      expect.soft(await unedged(page), state).toEqual([]);
      await page.emulateMedia({ forcedColors: "none" });
      for (const size of ["200%", "100%"]) {
        expect.soft(await cutOff(page, size), `${state}, ${size}`).toEqual([]);
      }
      if (state !== "held" && state !== "long") return;
      const pages = await pagesOf(await page.pdf({ format: "A4" }));
      expect(pages, state).toHaveLength(1);
      for (const part of ["Session pass", "Starts", "Booking no.", "₹"]) {
        expect(pages[0], state).toContain(part);
      }
      expect(pages[0], state).not.toMatch(/Download|Pay ₹|Move the session|Find your booking/);
    });
  }
});

test("a payment found on a slow line is announced once", async ({ page, app }) => {
  const { id } = await book(app, { date: dayAhead(14), timeSlot: "10:00" });
  const { orderId } = (await makeOrder(app, id)).data;
  await page.clock.install();
  await page.goto(`/booking/${id}?payment=checking`);
  await expect(page.getByRole("heading", { name: "Your payment is being checked" })).toBeVisible();
  await expect(page.getByText(/Last checked at \d/)).toBeVisible();
  const { texts } = await listen(page);
  const release = await hold(page, /\.data/);
  const proof = app.sandbox.pay(orderId, { outcome: "captured", webhooks: false });
  await app.api("/api/payments/verify", { json: { ...proof, appointmentId: id } });
  // Time for several looks, of which the first has no answer yet and is not given up for the next.
  for (let turn = 0; turn < 4; turn++) {
    await page.clock.runFor(5_000);
    await expect.poll(release.asked).toBe(1);
  }
  await release();
  await expect(page.getByRole("heading", { name: "Booking Confirmed!" })).toBeVisible();
  expect(await texts()).toEqual(["Booking Confirmed!"]);
});

test("a payment made on the page is announced once, and takes the focus", async ({ page, app }) => {
  const { id } = await book(app, { date: dayAhead(14), timeSlot: "14:00" });
  await page.goto(`/booking/${id}`);
  const { texts } = await listen(page);
  await page.getByRole("button", { name: "Pay ₹1,179" }).click();
  await payWindow(page).getByRole("button", { name: "Pay now" }).click();
  await expect(page.getByRole("heading", { name: "Booking Confirmed!" })).toBeFocused();
  await expect
    .poll(async () => (await texts()).filter((text) => !/\.\.\.$/.test(text)))
    .toEqual([expect.stringContaining("Payment Successful")]);
});

test("a payment window closed by keyboard leads back to its button", async ({ page, app }) => {
  const { id } = await book(app, { date: dayAhead(16), timeSlot: "14:00" });
  await page.goto(`/booking/${id}`);
  const pay = page.getByRole("button", { name: "Pay ₹1,179" });
  await pay.press("Enter");
  await payWindow(page).getByRole("button", { name: "Cancel" }).press("Enter");
  await expect(page.getByText("Payment was cancelled.").first()).toBeVisible();
  await expect(pay).toBeFocused();
});

test("the form reads in its order, and each step says what it came to", async ({ page }) => {
  await page.goto("/");
  const form = page.getByRole("region", { name: "Book your session" });
  await form.scrollIntoViewIfNeeded();
  await expect(form).toMatchAriaSnapshot(`
    - region "Book your session":
      - heading "Book your session" [level=2]
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
      - group "Your details":
        - textbox "Full name"
        - textbox "Email"
        - textbox "Phone"
      - group /For your invoice/:
        - combobox "State"
      - group /Anything to add/:
        - textbox "Your question for the captain"
      - complementary "Your session and price":
        - button "Book and pay"
  `);
  await fillPerson(page, someone());
  await choose(page, ASHA, 30);
  const { texts } = await listen(page);
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
  const times = (await texts()).filter((text) => /free times on/.test(text));
  expect(times).toHaveLength(1);
  await page.getByRole("radio", { name: "10:00 AM" }).check();
  await page.getByRole("button", { name: SUBMIT }).first().click();
  await payWindow(page).getByRole("button", { name: "Cancel" }).click();
  await expect(page.getByText("Payment was cancelled.").first()).toBeVisible();
  const steps = (await texts()).filter((text) => /^(Creating|Setting up)/.test(text));
  expect(steps).toEqual(["Creating Appointment...", "Setting up Payment..."]);
});

/** What would be clicked or read as a part of its own, and has no edge that differs from the ground. */
function unedged(page: Page): Promise<string[]> {
  return page.evaluate(() =>
    [...document.querySelectorAll("main .button, .stamp, .stub, .pass > *")]
      .filter((one) => {
        const { borderTopColor, borderLeftColor, borderTopStyle, borderLeftStyle } =
          getComputedStyle(one);
        const ground = getComputedStyle(document.body).backgroundColor;
        const top = borderTopStyle !== "none" && borderTopColor !== ground;
        const left = borderLeftStyle !== "none" && borderLeftColor !== ground;
        return !top && !left;
      })
      .map((one) => one.outerHTML.slice(0, 100)),
  );
}

/** Facts that are wider than their place on the pass, at this size of the text. */
function cutOff(page: Page, fontSize: string): Promise<(string | null)[]> {
  return page.evaluate((size) => {
    document.documentElement.style.fontSize = size;
    const edge = document.querySelector(".pass")!.getBoundingClientRect();
    const facts = [...document.querySelectorAll<HTMLElement>(".pass dd, .stamp")];
    // The punched half circles and the turned stamp reach over their own boxes, not over the pass.
    const narrow = [...document.querySelectorAll<HTMLElement>(".pass dt, .pass dd, .stamp")]
      .filter((one) => !one.matches(".sr-only"))
      .filter((one) => one.scrollWidth > one.clientWidth + 1 && one.clientWidth > 0);
    const beyond = facts.filter((one) => one.getBoundingClientRect().right > edge.right);
    return [...narrow, ...beyond].map((one) => one.textContent);
  }, fontSize);
}
