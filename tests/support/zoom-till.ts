/** A till whose captains meet in rooms of the sandbox's Zoom. */
import { afterEach, beforeEach } from "vitest";
import { changeCaptain } from "#app/booking/captains.server.ts";
import { changeCounselorSchema } from "#app/catalogue/fields.ts";
import { runRooms } from "#app/session-rooms/room-queue.server.ts";
import { createZoom } from "#app/session-rooms/zoom.server.ts";
import { type Sandbox, startSandbox } from "#scripts/sandbox/sandbox.ts";
import { freshTill, standIn } from "./hooks.ts";
import { ADMIN_ACTOR, type Till } from "./till.ts";

export interface ZoomTill {
  till: Till;
  sandbox: Sandbox;
  /** The queue's work at a later time. */
  later(milliseconds?: number): Promise<number>;
  setRoom(key: string, room: object): void;
  /** As Zoom has them. */
  meetings(): Sandbox["zoom"]["meetings"] extends Map<number, infer Meeting> ? Meeting[] : never;
}

const ENV = {
  ZOOM_ACCOUNT_ID: "sandbox_zoom_account_1",
  ZOOM_CLIENT_ID: "sandbox_zoom_client_1",
  ZOOM_CLIENT_SECRET: "sandbox_zoom_secret_1",
};

export function zoomTill(): ZoomTill {
  const till = freshTill({ env: ENV });
  let sandbox: Sandbox;
  beforeEach(async () => {
    sandbox = await startSandbox();
    const { origin } = sandbox;
    const urls = { apiUrl: `${origin}/zoom/v2`, oauthUrl: `${origin}/zoom/oauth/token` };
    till.deps.rooms = createZoom({ ...till.deps.env.zoom!, ...urls });
    for (const key of ["asha", "rohan"]) setRoom(key, { kind: "zoom", address: fallback(key) });
  });
  afterEach(() => sandbox.close());
  function setRoom(key: string, room: object): void {
    const input = changeCounselorSchema.parse({ room });
    const done = changeCaptain(till.deps, ADMIN_ACTOR, key, input);
    if (!done.ok) throw new Error(done.message);
  }
  return {
    till,
    sandbox: standIn(() => sandbox),
    setRoom,
    meetings: () => [...sandbox.zoom.meetings.values()],
    async later(milliseconds = 0) {
      till.clock.now += milliseconds;
      return runRooms(till.deps);
    },
  };
}

export const fallback = (key: string) => `https://meet.example/fallback-${key}`;
