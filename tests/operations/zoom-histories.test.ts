/** Random histories of rooms, with refusals, lost and late answers, and kills in between. */
import { setTimeout as pause } from "node:timers/promises";
import { expect, it } from "vitest";
import { isPaid } from "#app/model/appointment.ts";
import { MINUTE, SECOND } from "#app/model/dates.ts";
import { leaseDueRooms } from "#db/queries/session-rooms.server.ts";
import { SeededRandom } from "#scripts/sandbox/random.ts";
import type { SwitchName } from "#scripts/sandbox/switches.ts";
import { ASHA, ROHAN } from "#tests/support/bookings.ts";
import { zoomTill } from "#tests/support/zoom-till.ts";

const zoom = zoomTill();
const { till } = zoom;
const FAULTS: SwitchName[] = ["zoom_refuse", "zoom_answer_lost", "zoom_done_late", "zoom_slow"];
const SLOTS = ["09:00", "10:00", "11:00", "14:00", "15:00", "16:00"];

it.each(Array.from({ length: 16 }, (_, seed) => seed))("history %i", async (seed) => {
  const random = new SeededRandom(seed + 1);
  const one = <T>(list: readonly T[]): T => list[Math.floor(random.next() * list.length)]!;
  const ids: string[] = [];
  const steps: Record<string, () => unknown> = {
    book: async () => ids.push((await till.bookAndPay({ counselor: one([ASHA, ROHAN]) })).id),
    move: () => {
      const id = one(ids);
      const { date } = till.booking(id);
      const to = { date, timeSlot: one(SLOTS), counselor: one([ASHA, ROHAN]) };
      till.move(id, to);
    },
    cancel: () => till.cancel(one(ids)),
    fault: () => {
      const count = one([1, 2, 9]);
      zoom.sandbox.switches.set({ name: one(FAULTS), match: "/zoom/v2", value: 5, count });
    },
    // Its next life finds the room once the lease has run out.
    kill: () => {
      const now = till.clock.now;
      leaseDueRooms(till.deps.db, { now, leaseUntil: now + 8 * SECOND, limit: 20 });
    },
    killAfterAnswer: async () => {
      const { rooms } = till.deps;
      const make = async (...asked: Parameters<NonNullable<typeof rooms>["make"]>) => {
        await rooms!.make(...asked);
        throw new Error("killed");
      };
      till.deps.rooms = { ...rooms!, make };
      await zoom.later();
      till.deps.rooms = rooms;
    },
    // At once after it was moved, so there may be work left.
    begin: () => {
      const id = one(ids);
      const { date } = till.booking(id);
      till.move(id, { date, timeSlot: one(SLOTS) });
      till.clock.now = Math.max(till.clock.now, till.booking(id).startsAt);
    },
    twice: () => Promise.all([zoom.later(), zoom.later()]),
    work: () => zoom.later(one([0, 10 * SECOND, 2 * MINUTE, 6 * MINUTE])),
  };
  await steps.book!();
  for (let step = 0; step < 25; step += 1) {
    await steps[one(Object.keys(steps))]!();
    await pause(10);
    const links = ids
      .map((id) => till.booking(id))
      .flatMap(({ roomKind, roomUrl }) => (roomKind === "zoom" && roomUrl ? [roomUrl] : []));
    expect(new Set(links).size).toBe(links.length);
  }
  zoom.sandbox.switches.clear();
  for (let quiet = 0; quiet < 8; quiet += 1) await zoom.later(11 * MINUTE);
  const live = ids.map((id) => till.booking(id)).filter(isPaid);
  const inRooms = live.filter(({ roomKind }) => roomKind === "zoom");
  const wanted = inRooms.map(({ roomUrl: link, counselorEmail: host, startsAt }) => ({
    link,
    host,
    startsAt: startsAt > till.clock.now ? startsAt : null,
  }));
  // One that could not be moved before it began stays as it was.
  const begun = new Set(wanted.filter((one) => one.startsAt === null).map(({ link }) => link));
  const rooms = zoom.meetings().map(({ id, host, start_time }) => {
    const link = `${zoom.sandbox.origin}/zoom/j/${id}`;
    return { link, host, startsAt: begun.has(link) ? null : Date.parse(start_time) };
  });
  const byLink = (all: { link: string | null }[]) =>
    all.toSorted((a, b) => String(a.link).localeCompare(String(b.link)));
  expect(byLink(rooms)).toEqual(byLink(wanted));
  expect(till.rows("SELECT * FROM session_room WHERE next_try_at IS NOT NULL")).toEqual([]);
  expect(till.rows("SELECT * FROM session_room")).toHaveLength(live.length);
});
