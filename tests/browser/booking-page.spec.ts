/** The booking's page and the form as a screen reader has them; the pass on paper, small, and into a calendar. */
import type { Page } from "@playwright/test";
import { sessionTimeOf } from "#app/model/day-plan.ts";
import { book, makeOrder } from "#tests/support/admin.ts";
import { ASHA, dayAhead } from "#tests/support/bookings.ts";
import { chooseDay } from "#tests/support/choose-day.ts";
import { pagesOf } from "#tests/support/pdf-text.ts";
import { choose, fillPerson, payWindow, SUBMIT, someone } from "./booking-steps.ts";
import { expect } from "./fixtures.ts";
import { test, visit } from "./stage.ts";

test.use({ contextOptions: { reducedMotion: "reduce" } });

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
  ["Name", "/\\w+ \\w+/"],
  ["Captain", "Capt. Asha Sample"],
  ["Date", "/\\d{4}$/"],
  ["Place", gate],
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
}

const said = (heading: string) => `- status:\n  - heading "${heading}" [level=1]`;
const region = (name: string, rows: string) =>
  `- region "${name}":\n  - /children: equal\n${rows.replace(/^/gm, "  ")}`;

const CHANGE = `- paragraph: /^Free to move or cancel until/
- paragraph:
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
    `- link "Join the session"
- heading "Add to calendar" [level=2]
- link "Google Calendar (opens in a new tab)"
- link "Outlook Calendar (opens in a new tab)"
- link "File for any calendar"
- link "Download Invoice (opens in a new tab)"`,
  ),
  INVOICE,
  region(
    "If your plans change",
    `- heading "If your plans change" [level=2]
- paragraph: /^Free to move or cancel until/
- paragraph: /You will need the email address/
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
  confirmed: [
    said("Booking Confirmed!"),
    "- paragraph: /A confirmation email to .* will follow/",
    passRead({ state: "Confirmed", total: "Paid" }),
    ...AFTER,
  ],
  cancelled: [
    said("This session is cancelled"),
    `- paragraph: We cancelled this session.
- paragraph: /₹1,179/
${SUMS}
- link "Book a new time"
- link "Download credit note (opens in a new tab)"
- link "Download Invoice (opens in a new tab)"`,
    region("Papers", "- group: /^Invoice AC/\n- group: /^Credit note CN/"),
    passRead({ state: "Cancelled – refund (sent|on its way)", gate: "None" }),
  ],
  over: [
    said("This session is over"),
    passRead({ state: "Session over", total: "Paid" }),
    region(
      "To keep",
      `- link "Book the next session"\n- link "Download Invoice (opens in a new tab)"`,
    ),
    INVOICE,
  ],
};

