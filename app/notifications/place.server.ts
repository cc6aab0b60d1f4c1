/** Changes where a session takes place. */
import type { Env } from "#app/core/env.server.ts";
import type { OwnRoom } from "#app/model/room.ts";
import type { Db } from "#db/connection.server.ts";
import { findAppointment, updateAppointment } from "#db/queries/appointments.server.ts";
import { followSequence } from "#db/queries/unsent-messages.server.ts";
import { queueMessages } from "./queue.server.ts";

/**
 * Changes the room, and notifies customer and captain with an update of their calendars. `isFirst`:
 * the awaited link has arrived. Wake the worker after the commit.
 */
export function changePlace(
  tx: Db,
  env: Env,
  id: string,
  now: number,
  { isFirst = false, ...room }: Partial<OwnRoom> & { isFirst?: boolean } = {},
): void {
  const { calendarSequence } = findAppointment(tx, id)!;
  updateAppointment(tx, id, now, { ...room, calendarSequence: calendarSequence + 1 });
  const appointment = findAppointment(tx, id)!;
  followSequence(tx, appointment);
  queueMessages(tx, env, now, { type: "joining_changed", appointment, isFirst });
}
