/** A room per session: which address a booking has, whose it stays, what visitors learn of it, and who is notified of another one. */
import { expect, it } from "vitest";
import { roomJson } from "#app/booking/appointment-json.ts";
import { type CounselorChange, changeCounselorSchema } from "#app/catalogue/fields.ts";
import { readCatalogue } from "#app/catalogue/read.server.ts";
import { DAY, MINUTE } from "#app/model/dates.ts";
import { placeWords } from "#app/model/room.ts";
import { captainEvent } from "#app/notifications/invitation.server.ts";
import { resendMessage } from "#app/notifications/queue.server.ts";
import { joinSentence } from "#app/notifications/templates/pass.ts";
import type { Message } from "#db/queries/messages.server.ts";
import { ASHA, ROHAN } from "#tests/support/bookings.ts";
import { freshTill } from "#tests/support/hooks.ts";
import { addRow } from "#tests/support/stored-rows.ts";
import { ADMIN_ACTOR, setCaptain } from "#tests/support/till.ts";

const till = freshTill();
const PATTERN = { kind: "pattern", address: "https://meet.example/pilots-{code}" };

const set = (key: string, change: object) => setCaptain(till.deps, key, change);
const roomOf = (id: string) => roomJson(till.booking(id));
const counselor = (key: string) =>
  readCatalogue(till.deps.db).counselors.find((one) => one.key === key)!;

it("a pattern gives each booking letters of its own, with the payment and not before", async () => {
  set("asha", { room: PATTERN });
  const unpaid = till.booking(till.book({ timeSlot: "09:00" }));
  expect([unpaid.meeting, unpaid.roomUrl]).toEqual([{ kind: "awaited", room: "pattern" }, null]);
  const [one, other] = [await till.bookAndPay(), await till.bookAndPay()];
  const { kind, address } = roomOf(one.id);
  expect(kind).toBe("pattern");
  expect(address).toMatch(/^https:\/\/meet\.example\/pilots-[a-z]{20}$/);
  expect(roomOf(other.id).address).not.toBe(address);
  expect(joinSentence(till.booking(one.id))).toContain(address);
  expect(captainEvent(till.deps.env, till.booking(one.id), 0).location).toBe(address);
});

it("what is unpaid or cancelled says how it would take place, and no place", async () => {
  const room = { kind: "pattern", address: null };
  const before = await till.bookAndPay();
  set("asha", { room: PATTERN });
  const unpaid = till.book({ timeSlot: "09:00" });
  expect(roomOf(unpaid)).toEqual(room);
  till.cancel(unpaid);
  expect(roomOf(unpaid)).toEqual(room);
  const paid = await till.bookAndPay();
  expect(roomOf(paid.id).address).not.toBeNull();
  for (const { id } of [before, paid]) till.cancel(id);
  expect(roomOf(paid.id)).toEqual(room);
  expect(roomOf(before.id)).toEqual({ kind: "link", address: null });
  set("asha", { room: { kind: "phone" } });
  expect(roomOf(till.book({ timeSlot: "09:00" }))).toEqual({ kind: "phone", address: null });
});

it("earlier bookings keep their captain's link, and later ones their room", async () => {
  const link = "https://meet.example/captain-asha";
  const before = await till.bookAndPay();
  expect(set("asha", { room: PATTERN })).toBe(0);
  const later = await till.bookAndPay();
  const own = roomOf(later.id);
  expect(roomOf(before.id)).toEqual({ kind: "link", address: link });
  expect(counselor("asha").meeting).toEqual({ kind: "link", url: link });
  // One link for all again: those without a room of their own are notified of it, the others are not.
  expect(set("asha", { meeting: { kind: "link", url: "https://meet.example/new" } })).toBe(1);
  expect(roomOf(before.id).address).toBe("https://meet.example/new");
  expect(roomOf(later.id)).toEqual(own);
  const kinds = till.messages(later.id).map(({ kind }) => kind);
  expect(kinds).not.toContain("joining_changed");
});

it("a session moves with its room, and gets another one with another captain", async () => {
  set("asha", { room: PATTERN });
  set("rohan", { room: { ...PATTERN, address: "https://rohan.example/{code}" } });
  const { id } = await till.bookAndPay({ counselor: ASHA });
  const first = roomOf(id);
  const { date } = till.booking(id);
  const move = (timeSlot: string, counselor?: string) =>
    till.move(id, { date, timeSlot, counselor });
  expect(move("16:00").ok).toBe(true);
  expect(roomOf(id)).toEqual(first);
  expect(move("16:00", ROHAN).ok).toBe(true);
  expect(roomOf(id).address).toMatch(/^https:\/\/rohan\.example\/[a-z]{20}$/);
  set("asha", { room: { kind: "phone" } });
  expect(move("16:00", ASHA).ok).toBe(true);
  expect(roomOf(id)).toEqual({ kind: "phone", address: null });
});