for (const [state, rows] of Object.entries(STATES)) {
  test(`a booking that is ${state} reads each thing once`, async ({ page, app, scenes }) => {
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

test("a payment that is found while the page looks is announced once", async ({ page, app }) => {
  const { id } = await book(app, { date: dayAhead(14), timeSlot: "10:00" });
  const { orderId } = (await makeOrder(app, id)).data;
  await page.goto(`/booking/${id}?payment=checking`);
  await expect(page.getByRole("heading", { name: "Your payment is being checked" })).toBeVisible();
  const heard = await listen(page);
  const proof = app.sandbox.pay(orderId, { outcome: "captured", webhooks: false });
  await app.api("/api/payments/verify", { json: { ...proof, appointmentId: id } });
  await expect(page.getByRole("heading", { name: "Booking Confirmed!" })).toBeVisible();
  expect(await heard()).toEqual(["Booking Confirmed!"]);
});

test("a payment made on the page is announced once, and takes the focus", async ({ page, app }) => {
  const { id } = await book(app, { date: dayAhead(14), timeSlot: "14:00" });
  await page.goto(`/booking/${id}`);
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
  await page.getByRole("button", { name: SUBMIT }).first().click();
  await payWindow(page).getByRole("button", { name: "Cancel" }).click();
  await expect(page.getByText("Payment was cancelled.").first()).toBeVisible();
  const steps = (await heard()).filter((text) => /^(Creating|Setting up)/.test(text));
  expect(steps).toEqual(["Creating Appointment...", "Setting up Payment..."]);
});

test("goes into a calendar, which learns no address", async ({ page, app, scenes }) => {
  const scene = scenes.find(({ name }) => name === "booking-confirmed")!;
  const id = scene.path.split("/").at(-1)!;
  const [row] = app.db.allRaw<{ on_date: string; email: string; phone: string; name: string }>(
    "SELECT * FROM appointment WHERE id = ?",
    [id],
  );
  const time = { counselorKey: "", date: row!.on_date, timeSlot: "11:00", minutes: 45 };
  const { startsAt, endsAt } = sessionTimeOf(time);
  const [start, end] = [startsAt, endsAt].map((at) =>
    new Date(at).toISOString().replace(".000", ""),
  );
  const bare = (text = "") => text.replace(/[-:]/g, "");
  const asked: { url: URL; referer: string | undefined }[] = [];
  await page.context().route(/google\.com|live\.com/, async (route) => {
    const request = route.request();
    const { referer } = await request.allHeaders();
    asked.push({ url: new URL(request.url()), referer });
    await route.fulfill({ body: "calendar" });
  });
  await visit(page, app, scene);
  for (const name of [/^Google Calendar/, /^Outlook Calendar/]) {
    const opened = page.context().waitForEvent("page");
    await page.getByRole("link", { name }).click();
    await (await opened).close();
  }
  const [google, outlook] = asked;
  expect(google!.url.searchParams.get("dates")).toBe(`${bare(start)}/${bare(end)}`);
  expect(outlook!.url.searchParams.get("startdt")).toBe(start);
  expect(outlook!.url.searchParams.get("enddt")).toBe(end);
  for (const { url, referer } of asked) {
    expect(decodeURIComponent(url.href)).toContain("session with Capt. Asha Sample");
    expect(referer).toBeUndefined();
    for (const secret of [id, id.slice(-8), row!.email, row!.phone, row!.name, app.origin]) {
      expect(decodeURIComponent(url.href)).not.toContain(secret);
    }
  }
  const download = page.waitForEvent("download");
  await page.getByRole("link", { name: /^File/ }).click();
  expect((await download).suggestedFilename()).toBe("session.ics");
});

test("stands still when it is loaded again", async ({ page, app, scenes }) => {
  await page.setViewportSize({ width: 360, height: 900 });
  await page.addInitScript(() => {
    const moved: string[] = [];
    Object.assign(window, { moved });
    new PerformanceObserver((list) => {
      for (const { sources } of list.getEntries() as (PerformanceEntry & {
        sources: { node: Element | null }[];
      })[])
        moved.push(...sources.map(({ node }) => node?.outerHTML?.slice(0, 99) ?? ""));
    }).observe({ type: "layout-shift", buffered: true });
  });
  for (const name of ["booking-held", "booking-checking", "booking-confirmed"]) {
    await visit(page, app, scenes.find((scene) => scene.name === name)!);
    await page.reload();
    if (name === "booking-held") await expect(page.getByRole("timer")).toHaveText(/left$/);
    expect(await page.evaluate(() => (window as unknown as { moved: string[] }).moved)).toEqual([]);
  }
});

test("is whole on paper, at a zoom and in other colours", async ({ page, app, scenes }) => {
  for (const state of ["held", "checking", "confirmed", "cancelled", "over", "long-name"]) {
    await page.emulateMedia({ forcedColors: "active" });
    await page.setViewportSize({ width: 320, height: 256 });
    await visit(page, app, scenes.find(({ name }) => name === `booking-${state}`)!);
    expect.soft(await unedged(page), state).toEqual([]);
    await page.emulateMedia({ forcedColors: "none" });
    for (const size of ["200%", "100%"]) {
      expect.soft(await cutOff(page, size), `${state}, ${size}`).toEqual([]);
    }
    const pages = await pagesOf(await page.pdf({ format: "A4" }));
    expect(pages, state).toHaveLength(1);
    for (const part of ["Session pass", "Starts", "Booking no.", "₹"]) {
      expect(pages[0], state).toContain(part);
    }
    expect(pages[0], state).not.toMatch(/Download|Pay ₹|Move the session|Find your booking/);
  }
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
