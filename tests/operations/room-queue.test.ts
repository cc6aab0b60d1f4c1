/** One room of which nothing can be made holds up no other, and none is overwritten. */
import { describe, expect, it } from "vitest";
import { HOUR, MINUTE, SECOND } from "#app/model/duration.ts";
import { runRooms } from "#app/session-rooms/room-queue.server.ts";
import { fallback, zoomTill } from "#tests/support/zoom-till.ts";

const zoom = zoomTill();
const { till } = zoom;
const move = (id: string, timeSlot: string) => {
  const { date } = till.booking(id);
  expect(till.move(id, { date, timeSlot }).ok).toBe(true);
};
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
    zoom.sandbox.switches.set({ name: "zoom_refuse", match: "PATCH /zoom/v2", count: 99 });
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
  expect(link).toBe(`${zoom.sandbox.origin}/zoom/j/${zoom.meetings()[0]!.id}`);
  expect(
    till.messages(id).filter(({ kind }) => kind === "joining_changed"),
  ).toHaveLength(1);
  for (let quiet = 0; quiet < 3; quiet += 1) await zoom.later(11 * MINUTE);
  expect(zoom.meetings().map((one) => `${zoom.sandbox.origin}/zoom/j/${one.id}`)).toEqual([link]);
  expect(waiting()).toEqual([]);
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
  });

  it("of a captain who calls by now", async () => {
    const { id } = await till.bookAndPay();
    zoom.setRoom("asha", { kind: "phone" });
    till.clock.now = till.booking(id).startsAt - HOUR;
    await zoom.later();
    const subjects = (await mailsOf(id)).map(({ subject }) => subject);
    expect(subjects).toEqual([
      expect.stringMatching(/^(Now by phone|You call): /),
      expect.stringMatching(/^(Now by phone|You call): /),
    ]);
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
