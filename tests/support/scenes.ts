/**
 * Every page and state that a person can meet, staged once in an app under test: the accessibility
 * tests visit them, `npm run screenshots` takes their pictures.
 */
import type { Page } from "@playwright/test";
import { addDays, instantOf } from "#app/model/dates.ts";
import { MASTER_TIMES } from "#app/model/day-plan.ts";
import type { TestApp } from "#tests/helpers/app.ts";
import { beginAt, book, makeOrder, signIn } from "./admin.ts";
import { ASHA, type BookingBody, bookingBody, dayAhead, ROHAN } from "./bookings.ts";
import { chooseDay, openDialog } from "./choose-day.ts";
import { LIKE, type Scene, type Stage } from "./scene.ts";
import { stageSessions, stageTeam } from "./session-scenes.ts";

/** A name as long as the form takes, of words as long as names have. */
const LONG_NAME = "Venkatanarasimharajuvaripeta Subrahmanyeswara Lakshminarasimha Krishnamoorthy";

export const POLICIES = ["privacy", "terms", "refunds", "contact", "how-it-works"];

export async function stageScenes(app: TestApp): Promise<Scene[]> {
  const stage = await stageOf(app);
  const bookings = await stageBookings(stage);
  // Worked out once: midnight may pass meanwhile.
  const days = {
    closed: dayAhead(20),
    free: dayAhead(21),
    soon: dayAhead(12),
    later: dayAhead(13),
    calendar: dayAhead(6),
    over: dayAhead(9),
  };
  await closeDay(stage, days.closed);
  await stageSchedule(stage, days.calendar);
  stageLosses(app, bookings.moved!);
  const byPaid = "SELECT id FROM customer ORDER BY paid DESC";
  const customer = `/admin/customers/${app.db.firstRaw<{ id: string }>(byPaid)!.id}`;
  const open = (path: string) => `/admin/appointments/${bookings.confirmed}${path}`;
  const pages: [name: string, path: string][] = [
    ["home", "/"],
    ["captain", "/captains/asha"],
    ["find-booking", "/find-booking"],
    ["find-booking-sent", "/find-booking?sent"],
    ...POLICIES.map((name): [string, string] => [name, `/${name}`]),
    ...Object.entries(bookings).map(([state, id]): [string, string] => [
      `booking-${state}`,
      `/booking/${id}`,
    ]),
    ["booking-broken-off", `/booking/${bookings.held}?payment=cancelled`],
    ["booking-waiting", `/booking/${bookings.held}?payment=checking`],
    ["booking-moved-now", `/booking/${bookings.moved}?done=moved`],
    ["move", `/booking/${bookings.confirmed}/reschedule?date=${days.free}`],
    ["move-full-day", `/booking/${bookings.confirmed}/reschedule?date=${days.closed}`],
    ["move-too-late", `/booking/${bookings.soon}/reschedule`],
    ["cancel", `/booking/${bookings.confirmed}/cancel`],
    ["cancel-unpaid", `/booking/${bookings.held}/cancel`],
    ["cancel-too-late", `/booking/${bookings.soon}/cancel`],
  ];
  const desk: [name: string, path: string][] = [
    ["list", "/admin"],
    ["list-empty", "/admin?q=nobody-of-this-name"],
    ["details", open("")],
    ["details-cancelled", `/admin/appointments/${bookings.cancelled}`],
    ["details-over", `/admin/appointments/${bookings.over}`],
    ["details-long-name", `/admin/appointments/${bookings["long-name"]}`],
    ["reschedule", open("/reschedule")],
    ["cancel", open("/cancel")],
    ["delete", open("/delete")],
    ["edit", open("/edit")],
    ["refund", open("/refund")],
    ["mark-paid", `/admin/appointments/${bookings["time-over"]}/payment`],
    ["settle", "/admin/refunds/refundofthescenerefundof22/settle"],
    ["cancel-late", `/admin/appointments/${bookings.soon}/cancel`],
    ["details-link", `/admin/appointments/${bookings.linked}`],
    ["details-outside", `/admin/appointments/${bookings.outside}`],
    ["book", `/admin/appointments/new?date=${days.calendar}&time=10:00`],
    ["slots", "/admin/slots"],
    ["slots-block", "/admin/slots?tab=block"],
    ["calendar-day", `/admin/calendar?view=day&date=${days.calendar}`],
    ["calendar-over", `/admin/calendar?view=day&date=${days.over}`],
    ["calendar-week", `/admin/calendar?view=week&date=${days.calendar}`],
    ["calendar-month", `/admin/calendar?view=month&date=${days.calendar}`],
    ["calendar-details", `/admin/appointments/${bookings.confirmed}?list=view%3Dday`],
    ["schedule", "/admin/schedule/asha"],
    ["schedule-roster", "/admin/schedule/asha/busy-calendar"],
    ["activity", "/admin/activity"],
    ["insights", "/admin/insights"],
    ["documents", "/admin/documents"],
    ["unmatched", "/admin/unmatched"],
    ["find", "/admin/find"],
    ["customers", "/admin/customers"],
    ["customers-one", customer],
    ["customers-erase", `${customer}/erase`],
    ["account", "/admin/account"],
    ["catalogue", "/admin/catalogue"],
    ["catalogue-captain", "/admin/catalogue/captains/asha"],
    ["catalogue-portrait", "/admin/catalogue/captains/asha/portrait"],
    ["catalogue-new", "/admin/catalogue/new"],
    ["settings", "/admin/settings"],
  ];
  const acting = (name: string, path: string, act: Scene["act"]): Scene => {
    return { name, path, area: "admin", act };
  };
  const inRow = (name: string, word: string) =>
    acting(name, "/admin?q=Arjun", (page) => openDialog(page, word));
  const seek = (name: string, q: string) =>
    acting(name, "/admin", async (page) => {
      await page.getByRole("searchbox", { name: "Quick find" }).fill(q);
      await page.keyboard.press("Enter");
      await page.getByRole("status").filter({ hasText: q }).waitFor();
    });
  const toBook = `/admin/appointments/new?date=${days.calendar}`;
  const week = `/admin/calendar?view=week&date=${days.calendar}`;
  const scenes: Scene[] = [
    ...pages.map(([name, path]): Scene => ({ name, path, area: "public" })),
    ...homeScenes(days),
    { name: "not-found", path: "/no/such/page", area: "public", status: 404 },
    { name: "sign-in", path: "/admin", area: "public" },
    { name: "reset-password", path: "/admin/reset-password", area: "public" },
    ...desk.map(([name, path]): Scene => ({ name: `admin-${name}`, path, area: "admin" })),
    inRow("dialog-details", "View Details"),
    inRow("dialog-reschedule", "Reschedule"),
    inRow("dialog-cancel", "Cancel:"),
    inRow("dialog-delete", "Delete"),
    acting("schedule-single", "/admin/schedule/asha", (page) =>
      page.getByText("Single times").click(),
    ),
    acting("book-found", toBook, async (page) => {
      await page.getByLabel("Known customer").fill("Arjun");
      await page.keyboard.press("Enter");
      await page.getByRole("button", { name: /^Arjun Nair/ }).waitFor();
    }),
    acting("book-refused", toBook, async (page) => {
      await page.getByLabel("Paid outside, to you").check();
      await page.getByLabel("Full name", { exact: true }).fill("M");
      await page.getByLabel("Email", { exact: true }).fill("m@example.in");
      await page.getByLabel("Phone", { exact: true }).fill("12");
      await page.getByRole("button", { name: "Book for the customer" }).click();
      await page.getByText("Booking Failed").first().waitFor();
    }),
    acting("insights-open", "/admin/insights", async (page) => {
      for (const table of await page.getByText("The numbers").all()) await table.click();
    }),
    inRow("dialog-slots", "Manage Slots"),
    acting("dialog-over-calendar", week, (page) => openDialog(page, "3:00 PM")),
    ...(await stageSessions(stage)),
    ...(await stageTeam(stage)),
    seek("find-customers", "Meera"),
    seek("find-nothing", "nobody of this name"),
    acting("unmatched-search", "/admin/unmatched", async (page) => {
      await page.getByLabel("Another booking").first().fill("Meera");
      await page.keyboard.press("Enter");
      await page.getByText("is paid already").first().waitFor();
    }),
  ];
  return scenes.map((scene) => ({ ...scene, like: LIKE[scene.name] }));
}

