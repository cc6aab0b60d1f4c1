/** What stands before and after a session, and accounts of the team, in each state, for the scenes. */
import type { Page } from "@playwright/test";
import { sha256 } from "#app/core/secrets.server.ts";
import { MINUTE } from "#app/model/dates.ts";
import { HELP_SIDES } from "#app/model/help.ts";
import { findAppointment } from "#db/queries/appointments.server.ts";
import { insertHelpCall, saveAsked } from "#db/queries/help-calls.server.ts";
import { beginAt } from "./admin.ts";
import { type BookingBody, dayAhead, ROHAN } from "./bookings.ts";
import type { Scene, Stage } from "./scene.ts";

const QUESTIONS = [
  { label: "Your class", kind: "choice", choices: ["10", "11", "12"], required: true },
  { label: "Marks in physics and maths", hint: "In percent, of your last report.", kind: "number" },
  { label: "What have you tried so far?", kind: "text" },
];

const PLAN = `What comes first:

- Book the Class 1 medical before you pay any school
- Read the [list of examiners](https://dgca.gov.in/)

Then sit Air Regulation and Meteorology, one each month.`;

const RATINGS = [
  { stars: 5, text: "Clear, kind, and no promises.", shown: 1, hidden: null },
  { stars: 2, text: "Call me on 98450 12345 about the refund.", shown: 1, hidden: "private_data" },
  { stars: 4, text: "Good, but I had hoped for more on scholarships.", shown: 0, hidden: null },
  { stars: 3, text: null, shown: 0, hidden: null },
];

const RATING_TOKEN = "ratingofthescenetokenabc77";

export async function stageSessions(stage: Stage): Promise<Scene[]> {
  const { app, paid, admin } = stage;
  // Bookings of their own: the other scenes show some without questions and plan.
  const over = await paid({ date: dayAhead(17), timeSlot: "09:00" });
  beginAt(app, over, Date.now() - 90 * MINUTE);
  await admin(`/appointments/${over}/plan`, { method: "PUT", json: { text: PLAN, send: true } });
  const held = { method: "PUT", json: { attendance: "completed" } };
  await admin(`/appointments/${over}/attendance`, held);
  await admin("/packages/60", { method: "PUT", json: { questions: QUESTIONS } });
  const asked = await paid({
    date: dayAhead(17),
    timeSlot: "14:00",
    package: 60,
    packagePrice: 1499,
  });
  const student = { name: "Kabir Pillai", under18: true, relation: "mother" };
  const id = await paid({ date: dayAhead(8), timeSlot: "09:00", student } as Partial<BookingBody>);
  const guardian = "SELECT token FROM guardian WHERE appointment_id = ?";
  const { token } = app.db.firstRaw<{ token: string }>(guardian, [id])!;
  for (const [n, { stars, text, shown, hidden }] of RATINGS.entries()) {
    app.db.runRaw(
      `INSERT INTO rating (id, appointment_id, counselor_key, token_hash, asked_at, stars, text, shown, hidden, rated_at)
       VALUES (?, ?, 'asha', ?, 1, ?, ?, ?, ?, ?)`,
      [
        `ratingofthescene${n}`,
        n === 0 ? over : null,
        n === 0 ? sha256(RATING_TOKEN) : null,
        ...[stars, text, shown, hidden, Date.now() - n * 86_400_000],
      ],
    );
  }
  const [here, missing] = await stageHour(stage);
  const opened = (bookingId: string, heading: string) => async (page: Page) => {
    await page.getByLabel(/^Email/).fill(findAppointment(app.db, bookingId)!.contact.email);
    await page.keyboard.press("Enter");
    await page.getByRole("heading", { name: heading }).waitFor();
  };
  const prepare = `/booking/${asked}/prepare`;
  return [
    { name: "admin-ratings", path: "/admin/ratings", area: "admin" },
    { name: "admin-details-plan", path: `/admin/appointments/${over}`, area: "admin" },
    { name: "admin-details-guardian", path: `/admin/appointments/${id}`, area: "admin" },
    { name: "booking-at-the-hour", path: `/booking/${here}`, area: "public" },
    { name: "booking-captain-missing", path: `/booking/${missing}`, area: "public" },
    { name: "help", path: `/booking/${missing}/help`, area: "public" },
    { name: "admin-details-help", path: `/admin/appointments/${missing}`, area: "admin" },
    { name: "rating", path: `/rating/${RATING_TOKEN}`, area: "public" },
    { name: "guardian", path: `/guardian/${token}`, area: "public" },
    { name: "prepare-closed", path: prepare, area: "public" },
    { name: "prepare", path: prepare, area: "public", act: opened(asked, "Before your session") },
    {
      name: "booking-plan",
      path: `/booking/${over}/open`,
      area: "public",
      act: opened(over, "Your plan"),
    },
  ];
}

/** Two sessions that have begun: at the first nobody has said anything yet, at the other both sides. */
async function stageHour({ app, paid }: Stage): Promise<string[]> {
  const ids = [
    await paid({ date: dayAhead(16), timeSlot: "11:00" }),
    await paid({ date: dayAhead(16), timeSlot: "16:00" }),
  ];
  const startsAt = Date.now() - 10 * MINUTE;
  for (const id of ids) beginAt(app, id, startsAt);
  const missing = { id: ids[1]!, startsAt };
  for (const side of HELP_SIDES) {
    insertHelpCall(app.db, missing, { side, at: startsAt + 6 * MINUTE });
  }
  saveAsked(app.db, missing, { asks: "refund" });
  return ids;
}

export async function stageTeam({ app, admin }: Stage): Promise<Scene[]> {
  const invite = (username: string, role: string, counselor?: string) =>
    admin("/team", {
      method: "POST",
      json: { username, email: `${username}@captains.example`, role, counselor },
    });
  await invite("meera.desk", "staff");
  await invite("rohan", "captain", ROHAN);
  await invite("former-helper-with-a-long-name", "staff");
  await admin("/team/former-helper-with-a-long-name", { method: "PATCH", json: { active: false } });
  const token = "T".repeat(43);
  app.db.runRaw(
    "UPDATE invitation SET token_hash = ? WHERE admin_id = (SELECT id FROM admin WHERE username = 'meera.desk')",
    [sha256(token)],
  );
  const path = `/admin/invitation/${token}`;
  return [
    { name: "admin-team", path: "/admin/team", area: "admin" },
    { name: "invitation-signed-in", path, area: "admin" },
    { name: "invitation", path, area: "public" },
    { name: "invitation-gone", path: "/admin/invitation/gone", area: "public", status: 404 },
  ];
}
