/** After a session: the plan, a draft for the team and then the customer's; and ratings, by the mailed link alone, hidden only for a reason. */
import { beforeEach, describe, expect, it } from "vitest";
import { DAY } from "#app/model/duration.ts";
import { readDetails } from "#app/routes/admin/appointments/appointment-view.server.ts";
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
import { freshTill } from "#tests/support/hooks.ts";
import { ADMIN_ACTOR } from "#tests/support/till.ts";

const till = freshTill();
const TEXT = "Book the **Class 2** medical:\n\n- [examiners](https://dgca.gov.in/)";

async function over(changes = {}): Promise<string> {
  const { id } = await till.bookAndPay(changes);
  till.clock.now = till.booking(id).endsAt;
  return id;
}
const write = (id: string, body: object) =>
  writePlan(till.deps, ADMIN_ACTOR, id, planSchema.parse(body));
const mails = (id: string) => till.messages(id).filter(({ kind }) => kind === "session_plan");

describe("a plan", () => {
  it("is refused until a paid session is over, and for what is cancelled, unpaid or unknown", async () => {
    const { id } = await till.bookAndPay();
    const unpaid = till.book();
    till.clock.now = till.booking(id).endsAt - 1;
    expect(write(id, { text: TEXT })).toMatchObject({ code: "too_early" });
    till.clock.now += 1;
    expect(write(id, { text: TEXT })).toMatchObject({ value: { text: TEXT, sentAt: null } });
    till.clock.now += 30 * DAY;
    expect(write(unpaid, { text: TEXT })).toMatchObject({ code: "too_early" });
    till.cancel(id, {});
    expect(write(id, { text: "More" })).toMatchObject({ code: "too_early" });
    expect(write("a".repeat(26), { text: TEXT })).toMatchObject({ code: "not_found" });
  });

  it("holds 1 to 5,000 characters, a line's end as one", () => {
    expect(planSchema.safeParse({ text: " " }).success).toBe(false);
    expect(planSchema.safeParse({ text: "x".repeat(5001) }).success).toBe(false);
    const text = `${"x".repeat(4998)}\r\ny`;
    expect(planSchema.parse({ text })).toEqual({ text: text.replace("\r", "") });
    expect(planSchema.safeParse({ text: "a", send: "true" }).success).toBe(false);
  });

  it("is a draft until it is sent; an edit after that shows at once and is mailed only with send", async () => {
    const id = await over();
    write(id, { text: "Draft" });
    expect(sentPlan(till.deps, id)).toBeNull();
    expect(mails(id)).toEqual([]);
    write(id, { text: TEXT, send: true });
    expect(sentPlan(till.deps, id)?.blocks).toHaveLength(2);
    expect(mails(id)).toHaveLength(1);
    const sentAt = till.clock.now;
    till.clock.now += DAY;
    expect(write(id, { text: "Shorter" })).toMatchObject({ value: { sentAt } });
    expect(sentPlan(till.deps, id)?.blocks).toEqual([
      { type: "paragraph", runs: [{ text: "Shorter" }] },
    ]);
    expect(mails(id)).toHaveLength(1);
    expect(write(id, { text: "Shorter", send: true })).toMatchObject({
      value: { sentAt: till.clock.now },
    });
    expect(mails(id)).toHaveLength(2);
    const log = till.logged().filter(({ action }) => action.startsWith("plan_"));
    expect(log.map(({ action }) => action)).toEqual([
      ...["plan_save", "plan_send", "plan_save", "plan_send"],
    ]);
    expect(JSON.stringify(log)).not.toContain("Shorter");
  });

  it("is refused where somebody else has saved meanwhile", async () => {
    const id = await over();
    write(id, { text: "First" });
    expect(write(id, { text: "Second", version: 1 })).toMatchObject({ value: { version: 2 } });
    expect(write(id, { text: "Third", version: 1 })).toMatchObject({ code: "stale" });
  });

  it("stands in its mail as text and HTML, with safe links", async () => {
    const id = await over();
    write(id, { text: `${TEXT}\n- <b>[x](javascript:alert(1))`, send: true });
    const composed = await till.compose(mails(id)[0]!);
    if (composed.kind !== "mail") throw new Error("no mail");
    expect(composed.mail.text).toContain("- examiners (https://dgca.gov.in/)");
    expect(composed.mail.html).toContain('href="https://dgca.gov.in/" rel="noopener nofollow"');
    expect(composed.mail.html).toContain("&lt;b&gt;[x](javascript:alert(1))");
  });

  it("is asked of the captain a day after a session that took place, until it is sent", async () => {
    const id = await over();
    const other = await till.bookAndPay({ counselor: "Capt. Rohan Sample" });
    till.noteAttendance(id, { attendance: "completed" });
    const due = () => readPlansDue(till.deps, "asha").map((one) => one.id);
    till.clock.now = till.booking(id).endsAt + DAY - 1;
    expect(due()).toEqual([]);
    till.clock.now += 1;
    expect(due()).toEqual([id]);
    till.clock.now = Math.max(till.clock.now, till.booking(other.id).endsAt);
    till.noteAttendance(other.id, { attendance: "completed" });
    write(id, { text: TEXT });
    expect(due()).toEqual([id]);
    write(id, { text: TEXT, send: true });
    expect(due()).toEqual([]);
  });

  it("is erased with its customer, and no new one can be written", async () => {
    const id = await over();
    write(id, { text: TEXT });
    eraseCustomer(till.deps.db, till.booking(id).contact.email, till.clock.now);
    expect(till.rows("SELECT * FROM plan")).toEqual([]);
    expect(write(id, { text: TEXT })).toMatchObject({ code: "not_found" });
  });
});