/** The booking form as it is filled in, and its payment. */
function homeScenes(days: Record<"closed" | "soon" | "later", string>): Scene[] {
  const at = (name: string, act: (page: Page) => Promise<unknown>): Scene => {
    return { name, path: "/", area: "public", act };
  };
  const checkout = 'iframe[title="Payment window (sandbox)"]';
  const submit = (page: Page) =>
    page.getByRole("button", { name: /^(Book and pay|Pay ₹)/ }).click();
  const choose = async (page: Page, date: string) => {
    await page.getByLabel("Full name").fill(LONG_NAME);
    await page.getByLabel("Email").fill("ananya.rao@example.in");
    await page.getByLabel("Phone").fill("98450 12345");
    await page.locator(`input[name="counselor"][value="${ROHAN}"]`).check();
    await page.locator('input[name="package"][value="60"]').check();
    await chooseDay(page, date);
  };
  const pay = async (page: Page) => {
    await choose(page, days.later);
    await page.getByRole("radio", { name: /[AP]M/ }).last().check();
    await submit(page);
    await page.frameLocator(checkout).getByRole("button", { name: "Pay now" }).click();
    await page.getByRole("heading", { name: "Booking Confirmed!" }).waitFor();
  };
  return [
    at("home-refused", async (page) => {
      await submit(page);
      await page.locator("#form-errors").waitFor();
    }),
    at("home-filled", async (page) => {
      await choose(page, days.soon);
      await page.getByRole("radio", { name: "11:00 AM" }).check();
    }),
    at("home-full-day", async (page) => {
      await choose(page, days.closed);
      await page.getByText("No slots available for this date").waitFor();
    }),
    at("home-paying", async (page) => {
      await choose(page, days.soon);
      await page.getByRole("radio", { name: /[AP]M/ }).last().check();
      await submit(page);
      await page.frameLocator(checkout).getByRole("button", { name: "Pay now" }).waitFor();
    }),
    at("home-confirmed", pay),
    at("home-come-back", async (page) => {
      await pay(page);
      await page.goto("/");
      await page
        .getByText(/^Your session on .* is confirmed\./)
        .last()
        .waitFor();
      await page.getByRole("heading", { name: "Book your session" }).scrollIntoViewIfNeeded();
    }),
  ];
}

