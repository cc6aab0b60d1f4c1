/** After a session: the plan, a draft for the team and then the customer's; and ratings, by the mailed link alone, hidden only for a reason. */
import { beforeEach, describe, expect, it } from "vitest";
import { addDays, DAY, formatSession } from "#app/model/dates.ts";
import { readDetails } from "#app/routes/admin/appointments/appointment-view.server.ts";
import { planLink } from "#app/routes/admin/parts/views.server.ts";
import { hiddenSchema, planSchema } from "#app/sessions/fields.ts";
import { readPlansDue, sentPlan, writePlan } from "#app/sessions/plan.server.ts";
import {
  askForRatings,
  captainRatings,
  rate,
  ratingAt,
  ratingJson,
  readRatings,
  setHidden,
} from "#app/sessions/ratings.server.ts";
import { eraseCustomer } from "#db/queries/erasures.server.ts";
import { sumRatings } from "#db/queries/ratings.server.ts";
import { ROHAN } from "#tests/support/bookings.ts";
import { freshTill } from "#tests/support/hooks.ts";
import { ADMIN_ACTOR } from "#tests/support/till.ts";

const till = freshTill();
const TEXT = "Book the <b> medical:\n\n- [examiners](https://dgca.gov.in/)";

const write = (id: string, body: object) =>
  writePlan(till.deps, ADMIN_ACTOR, id, planSchema.parse(body));
const linkTo = (id: string) => planLink(till.deps, till.booking(id), id)?.words;
const mails = (id: string) => till.messages(id).filter(({ kind }) => kind === "session_plan");

describe("a plan", () => {
  it("is refused until a paid session is over, of an unknown one, and where somebody saved meanwhile", async () => {
    const { id } = await till.bookAndPay();
    till.clock.now = till.booking(id).endsAt - 1;
    expect(write(id, { text: TEXT })).toMatchObject({ code: "too_early" });
    till.clock.now += 1;
    expect(write(id, { text: TEXT })).toMatchObject({ value: { text: TEXT, sentAt: null } });
    expect(write("a".repeat(26), { text: TEXT })).toMatchObject({ code: "not_found" });
    expect(write(id, { text: "Second", version: 1 })).toMatchObject({ value: { version: 2 } });
    expect(write(id, { text: "Third", version: 1 })).toMatchObject({ code: "stale" });
    eraseCustomer(till.deps.db, till.booking(id).contact.email, till.clock.now);
    expect(write(id, { text: TEXT })).toMatchObject({ code: "not_found" });
  });

  it("holds 1 to 5,000 characters, a line's end as one", () => {
    expect(planSchema.safeParse({ text: " " }).success).toBe(false);
    expect(planSchema.safeParse({ text: "x".repeat(5001) }).success).toBe(false);
    const text = `${"x".repeat(4998)}\r\ny`;
    expect(planSchema.parse({ text })).toEqual({ text: text.replace("\r", "") });
    expect(planSchema.safeParse({ text: "a", send: "true" }).success).toBe(false);
  });

  it("is a draft until it is sent; an edit after that shows at once and is mailed only with send", async () => {
    const id = await completed();
    const due = () => readPlansDue(till.deps, "asha").map((one) => one.id);
    till.clock.now += DAY - 1;
    expect(due()).toEqual([]);
    till.clock.now += 1;
    write(id, { text: "Draft" });
    expect([due(), sentPlan(till.deps, id), mails(id)]).toEqual([[id], null, []]);
    write(id, { text: TEXT, send: true });
    expect(due()).toEqual([]);
    expect(sentPlan(till.deps, id)?.blocks).toHaveLength(2);
    const { text, html } = await till.mail(mails(id)[0]!);
    expect(text).toContain("- examiners (https://dgca.gov.in/)");
    expect(html).toContain('href="https://dgca.gov.in/" rel="noopener nofollow"');
    expect(html).toContain("&lt;b&gt;");
    const sentAt = till.clock.now;
    till.clock.now += DAY;
    expect(write(id, { text: "Shorter" })).toMatchObject({ value: { sentAt } });
    expect(sentPlan(till.deps, id)?.blocks).toEqual([
      { type: "paragraph", runs: [{ text: "Shorter" }] },
    ]);
    expect(mails(id)).toHaveLength(1);
    const again = write(id, { text: "Shorter", send: true });
    expect(again).toMatchObject({ value: { sentAt: till.clock.now } });
    expect(mails(id)).toHaveLength(2);
    const log = till.logged().filter(({ action }) => action.startsWith("plan_"));
    expect(log.map(({ action }) => action)).toEqual([
      ...["plan_save", "plan_send", "plan_save", "plan_send"],
    ]);
    expect(JSON.stringify(log)).not.toContain("Shorter");
    // Both waited for the mail server, and would say the same.
    const states = mails(id).map(({ state, nextTryAt }) => [state, nextTryAt !== null]);
    expect(states.sort()).toEqual([
      ["failed", false],
      ["queued", true],
    ]);
  });

  it("stays that of the captain and the session that it was written after, when that moves", async () => {
    const id = await completed();
    const { counselor, date, timeSlot, startsAt } = till.booking(id);
    write(id, { text: TEXT, send: true });
    handOver(id);
    expect(sentPlan(till.deps, id)).toMatchObject({ counselor, startsAt });
    const { subject, text } = await till.mail(mails(id)[0]!);
    expect(subject).toContain(counselor);
    const session = formatSession(date, timeSlot);
    expect(text.replaceAll("\n", " ")).toContain(
      `${counselor} has written this down for you after your session on ${session}`,
    );
    till.clock.now = till.booking(id).endsAt;
    till.noteAttendance(id, { attendance: "completed" });
    till.clock.now += DAY;
    const due = () => readPlansDue(till.deps, "rohan").map((one) => one.id);
    expect([due(), linkTo(id)]).toEqual([[id], "Write the plan"]);
    write(id, { text: "What Rohan says" });
    expect([sentPlan(till.deps, id), linkTo(id)]).toEqual([null, "Plan: a draft, not sent yet"]);
    write(id, { text: "What Rohan says", send: true });
    expect(sentPlan(till.deps, id)).toMatchObject({ counselor: ROHAN });
    expect(due()).toEqual([]);
  });
});

