/** Zoom's rooms while others fail, and where a session takes place once its captain's link, its payment or its person has changed. */
import { describe, expect, it } from "vitest";
import { HOUR, MINUTE, SECOND } from "#app/model/dates.ts";
import { attentionView } from "#app/routes/admin/dashboard/attention-view.server.ts";
import { failuresView } from "#app/routes/admin/dashboard/failures-view.server.ts";
import { ownSessionView } from "#app/routes/admin/parts/views.server.ts";
import { makeAnew, runRooms } from "#app/session-rooms/room-queue.server.ts";
import { eraseCustomer } from "#db/queries/erasures.server.ts";
import { saveFailures } from "#db/queries/health.server.ts";
import { dayAhead, ROHAN } from "#tests/support/bookings.ts";
import { setCaptain } from "#tests/support/till.ts";
import { fallback, MAKES, zoomTill } from "#tests/support/zoom-till.ts";

const zoom = zoomTill();
const { till, roomOf, move } = zoom;
const waiting = () =>
  till.rows("SELECT next_try_at, last_error FROM session_room WHERE next_try_at IS NOT NULL");
const mailsOf = async (id: string) => {
  const messages = till.messages(id).filter(({ kind }) => /joining/.test(kind));
  const composed = await Promise.all(messages.map((one) => till.compose(one)));
  return composed.flatMap((one) => (one.kind === "mail" ? [one.mail] : []));
};

describe("another booking still gets its room", () => {
  it("after a session that could not be moved until it began", async () => {
    const { id } = await till.bookAndPay();
    await zoom.later();
    move(id, "16:00");
    zoom.refuse("PATCH /zoom/v2");
    await zoom.later();
    till.clock.now = till.booking(id).startsAt;
    await zoom.later();
    expect(waiting()).toEqual([]);
    const other = await till.bookAndPay();
    await zoom.later();
    expect(till.booking(other.id).roomUrl).not.toBeNull();
    // Moved ahead again, it is moved at Zoom too.
    zoom.sandbox.switches.clear();
    till.clock.now -= HOUR;
    move(id, "17:00");
    await zoom.later();
    const starts = zoom.meetings().map(({ start_time }) => Date.parse(start_time));
    expect(starts).toContain(till.booking(id).startsAt);
  });

  it.each([false, true])("while Zoom's account is gone; a look-up is left: %s", async (unsure) => {
    const { id } = await till.bookAndPay();
    if (unsure) {
      zoom.sandbox.switches.set({ name: "zoom_answer_lost", match: "POST /zoom/v2", count: 1 });
      await zoom.later();
    }
    await zoom.later(MINUTE);
    expect(till.booking(id).roomUrl).not.toBeNull();
    const { rooms } = till.deps;
    till.deps.rooms = null;
    if (unsure) till.clock.now += 11 * MINUTE;
    else move(id, "16:00");
    const other = await till.bookAndPay();
    await zoom.later();
    expect(till.booking(other.id).roomUrl).toBe(fallback("asha"));
    const late = expect.stringMatching(/^not configured/);
    expect(waiting()).toEqual([{ next_try_at: expect.any(Number), last_error: late }]);
    till.deps.rooms = rooms;
    await zoom.later(10 * MINUTE);
    await zoom.later(10 * MINUTE);
    expect(waiting()).toEqual([]);
    const [meeting] = zoom.meetings();
    expect(Date.parse(meeting!.start_time)).toBe(till.booking(id).startsAt);
  });
});

it("a process that slept does not overwrite the room that another one made meanwhile", async () => {
  const { id } = await till.bookAndPay();
  const rooms = till.deps.rooms!;
  const sleepy: typeof rooms = {
    ...rooms,
    async make(...asked) {
      till.clock.now += 9 * SECOND;
      await runRooms(till.deps);
      return rooms.make(...asked);
    },
  };
  await runRooms({ ...till.deps, rooms: sleepy });
  const link = till.booking(id).roomUrl;
  expect(link).toBe(zoom.links()[0]);
  expect(till.messages(id).filter(({ kind }) => kind === "joining_changed")).toHaveLength(1);
  for (let quiet = 0; quiet < 3; quiet += 1) await zoom.later(11 * MINUTE);
  expect(zoom.links()).toEqual([link]);
  expect(waiting()).toEqual([]);
});

describe("the rooms of a captain who is no user of Zoom any more", () => {
  const roomed = async () => {
    const { id } = await till.bookAndPay();
    await zoom.later();
    zoom.sandbox.switches.set({ name: "zoom_refuse", match: "/zoom/v2/", value: 1001 });
    return id;
  };

  it("give way to the fallback link when their sessions are moved", async () => {
    const id = await roomed();
    move(id, "16:00");
    await zoom.later();
    till.clock.now = till.booking(id).startsAt - 2 * HOUR;
    await zoom.later();
    expect(roomOf(id)).toEqual({ kind: "link", address: fallback("asha") });
    expect(till.attention().withoutRoom.map((one) => one.id)).toEqual([id]);
    await zoom.later();
    expect(till.rows("SELECT * FROM session_room")).toHaveLength(1);
  });

  it("are gone with the booking, and nothing is tried again", async () => {
    const id = await roomed();
    till.cancel(id);
    await zoom.later();
    expect(till.rows("SELECT * FROM session_room")).toEqual([]);
  });
});