it("without Zoom's account the fallback link stands at once, and that is recorded", async () => {
  set("asha", { room: { kind: "zoom", address: "https://meet.example/fallback" } });
  const { id } = await till.bookAndPay();
  expect(roomOf(id)).toEqual({ kind: "link", address: "https://meet.example/fallback" });
  const rows = () => till.rows("SELECT appointment_id, fell_back_at FROM session_room");
  expect(rows()).toEqual([{ appointment_id: id, fell_back_at: expect.any(Number) }]);
});

it("the words for visitors name no link, and a phone call is no video", () => {
  set("asha", { room: PATTERN });
  expect(placeWords(counselor("asha").room)).toBe("Video link by email");
  set("asha", { room: { kind: "phone" } });
  expect(placeWords(counselor("asha").room)).toBe("The captain calls you");
  expect(counselor("asha").meeting).toEqual({ kind: "call" });
});

it.each([
  [{ kind: "pattern", address: "https://meet.example/room" }],
  [{ kind: "pattern", address: "https://meet.example/{code}/{code}" }],
  [{ kind: "pattern", address: "https://{code}.meet.example/" }],
  [{ kind: "pattern", address: "https://{code}@meet.example/" }],
  [{ kind: "pattern", address: "https://meet.example/\n{code}" }],
  [{ kind: "pattern", address: "http://meet.example/{code}" }],
  [{ kind: "zoom" }],
  [{ kind: "link", address: "javascript:alert(1)" }],
  [{ kind: "carrier pigeon" }],
])("%j is no room", (room) => {
  expect(changeCounselorSchema.safeParse({ room }).success).toBe(false);
});

const link = (url: string): CounselorChange => ({ meeting: { kind: "link", url } });
const messagesOf = (id: string, kind = "joining_changed") =>
  till.messages(id).filter((one) => one.kind === kind);
const composed = async (id: string, kind?: string) =>
  Promise.all(messagesOf(id, kind).map((message) => till.compose(message)));

it("another meeting link goes to each with an update of their calendar entry, once for each change, the last one alone", async () => {
  const { id } = await till.bookAndPay();
  const { calendarUid, counselorEmail, contact } = till.booking(id);
  const url = "https://meet.example/one";
  expect(set("asha", link(url))).toBe(1);
  expect(set("asha", link(url))).toBe(0);
  expect(set("asha", { title: "Another title" })).toBe(0);
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
  expect(set("asha", { meeting: { kind: "call" } })).toBe(1);
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

it("another meeting link goes to nobody whose session is unpaid, cancelled, begun or another captain's", async () => {
  const { id: begun } = await till.bookAndPay();
  till.clock.now = till.booking(begun).startsAt;
  const unpaid = till.book();
  const { id: cancelled } = await till.bookAndPay();
  till.cancel(cancelled);
  const { id: rohans } = await till.bookAndPay({ counselor: ROHAN });
  expect(set("asha", link("https://meet.example/one"))).toBe(0);
  for (const id of [begun, unpaid, cancelled, rohans]) {
    expect([messagesOf(id), messagesOf(id, "counselor_joining_changed")]).toEqual([[], []]);
  }
});

it("another meeting link keeps the mail of an earlier move that was not sent yet", async () => {
  const { id } = await till.bookAndPay();
  const { date } = till.booking(id);
  till.move(id, { date, timeSlot: "16:00" });
  expect(set("asha", link("https://meet.example/one"))).toBe(1);
  const [moved] = await composed(id, "booking_rescheduled");
  expect(moved).toMatchObject({ kind: "mail" });
  expect(JSON.stringify(moved)).toContain("SEQUENCE:2");
});

it("another meeting link goes to five hundred sessions in one quick transaction", () => {
  const { db } = till.deps;
  for (let i = 0; i < 500; i++) {
    const starts_at = till.clock.now + DAY + i * 30 * MINUTE;
    const many = { email: `${i}@b.example`, on_date: "2027-03-01", kept_paise: 117_900 };
    addRow(db, "appointment", `many${i}`, { ...many, starts_at });
    addRow(db, "session_time", `many${i}`, { starts_at });
  }
  // Of this thread alone: other processes, and threads that draw PDFs, run beside it.
  const begun = process.threadCpuUsage();
  expect(set("asha", link("https://meet.example/one"))).toBe(500);
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
