/** A till whose captains meet in rooms of the sandbox's Zoom. */
import { beforeEach } from "vitest";
import { roomJson } from "#app/booking/appointment-json.ts";
import { runRooms } from "#app/session-rooms/room-queue.server.ts";
import { createZoom } from "#app/session-rooms/zoom.server.ts";
import { startSandbox } from "#scripts/sandbox/sandbox.ts";
import { fresh, freshTill } from "./hooks.ts";
import { setCaptain } from "./till.ts";

const ENV = {
  ZOOM_ACCOUNT_ID: "sandbox_zoom_account_1",
  ZOOM_CLIENT_ID: "sandbox_zoom_client_1",
  ZOOM_CLIENT_SECRET: "sandbox_zoom_secret_1",
};

export function zoomTill() {
  const till = freshTill({ env: ENV });
  const sandbox = fresh(startSandbox, (made) => made.close());
  beforeEach(() => {
    const { zoomUrl } = sandbox;
    const urls = { apiUrl: `${zoomUrl}/v2`, oauthUrl: `${zoomUrl}/oauth/token` };
    till.deps.rooms = createZoom({ ...till.deps.env.zoom!, ...urls });
    for (const key of ["asha", "rohan"]) setRoom(key, { kind: "zoom", address: fallback(key) });
  });
  const setRoom = (key: string, room: object) => void setCaptain(till.deps, key, { room });
  return {
    till,
    sandbox,
    setRoom,
    roomOf: (id: string) => roomJson(till.booking(id)),
    /** On its own date. */
    move(id: string, timeSlot: string, counselor?: string) {
      const { date } = till.booking(id);
      const moved = till.move(id, { date, timeSlot, counselor });
      if (!moved.ok) throw new Error(moved.message);
    },
    /** Zoom refuses these calls, until the switches are cleared. */
    refuse: (match: string, count = 99) =>
      sandbox.switches.set({ name: "zoom_refuse", match, count }),
    /** As Zoom has them. */
    meetings: () => [...sandbox.zoom.meetings.values()],
    /** Of its meetings. */
    links: () =>
      [...sandbox.zoom.meetings.values()].map(({ id }) => `${sandbox.origin}/zoom/j/${id}`),
    /** The queue's work at a later time. */
    async later(milliseconds = 0) {
      till.clock.now += milliseconds;
      return runRooms(till.deps);
    },
  };
}

/** The call that makes a room. */
export const MAKES = "POST /zoom/v2/users";

export const fallback = (key: string) => `https://meet.example/fallback-${key}`;