// From its first run on.
beforeEach(() => askForRatings(till.deps));

async function noted(attendance: "completed" | "no_show", changes = {}): Promise<string> {
  const { id } = await till.bookAndPay(changes);
  till.clock.now = till.booking(id).endsAt;
  till.noteAttendance(id, { attendance });
  return id;
}
const codeOf = (id: string): string =>
  JSON.parse(
    till.rows(
      "SELECT data FROM message WHERE appointment_id = ? AND kind = 'rating_request'",
      id,
    )[0].data,
  ).code;

it("is asked once, a day after a completed session and never after a missed one", async () => {
  const id = await noted("completed");
  till.clock.now += DAY - 1;
  expect(await askForRatings(till.deps)).toBe(0);
  till.clock.now += 1;
  expect(await askForRatings(till.deps)).toBe(1);
  expect(await askForRatings(till.deps)).toBe(0);
  const mails = "SELECT not_after FROM message WHERE kind = 'rating_request'";
  expect(till.rows(mails)).toEqual([{ not_after: till.clock.now + 7 * DAY }]);
  expect(till.rows("SELECT token_hash FROM rating")[0].token_hash).not.toContain(codeOf(id));
  await noted("no_show", { timeSlot: "11:00" });
  const cancelled = await noted("completed", { timeSlot: "14:00" });
  till.cancel(cancelled);
  till.clock.now += 2 * DAY;
  expect(await askForRatings(till.deps)).toBe(0);
});

it("asked for by mail is not offered to be sent again: its code goes out once", async () => {
  const id = await noted("completed");
  till.clock.now += DAY;
  await askForRatings(till.deps);
  till.deps.db.runRaw(
    "UPDATE message SET state = 'sent', next_try_at = NULL WHERE kind = 'rating_request'",
  );
  const { messages } = readDetails(till.deps, id);
  expect(messages.find(({ label }) => label === "Rating asked for")).toMatchObject({
    canResend: false,
  });
});

it("is asked of nobody whose session ended before the first run, but of those after it", async () => {
  const before = await noted("completed");
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
  const id = await noted("completed");
  till.clock.now += DAY + 1;
  await askForRatings(till.deps);
  const code = codeOf(id);
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

it("words that are hidden stay hidden, changed or given again after they were withdrawn", async () => {
  const id = await noted("completed");
  till.clock.now += DAY + 1;
  await askForRatings(till.deps);
  const given = { stars: 4, text: "Call 98450 12345", shown: true };
  rate(till.deps, codeOf(id), given);
  const [one] = readRatings(till.deps);
  setHidden(till.deps, ADMIN_ACTOR, one!.id, { hidden: "private_data" });
  for (const next of [{ ...given, stars: 2 }, { stars: null, text: "", shown: false }, given]) {
    rate(till.deps, codeOf(id), next);
    expect(captainRatings(till.deps, one!.counselorKey)?.texts ?? []).toEqual([]);
  }
  rate(till.deps, codeOf(id), { ...given, text: "Clear" });
  expect(readRatings(till.deps)).toMatchObject([{ text: "Clear", hidden: "private_data" }]);
});

it("is accepted from nobody who was not there after all, but may be withdrawn", async () => {
  const id = await noted("completed");
  till.clock.now += DAY + 1;
  await askForRatings(till.deps);
  const given = { stars: 5, text: "", shown: false };
  rate(till.deps, codeOf(id), given);
  till.noteAttendance(id, { attendance: "no_show" });
  expect(rate(till.deps, codeOf(id), { ...given, stars: 1 }).ok).toBe(false);
  expect(readRatings(till.deps)).toMatchObject([{ stars: 5 }]);
  expect(rate(till.deps, codeOf(id), { ...given, stars: null }).ok).toBe(true);
  expect(readRatings(till.deps)).toEqual([]);
});

it("counts as hidden only what would be shown", async () => {
  for (const shown of [true, false]) {
    const id = await noted("completed");
    till.clock.now += DAY + 1;
    await askForRatings(till.deps);
    rate(till.deps, codeOf(id), { stars: 5, text: "Good", shown });
  }
  for (const { id } of readRatings(till.deps)) {
    setHidden(till.deps, ADMIN_ACTOR, id, { hidden: "abuse" });
  }
  expect(captainRatings(till.deps, "asha")).toEqual({ texts: [], hidden: 1 });
});
