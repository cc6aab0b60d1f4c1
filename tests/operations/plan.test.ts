/** The plan after a session: a draft for the team, then the customer's, and gone with the booking. */
import { describe, expect, it } from "vitest";
import { DAY } from "#app/model/duration.ts";
import { planSchema } from "#app/sessions/fields.ts";
import { readPlansDue, sentPlan, writePlan } from "#app/sessions/plan.server.ts";
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
const mails = (id: string) =>
  till.messages(id).filter(({ kind }) => kind === "session_plan");

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
