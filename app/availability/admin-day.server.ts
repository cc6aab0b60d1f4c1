/** One day of a captain as the admin sees it. */
import { DEFAULT_TIMES } from "#app/catalogue.ts";
import type { Deps } from "#app/core/deps.server.ts";
import {
  type Block,
  findSetTimes,
  type LiveSession,
  listBlocks,
  listLiveSessions,
} from "#db/queries/availability.server.ts";

export interface AdminDay {
  /** The date's own list, or the default times. */
  timeSlots: string[];
  isDefault: boolean;
  blocked: Block[];
  booked: {
    timeSlot: string;
    appointmentId: string;
    name: string;
    status: LiveSession["status"];
    minutes: number;
  }[];
}

/** A past day too. */
export function readAdminDay(
  deps: Pick<Deps, "db" | "now">,
  counselorKey: string,
  date: string,
): AdminDay {
  const { db } = deps;
  const set = findSetTimes(db, counselorKey, date);
  return {
    timeSlots: set ?? [...DEFAULT_TIMES],
    isDefault: set === null,
    blocked: listBlocks(db, counselorKey, date),
    booked: listLiveSessions(db, counselorKey, date, deps.now()).map((session) => ({
      timeSlot: session.timeSlot,
      appointmentId: session.id,
      name: session.name,
      status: session.status,
      minutes: session.minutes,
    })),
  };
}