// From its first run on.
beforeEach(() => askForRatings(till.deps));

async function completed(): Promise<string> {
  const { id } = await till.bookAndPay();
  till.clock.now = till.booking(id).endsAt;
  till.noteAttendance(id, { attendance: "completed" });
  return id;
}
/** The code by which a completed session is rated. */
async function askedFor(id: string): Promise<string> {
  till.clock.now += DAY + 1;
  expect(await askForRatings(till.deps)).toBe(1);
  const asked = till.messages(id).find(({ kind }) => kind === "rating_request");
  return asked!.data.code!;
}

it("is asked once, a day after a completed session, by a code that is kept as a hash and not sent again", async () => {
  const id = await completed();
  till.clock.now += DAY - 1;
  expect(await askForRatings(till.deps)).toBe(0);
  till.clock.now += 1;
  expect(await askForRatings(till.deps)).toBe(1);
  expect(await askForRatings(till.deps)).toBe(0);
  expect(till.queued("rating_request")).toMatchObject([{ not_after: till.clock.now + 7 * DAY }]);
  const asked = till.messages(id).find(({ kind }) => kind === "rating_request");
  expect(ratingAt(till.deps, asked!.data.code)).not.toBeNull();
  expect(JSON.stringify(till.rows("SELECT * FROM rating"))).not.toContain(asked!.data.code);
  till.deps.db.runRaw("UPDATE message SET state = 'sent', next_try_at = NULL");
  const { messages } = readDetails(till.deps, id);
  const mail = messages.find(({ label }) => label === "Rating asked for");
  expect(mail).toMatchObject({ canResend: false });
});

it("is asked of nobody whose session ended before the first run, but of those after it", async () => {
  const before = await completed();
  const after = await till.bookAndPay();
  till.deps.db.runRaw("DELETE FROM setting WHERE key = 'ratings_since'");
  till.clock.now += 30 * DAY;
  expect(await askForRatings(till.deps)).toBe(0);
  // What was noted while the clock was ahead.
  till.clock.now = till.booking(before).endsAt + 1;
  expect(await askForRatings(till.deps)).toBe(0);
  till.clock.now = till.booking(after.id).endsAt;
  till.noteAttendance(after.id, { attendance: "completed" });
  till.clock.now += DAY;
  expect(await askForRatings(till.deps)).toBe(1);
  expect(till.rows("SELECT appointment_id AS id FROM rating")).toEqual([{ id: after.id }]);
});

it("is given, changed and withdrawn by the link; hidden for a reason it counts on; gone with the person", async () => {
  const id = await completed();
  const code = await askedFor(id);
  expect(rate(till.deps, id, { stars: 1, text: "", shown: false })).toMatchObject({ ok: false });
  rate(till.deps, code, { stars: 2, text: "Too short", shown: true });
  rate(till.deps, code, { stars: 4, text: "Good", shown: true });
  const [given] = readRatings(till.deps).map(ratingJson);
  const first = till.booking(id).contact.name.split(" ")[0];
  expect(given).toMatchObject({ stars: 4, text: "Good", name: first, hidden: null });
  expect(hiddenSchema.safeParse({ hidden: "low" }).success).toBe(false);
  expect(setHidden(till.deps, ADMIN_ACTOR, given!.id, { hidden: "abuse" })).toMatchObject({
    value: { stars: 4, hidden: "abuse" },
  });
  expect(till.logged().at(-1)).toMatchObject({ action: "rating_hide", after: { hidden: "abuse" } });
  rate(till.deps, code, { stars: null, text: "", shown: false });
  expect(readRatings(till.deps)).toEqual([]);
  rate(till.deps, code, { stars: 3, text: "Fine", shown: false });
  expect(ratingJson(readRatings(till.deps)[0]!).name).toBeNull();
  eraseCustomer(till.deps.db, till.booking(id).contact.email, till.clock.now);
  expect(ratingAt(till.deps, code)).toBeNull();
  expect(till.rows("SELECT stars, text, appointment_id, token_hash FROM rating")).toEqual([
    { stars: 3, text: null, appointment_id: null, token_hash: null },
  ]);
  till.delete(id);
  expect(readRatings(till.deps)).toHaveLength(1);
});