async function stageOf(app: TestApp): Promise<Stage> {
  const { data } = await signIn(app);
  return {
    app,
    book: async (changes) => (await book(app, changes)).id,
    async paid(changes) {
      const { id } = await book(app, changes);
      await payAs(app, id, "captured");
      return id;
    },
    admin: (path, init) => app.api(`/api/admin${path}`, { token: data.token, ...init }),
  };
}

async function payAs(app: TestApp, id: string, outcome: "captured" | "authorized"): Promise<void> {
  const { data } = await makeOrder(app, id);
  const proof = app.sandbox.pay(data.orderId, { outcome, webhooks: false });
  await app.api("/api/payments/verify", { json: { ...proof, appointmentId: id } });
  await app.sandbox.idle();
}

/** One booking in each state, by the state's name. */
async function stageBookings({ app, book, paid, admin }: Stage): Promise<Record<string, string>> {
  const at = (days: number, timeSlot: string, changes: Partial<BookingBody> = {}) => ({
    date: dayAhead(days),
    timeSlot,
    ...changes,
  });
  const held = await book(at(4, "10:00", { package: 60 }));
  const late = await book(at(4, "14:00"));
  const ended = await book(at(5, "10:00"));
  const checking = await book(at(5, "14:00"));
  await payAs(app, checking, "authorized");
  const hour = 3_600_000;
  app.db.runRaw(`UPDATE appointment SET pay_before = ? WHERE id IN (?, ?)`, [
    Date.now() - hour,
    late,
    ended,
  ]);
  app.db.runRaw(`UPDATE appointment SET renewals = 3 WHERE id = ?`, [ended]);
  const confirmed = await paid(
    at(6, "11:00", { package: 45, notes: "Can I fly with glasses of −3.5?" }),
  );
  const called = await paid(at(6, "15:00", { counselor: ROHAN, name: "Arjun Nair" }));
  const moved = await paid(at(7, "09:00", { name: "Sana Qureshi" }));
  const movedTo = { date: dayAhead(8), newTimeSlot: "16:00" };
  await admin(`/appointments/${moved}/reschedule`, { method: "PUT", json: movedTo });
  const cancelled = await paid(at(7, "14:00", { name: "Dev Banerjee" }));
  await admin(`/appointments/${cancelled}/cancel`, { method: "POST" });
  const long = await paid(
    at(9, "11:00", {
      name: LONG_NAME,
      email: "a.very.long.mailbox.name.without.any.place.to.break@a-long-domain-of-example.in",
    }),
  );
  // Within a day of the start the customer can no longer change it: the session is brought nearer.
  const soon = await paid(at(30, "09:00", { counselor: ROHAN, name: "Ira Joshi" }));
  await admin(`/appointments/${soon}/reschedule`, {
    method: "PUT",
    json: { date: dayAhead(1), newTimeSlot: "08:00" },
  });
  const over = await paid(at(9, "15:00", { name: "Kabir Menon" }));
  beginAt(app, soon, Date.now() + 20 * hour);
  beginAt(app, over, Date.now() - 2 * hour);
  const staff = async (timeSlot: string, name: string, payment: object) => {
    const { packagePrice: _, ...json } = bookingBody(at(10, timeSlot, { counselor: ROHAN, name }));
    const call = admin("/appointments", { method: "POST", json: { ...json, payment } });
    return ((await call) as { data: { appointment: { id: string } } }).data.appointment.id;
  };
  const linked = await staff("09:00", "Tara Bose", { by: "link" });
  const outside = await staff("11:00", "Vikram Shetty", { by: "offline", method: "cash" });
  const part = { amount: 179, reason: "The session started late" };
  await admin(`/appointments/${outside}/refund`, { method: "POST", json: part });
  return {
    held,
    linked,
    outside,
    "time-over": late,
    ended,
    checking,
    confirmed,
    called,
    moved,
    cancelled,
    "long-name": long,
    soon,
    over,
  };
}

