/** Where a session takes place, once its captain's fallback link, its payment or its person has changed. */
import { expect, it } from "vitest";
import { roomJson } from "#app/booking/appointment-json.ts";
import { HOUR } from "#app/model/duration.ts";
import { bookingCalendarFile } from "#app/notifications/invitation.server.ts";
import { attentionView } from "#app/routes/admin/dashboard/attention-view.server.ts";
import { failuresView } from "#app/routes/admin/dashboard/failures-view.server.ts";
import { ownSessionView } from "#app/routes/admin/parts/views.server.ts";
import { eraseCustomer } from "#db/queries/erasures.server.ts";
import { saveFailures } from "#db/queries/health.server.ts";
import { ROHAN } from "#tests/support/bookings.ts";
import { setCaptain } from "#tests/support/till.ts";
import { fallback, zoomTill } from "#tests/support/zoom-till.ts";

const zoom = zoomTill();
const { till } = zoom;
const NEW = "https://meet.example/new";
const roomOf = (id: string) => roomJson(till.booking(id));
const notices = (id: string) =>
  till.messages(id).filter(({ kind }) => kind === "joining_changed").length;

const set = (change: object) => setCaptain(till.deps, "asha", change);

/** A paid session a day ahead that takes place at the fallback link. */
async function fallenBack(changes = {}): Promise<string> {
  const { rooms } = till.deps;
  till.deps.rooms = null;
  const { id } = await till.bookAndPay(changes);
  await zoom.later();
  till.deps.rooms = rooms;
  expect(roomOf(id).kind).toBe("link");
  return id;
}

it("another fallback link reaches those who have the former one, and nobody else", async () => {
  const id = await fallenBack();
  const cancelled = await fallenBack();
  till.cancel(cancelled);
  const rohans = await fallenBack({ counselor: ROHAN });
  const { id: inRoom } = await till.bookAndPay();
  await zoom.later();
  const own = roomOf(inRoom);
  const before = notices(id);
  expect(set({ title: "Another title" })).toBe(0);
  expect(set({ room: { kind: "zoom", address: NEW } })).toBe(1);
  expect(roomOf(id)).toEqual({ kind: "link", address: NEW });
  expect(notices(id)).toBe(before + 1);
  expect(roomOf(inRoom)).toEqual(own);
  expect(roomOf(rohans).address).toBe(fallback("rohan"));
  expect(till.attention().withoutRoom.map((one) => one.id)).toContain(id);
  // A pattern is for bookings to come.
  expect(set({ room: { kind: "pattern", address: "https://meet.example/{code}" } })).toBe(0);
  expect(roomOf(id).address).toBe(NEW);
  // Those that it was for stay there, whatever the fallback link is later.
  expect(set({ room: { kind: "zoom", address: fallback("asha") } })).toBe(0);
  expect(set({ room: { kind: "zoom", address: NEW } })).toBe(0);
  expect(roomOf(id).address).toBe(NEW);
});

it.each([
  { room: { kind: "phone" }, now: { kind: "phone", address: null } },
  { room: { kind: "link", address: NEW }, now: { kind: "link", address: NEW } },
])("so does a $room.kind in its place, and what comes after", async ({ room, now }) => {
  const id = await fallenBack();
  const before = notices(id);
  expect(set({ room })).toBe(1);
  expect(roomOf(id)).toEqual(now);
  expect(notices(id)).toBe(before + 1);
  await zoom.later();
  expect(till.attention().withoutRoom).toEqual([]);
  const later = "https://meet.example/later";
  expect(set({ room: { kind: "link", address: later } })).toBe(1);
  expect(roomOf(id)).toEqual({ kind: "link", address: later });
});

it("an erased booking awaits no link", async () => {
  const { id } = await till.bookAndPay();
  await zoom.later();
  till.clock.now = till.booking(id).endsAt + HOUR;
  eraseCustomer(till.deps.db, till.booking(id).contact.email, till.clock.now);
  expect(till.booking(id)).toMatchObject({ roomKind: null, roomUrl: null });
  expect(till.booking(id).meeting.kind).not.toBe("awaited");
});

it("a captain opens the room of no session that is cancelled", async () => {
  const { id } = await till.bookAndPay();
  await zoom.later();
  expect(ownSessionView(till.booking(id), till.clock.now).isHost).toBe(true);
  till.cancel(id);
  expect(ownSessionView(till.booking(id), till.clock.now).isHost).toBe(false);
});

it("a session marked paid after its end gets no room", async () => {
  const id = till.book();
  till.clock.now = till.booking(id).endsAt;
  const paid = till.markPaid(id, { method: "cash" });
  expect(paid.ok).toBe(true);
  expect(till.booking(id)).toMatchObject({ status: "confirmed", roomKind: null });
  expect(till.rows("SELECT * FROM session_room")).toEqual([]);
});

it("a panel opened before the link came is not stale", async () => {
  const { id } = await till.bookAndPay();
  const { version } = till.booking(id);
  await zoom.later();
  expect(till.booking(id).roomUrl).not.toBeNull();
  expect(set({ room: { kind: "zoom", address: NEW } })).toBe(0);
  expect(till.cancel(id, { version }).ok).toBe(true);
});

it("calendars, what failed and “needs you” go by the saved brand", async () => {
  const id = await fallenBack();
  const saved = till.changeSettings({ brand: "Clear Skies" });
  expect(saved.ok).toBe(true);
  const { env, now } = till.deps;
  const file = bookingCalendarFile(env, till.booking(id), now());
  expect(file).toContain("PRODID:-//Clear Skies//Sessions//EN");
  const failure = { area: "page", kind: "Error", place: "", requestId: null, count: 1 };
  saveFailures(till.deps.db, [{ ...failure, firstAt: now(), lastAt: now() }]);
  expect(failuresView(till.deps)!.groups[0]!.words).toMatch(/^Clear Skies: Error in page/);
  const titles = attentionView(till.deps, true).others.find(({ title }) => /Zoom/.test(title));
  expect(titles!.note).toMatch(/^Zoom made none, so customer and captain have /);
});
