/** The room that a paid session gets with its payment, or with another captain. */
import type { Appointment } from "#app/model/appointment.ts";
import { findCounselorByKey } from "#app/model/catalogue.ts";
import { newId } from "#app/model/ids.ts";
import { NO_ROOM, type OwnRoom, patternAddress } from "#app/model/room.ts";
import type { Db } from "#db/connection.server.ts";
import { readCatalogue } from "#db/queries/catalogue.server.ts";
import { endRoom, insertRoom } from "#db/queries/session-rooms.server.ts";

/**
 * What the booking is to keep. A room of before is given up; one that Zoom makes is queued, and where
 * Zoom is not configured the captain's fallback link takes its place at once.
 */
export function giveRoom(
  tx: Db,
  { id, counselorKey }: Pick<Appointment, "id" | "counselorKey">,
  now: number,
): OwnRoom {
  endRoom(tx, id, now);
  const room = findCounselorByKey(readCatalogue(tx), counselorKey)?.room;
  if (room?.kind === "pattern") {
    return { roomKind: "pattern", roomUrl: patternAddress(room.address) };
  }
  if (room?.kind !== "zoom") return NO_ROOM;
  insertRoom(tx, { roomKey: newId(), appointmentId: id, fellBackAt: now, createdAt: now });
  return { roomKind: "link", roomUrl: room.address };
}