async function closeDay({ admin }: Stage, date: string): Promise<void> {
  for (const counselor of [ASHA, ROHAN]) {
    const json = { counselor, date, timeSlotsToBlock: MASTER_TIMES, action: "block" };
    await admin("/blocks", { method: "POST", json });
  }
}

/** What else a day of the calendar holds: blocked and busy time, and leave over a session. */
async function stageSchedule({ app, admin }: Stage, date: string): Promise<void> {
  const block = { timeSlotsToBlock: ["08:00", "08:30", "15:00"], action: "block" };
  const json = { counselor: ROHAN, date, ...block, reason: "Simulator check" };
  await admin("/blocks", { method: "POST", json });
  app.db.runRaw(
    "INSERT INTO busy_time (counselor_key, starts_at, ends_at, is_last) VALUES ('asha', ?, ?, 0)",
    [instantOf(date, "17:10"), instantOf(date, "19:40")],
  );
  app.db.runRaw(
    `INSERT INTO leave (id, counselor_key, from_date, to_date, reason, created_at)
     VALUES ('scene', 'asha', ?, ?, 'Line check', 1)`,
    [date, addDays(date, 1)],
  );
}

/** What needs a person: a refund that keeps failing, and payments without a booking. */
function stageLosses(app: TestApp, appointmentId: string): void {
  app.db.runRaw(
    `INSERT INTO refund (id, payment_id, appointment_id, amount_paise, state, way, reason, last_error, created_at, updated_at)
     SELECT 'refundofthescenerefundof22', payment_id, appointment_id, amount_paise, 'needs_person', 'provider', 'cancelled', 'no balance', 1, 1
     FROM payment WHERE appointment_id = ?`,
    [appointmentId],
  );
  app.db.runRaw(
    `INSERT INTO payment (payment_id, order_id, amount_paise, currency, provider_status, outcome, method, captured_at, created_at, updated_at)
     VALUES ('pay_SceneUnmatched1', NULL, 117900, 'INR', 'captured', 'unmatched', 'upi', 1, 1, 1)`,
  );
  app.db.runRaw(
    `INSERT INTO payment (payment_id, order_id, amount_paise, currency, provider_status, outcome, method, captured_at,
       created_at, updated_at, payer_email, payer_phone, paid_at)
     VALUES ('pay_SceneUnmatched2', 'order_SceneUnmatched', 117900, 'INR', 'captured', 'unmatched', 'netbanking', 1, 1, 1,
       'ananya.rao.with.a.long.address@example-of-a-domain.in', '+919845012345', ?)`,
    [Date.now()],
  );
}
