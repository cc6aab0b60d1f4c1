/** A room per session: which address a booking has, whose it stays, and what visitors learn of it. */
import { expect, it } from "vitest";
import { roomJson } from "#app/booking/appointment-json.ts";
import { changeCounselorSchema } from "#app/catalogue/fields.ts";
import { readCatalogue } from "#app/catalogue/read.server.ts";
import { placeWords } from "#app/model/room.ts";
import { captainEvent } from "#app/notifications/invitation.server.ts";
import { joinSentence } from "#app/notifications/templates/pass.ts";
import { ASHA, ROHAN } from "#tests/support/bookings.ts";
import { freshTill } from "#tests/support/hooks.ts";
import { setCaptain } from "#tests/support/till.ts";

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