it("a session cancelled at the moment of the fallback gets none", async () => {
  const { id } = await till.bookAndPay();
  const startsAt = till.booking(id).startsAt;
  let isCancelled = false;
  const now = () => {
    if (!isCancelled && till.rows("SELECT 1 FROM session_room WHERE lease_until > 0").length > 0) {
      isCancelled = true;
      till.cancel(id);
    }
    return till.clock.now;
  };
  till.clock.now = startsAt - HOUR;
  await runRooms({ ...till.deps, now });
  expect(isCancelled).toBe(true);
  expect(till.attention().withoutRoom).toEqual([]);
  expect(till.booking(id).roomUrl).toBeNull();
  await zoom.later();
  expect(till.rows("SELECT * FROM session_room")).toEqual([]);
});

describe("the mails say what is true", () => {
  it("of the fallback link: it has changed, and it is not for these two alone", async () => {
    const { id } = await till.bookAndPay();
    till.clock.now = till.booking(id).startsAt - HOUR;
    await zoom.later();
    const mails = await mailsOf(id);
    expect(mails).toHaveLength(2);
    for (const { subject, text } of mails) {
      expect(subject).toMatch(/^New meeting link: /);
      expect(text).not.toMatch(/nobody else|for you and your captain/);
      expect(text).toContain(fallback("asha"));
    }
    zoom.setRoom("asha", { kind: "phone" });
    const calls = await mailsOf(id);
    expect(calls).toHaveLength(2);
    for (const { subject } of calls) expect(subject).toMatch(/^(Now by phone|You call): /);
  });

  it("of a room made anew, since its meeting was deleted there", async () => {
    const { id } = await till.bookAndPay();
    await zoom.later();
    zoom.sandbox.zoom.meetings.clear();
    move(id, "16:00");
    await zoom.later();
    const mail = (await mailsOf(id)).find(
      ({ to }) => to.address !== till.booking(id).counselorEmail,
    );
    expect(mail!.subject).toMatch(/^New meeting link: /);
    expect(mail!.text).toContain(till.booking(id).roomUrl);
  });
});

it("a meeting found deleted near the session is made anew once, or gives way after ten minutes", async () => {
  const { id } = await till.bookAndPay();
  await zoom.later();
  till.clock.now = till.booking(id).startsAt;
  const lose = () => {
    const [room] = till.rows("SELECT * FROM session_room");
    zoom.sandbox.zoom.meetings.clear();
    return () => makeAnew(till.deps, room.room_key, room.meeting_id);
  };
  const findDeleted = lose();
  findDeleted();
  await zoom.later();
  const made = roomOf(id);
  expect(made).toEqual({ kind: "zoom", address: zoom.links()[0] });
  findDeleted();
  await zoom.later();
  expect(roomOf(id)).toEqual(made);
  const findAgain = lose();
  findAgain();
  zoom.refuse(MAKES);
  await zoom.later(9 * MINUTE);
  findAgain();
  expect(roomOf(id)).toEqual(made);
  await zoom.later(MINUTE);
  expect(roomOf(id)).toEqual({ kind: "link", address: fallback("asha") });
});

const NEW = "https://meet.example/new";
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
  // Zoom is given up: nothing changes for who has that link.
  { room: { kind: "link", address: fallback("asha") }, now: null },
])("so does a $room.kind in its place, and what comes after", async ({ room, now }) => {
  const id = await fallenBack();
  const [before, was] = [notices(id), roomOf(id)];
  const notified = now ? 1 : 0;
  expect(set({ room })).toBe(notified);
  expect(roomOf(id)).toEqual(now ?? was);
  expect(notices(id)).toBe(before + notified);
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

it("a session marked paid after its end gets no room, until it is moved to a later time", async () => {
  const id = till.book();
  till.clock.now = till.booking(id).endsAt;
  const paid = till.markPaid(id, { method: "cash" });
  expect(paid.ok).toBe(true);
  expect(till.booking(id)).toMatchObject({ status: "confirmed", roomKind: null });
  expect(till.rows("SELECT * FROM session_room")).toEqual([]);
  expect(till.move(id, { date: dayAhead(30), timeSlot: "10:00" }).ok).toBe(true);
  await zoom.later();
  expect(roomOf(id)).toEqual({ kind: "zoom", address: expect.stringContaining("/zoom/j/") });
});

it("a panel opened before the link came is not stale", async () => {
  const { id } = await till.bookAndPay();
  const { version } = till.booking(id);
  await zoom.later();
  expect(till.booking(id).roomUrl).not.toBeNull();
  expect(set({ room: { kind: "zoom", address: NEW } })).toBe(0);
  expect(till.cancel(id, { version }).ok).toBe(true);
});

it("what failed and “needs you” go by the saved brand", async () => {
  await fallenBack();
  expect(till.changeSettings({ brand: "Clear Skies" }).ok).toBe(true);
  const { now } = till.deps;
  const failure = { area: "page", kind: "Error", place: "", requestId: null, count: 1 };
  saveFailures(till.deps.db, [{ ...failure, firstAt: now(), lastAt: now() }]);
  expect(failuresView(till.deps)!.groups[0]!.words).toMatch(/^Clear Skies: Error in page/);
  const titles = attentionView(till.deps, true).others.find(({ title }) => /Zoom/.test(title));
  expect(titles!.note).toMatch(/^Zoom made none, so customer and captain have /);
});