/** Staff hand it over to the other captain, five days later. */
function handOver(id: string): void {
  const date = addDays(till.booking(id).date, 5);
  expect(till.move(id, { date, timeSlot: "16:00", counselor: ROHAN }).ok).toBe(true);
}

it("that nobody has answered goes when the session moves, and the one that takes place is asked about", async () => {
  const id = await completed();
  const first = await askedFor(id);
  handOver(id);
  expect(ratingAt(till.deps, first)).toBeNull();
  till.clock.now = till.booking(id).endsAt;
  till.noteAttendance(id, { attendance: "completed" });
  till.clock.now += DAY + 1;
  expect(await askForRatings(till.deps)).toBe(1);
  const second = till.messages(id).findLast(({ kind }) => kind === "rating_request");
  rate(till.deps, second!.data.code, { stars: 1, text: "", shown: false });
  expect(readRatings(till.deps)).toMatchObject([{ counselorKey: "rohan", stars: 1 }]);
});

it("that is answered keeps its captain and its session when that moves, and is not asked for again", async () => {
  const id = await completed();
  const { counselorKey, startsAt } = till.booking(id);
  const code = await askedFor(id);
  rate(till.deps, code, { stars: 4, text: "", shown: false });
  handOver(id);
  expect(ratingAt(till.deps, code)).toMatchObject({ counselorKey, startsAt });
  till.clock.now = till.booking(id).endsAt;
  till.noteAttendance(id, { attendance: "completed" });
  till.clock.now += DAY + 1;
  expect(await askForRatings(till.deps)).toBe(0);
});

it("stars stay when staff cancel the session afterwards, or a refund could take a bad score away", async () => {
  const id = await completed();
  rate(till.deps, await askedFor(id), { stars: 1, text: "Late", shown: false });
  expect(till.cancel(id, {})).toMatchObject({ ok: true });
  const { counselorKey } = till.booking(id);
  expect(sumRatings(till.deps.db, counselorKey)).toMatchObject({ count: 1, stars: 1 });
});

it.each([
  ["was cancelled", (id: string) => till.cancel(id, {}), "already_cancelled"],
  [
    "is noted as a no-show",
    (id: string) => till.noteAttendance(id, { attendance: "no_show" }),
    "stale",
  ],
  [
    "is no longer noted as held",
    (id: string) => till.noteAttendance(id, { attendance: null }),
    "stale",
  ],
] as const)(
  "a session that %s takes no other stars, and those given may be withdrawn",
  async (_, end, code) => {
    const id = await completed();
    const link = await askedFor(id);
    const given = { stars: 2, text: "Late", shown: true };
    rate(till.deps, link, given);
    end(id);
    const before = till.rows("SELECT * FROM rating WHERE appointment_id = ?", id);
    expect(rate(till.deps, link, { ...given, stars: 5 })).toMatchObject({ ok: false, code });
    expect(till.rows("SELECT * FROM rating WHERE appointment_id = ?", id)).toEqual(before);
    const other = await completed();
    expect(rate(till.deps, await askedFor(other), given).ok).toBe(true);
    expect(rate(till.deps, link, { stars: null, text: "", shown: false }).ok).toBe(true);
    expect(rate(till.deps, link, given)).toMatchObject({ ok: false, code });
    expect(readRatings(till.deps).map(({ appointmentId }) => appointmentId)).toEqual([other]);
  },
);

it("words that are hidden stay hidden, and who was not there after all may only withdraw them", async () => {
  const id = await completed();
  const code = await askedFor(id);
  const given = { stars: 4, text: "Call 98450 12345", shown: true };
  rate(till.deps, code, given);
  const [one] = readRatings(till.deps);
  setHidden(till.deps, ADMIN_ACTOR, one!.id, { hidden: "private_data" });
  for (const next of [{ ...given, stars: 2 }, { stars: null, text: "", shown: false }, given]) {
    rate(till.deps, code, next);
    expect(captainRatings(till.deps, one!.counselorKey)?.texts ?? []).toEqual([]);
  }
  rate(till.deps, code, { ...given, text: "Clear" });
  expect(readRatings(till.deps)).toMatchObject([{ text: "Clear", hidden: "private_data" }]);
  till.noteAttendance(id, { attendance: "no_show" });
  expect(rate(till.deps, code, { ...given, stars: 1 }).ok).toBe(false);
  expect(readRatings(till.deps)).toMatchObject([{ stars: 4 }]);
  expect(rate(till.deps, code, { ...given, stars: null }).ok).toBe(true);
  expect(readRatings(till.deps)).toEqual([]);
});
