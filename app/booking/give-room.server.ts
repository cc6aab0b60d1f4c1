/** The room of a session that is paid or handed over to another captain. */
import type { Env } from "#app/core/env.server.ts";
import type { Appointment } from "#app/model/appointment.ts";
import { findCounselorByKey } from "#app/model/catalogue.ts";
import { newId } from "#app/model/ids.ts";
import { NO_ROOM, type OwnRoom, patternAddress } from "#app/model/room.ts";
import type { Db } from "#db/connection.server.ts";
import { readCatalogue } from "#db/queries/catalogue.server.ts";
import { endRoom, insertRoom } from "#db/queries/session-rooms.server.ts";

/**
 * Returns the room to store with the appointment, and ends its previous one. A Zoom room is queued
 * for creation; if Zoom is not configured, the captain's fallback link is used at once. A session
 * that is over gets none.
 */
export function giveRoom(
  tx: Db,
  { zoom }: Pick<Env, "zoom">,
  { id, counselorKey, endsAt }: Pick<Appointment, "id" | "counselorKey" | "endsAt">,
  now: number,
): OwnRoom {
  endRoom(tx, id, now);
  if (endsAt <= now) return NO_ROOM;
  const room = findCounselorByKey(readCatalogue(tx), counselorKey)?.room;
  if (room?.kind === "pattern") {
    return { roomKind: "pattern", roomUrl: patternAddress(room.address) };
  }
  if (room?.kind !== "zoom") return NO_ROOM;
  const fellBackAt = zoom === null ? now : null;
  insertRoom(tx, {
    roomKey: newId(),
    appointmentId: id,
    fellBackAt,
    nextTryAt: fellBackAt === null ? now : null,
    createdAt: now,
  });
  return fellBackAt === null
    ? { roomKind: "zoom", roomUrl: null }
    : { roomKind: "link", roomUrl: room.address };
}
