/** What another meeting link, or a change of a booking, makes a mail say, and who is notified. */
import { expect, it } from "vitest";
import type { CounselorChange } from "#app/catalogue/fields.ts";
import { DAY, MINUTE } from "#app/model/dates.ts";
import { resendMessage } from "#app/notifications/queue.server.ts";
import type { Message } from "#db/queries/messages.server.ts";
import { ROHAN } from "#tests/support/bookings.ts";
import { freshTill } from "#tests/support/hooks.ts";
import { addRow } from "#tests/support/stored-rows.ts";
import { ADMIN_ACTOR, setCaptain } from "#tests/support/till.ts";

const till = freshTill();

const link = (url: string): CounselorChange => ({ meeting: { kind: "link", url } });
const set = (change: object) => setCaptain(till.deps, "asha", change);
const messagesOf = (id: string, kind = "joining_changed") =>
  till.messages(id).filter((one) => one.kind === kind);
const composed = async (id: string, kind?: string) =>
  Promise.all(messagesOf(id, kind).map((message) => till.compose(message)));

it("goes to each with an update of their calendar entry, once for each change, the last one alone", async () => {
  const { id } = await till.bookAndPay();
  const { calendarUid, counselorEmail, contact } = till.booking(id);
  const url = "https://meet.example/one";
  expect(set(link(url))).toBe(1);
  expect(set(link(url))).toBe(0);
  expect(set({ title: "Another title" })).toBe(0);
  for (const [kind, address] of [
    ["joining_changed", contact.email],
    ["counselor_joining_changed", counselorEmail],
  ] as const) {
    const { to, text, calendar } = await till.mail(messagesOf(id, kind)[0]!);
    expect(to.address).toBe(address);
    expect(text).toContain(url);
    const { method, content } = calendar!;
    const event = content.replaceAll("\r\n ", "");
    expect(method).toBe("REQUEST");
    for (const part of ["SEQUENCE:1\r\n", `UID:${calendarUid}`, url]) expect(event).toContain(part);
  }
  expect(set({ meeting: { kind: "call" } })).toBe(1);
  for (const [kind, subject] of [
    ["joining_changed", "Now by phone"],
    ["counselor_joining_changed", "You call: "],
  ] as const) {
    const [before, now] = await composed(id, kind);
    expect(before).toEqual({ kind: "not_sent", reason: "the session was changed again since." });
    expect(now).toMatchObject({ mail: { subject: expect.stringContaining(subject) } });
  }
  // The other captain takes it: what was not sent yet is not theirs.
  const { date } = till.booking(id);
  const to = { date, timeSlot: "16:00", counselor: ROHAN };
  expect(till.move(id, to)).toMatchObject({ ok: true });
  const states = messagesOf(id, "counselor_joining_changed").map(({ state }) => state);
  expect(states).toEqual(["failed", "failed"]);
});

it("goes to nobody whose session is unpaid, cancelled, begun or another captain's", async () => {
  const { id: begun } = await till.bookAndPay();
  till.clock.now = till.booking(begun).startsAt;
  const unpaid = till.book();
  const { id: cancelled } = await till.bookAndPay();
  till.cancel(cancelled);
  const { id: rohans } = await till.bookAndPay({ counselor: ROHAN });
  expect(set(link("https://meet.example/one"))).toBe(0);
  for (const id of [begun, unpaid, cancelled, rohans]) {
    expect([messagesOf(id), messagesOf(id, "counselor_joining_changed")]).toEqual([[], []]);
  }
});

it("keeps the mail of an earlier move that was not sent yet", async () => {
  const { id } = await till.bookAndPay();
  const { date } = till.booking(id);
  till.move(id, { date, timeSlot: "16:00" });
  expect(set(link("https://meet.example/one"))).toBe(1);
  const [moved] = await composed(id, "booking_rescheduled");
  expect(moved).toMatchObject({ kind: "mail" });
  expect(JSON.stringify(moved)).toContain("SEQUENCE:2");
});

it("goes to five hundred sessions in one quick transaction", () => {
  const { db } = till.deps;
  for (let i = 0; i < 500; i++) {
    const starts_at = till.clock.now + DAY + i * 30 * MINUTE;
    const many = { email: `${i}@b.example`, on_date: "2027-03-01", kept_paise: 117_900 };
    addRow(db, "appointment", `many${i}`, { ...many, starts_at });
    addRow(db, "session_time", `many${i}`, { starts_at });
  }
  // Of this thread alone: other processes, and threads that draw PDFs, run beside it.
  const begun = process.threadCpuUsage();
  expect(set(link("https://meet.example/one"))).toBe(500);
  const { user, system } = process.threadCpuUsage(begun);
  expect(till.queued("joining_changed")).toHaveLength(500);
  expect((user + system) / 1_000).toBeLessThan(1_000);
});

it("who gives a session away reads nothing of the new captain's, and neither reads of it if it goes back before the mails left", async () => {
  till.deps.db.runRaw("UPDATE counselor SET meeting_url = 'https://meet.example/' || key");
  const { id } = await till.bookAndPay();
  const { date, timeSlot, counselor } = till.booking(id);
  const news = async (of: string) => {
    const isOf = ({ kind, data }: Message) => kind === of && data.sequence === 1;
    return till.compose(till.messages(id).find(isOf)!);
  };
  const textOf = async (of: string) => JSON.stringify(await news(of)).replaceAll("\\r\\n ", "");
  till.move(id, { date, timeSlot, counselor: ROHAN });
  const left = await textOf("counselor_cancelled");
  for (const said of ["METHOD:CANCEL", "https://meet.example/asha"]) expect(left).toContain(said);
  expect(left).not.toContain("https://meet.example/rohan");
  expect(await textOf("counselor_new")).toContain("https://meet.example/rohan");
  till.move(id, { date, timeSlot, counselor });
  expect(await news("counselor_new")).toEqual({
    kind: "not_sent",
    reason: "the session was changed again since.",
  });
  expect(await news("counselor_cancelled")).toEqual({
    kind: "not_sent",
    reason: "the appointment is now: rescheduled.",
  });
});

it("what is sent to a captain again goes to the one who has the session now", async () => {
  till.deps.db.runRaw("UPDATE counselor SET email = key || '@example.in'");
  const { id } = await till.bookAndPay();
  const { date, timeSlot } = till.booking(id);
  till.move(id, { date, timeSlot, counselor: ROHAN });
  const toCaptains = () => {
    const messages = till.messages(id);
    return messages.filter(({ audience }) => audience === "counselor");
  };
  const sent = () => toCaptains().map(({ kind, recipient }) => `${kind} ${recipient}`);
  expect(sent().sort()).toEqual([
    "counselor_cancelled asha@example.in",
    "counselor_new asha@example.in",
    "counselor_new rohan@example.in",
  ]);
  for (const message of toCaptains()) {
    expect(resendMessage(till.deps, ADMIN_ACTOR, message.id).ok).toBe(true);
  }
  expect(sent().sort()).toEqual([
    "counselor_cancelled asha@example.in",
    "counselor_new rohan@example.in",
    "counselor_new rohan@example.in",
  ]);
});
