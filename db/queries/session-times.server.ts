/** The time that a live appointment occupies. */
import { expressionBuilder } from "kysely";
import type { Appointment } from "#app/model/appointment.ts";
import type { SessionTime } from "#app/model/session-time.ts";
import { LONGEST_SESSION_MS } from "#app/model/time-slot.ts";
import { type Db, isSlotTaken, sqlite } from "#db/connection.server.ts";
import type { Tables } from "#db/tables.ts";

/**
 * Takes the appointment's time, or moves its own to it: until its window's end, or for good without
 * one; false if another live session overlaps. Ended holds in the way are swept first; the schema's
 * trigger is what refuses.
 */
export function takeTime(
  tx: Db,
  appointment: SessionTime & Pick<Appointment, "id" | "window">,
  now: number,
): boolean {
  const { id, counselorKey, startsAt, endsAt, window } = appointment;
  tx.run(
    sqlite
      .deleteFrom("session_time")
      .where("counselor_key", "=", counselorKey)
      .where("starts_at", "<", endsAt)
      .where("starts_at", ">", startsAt - LONGEST_SESSION_MS)
      .where("ends_at", ">", startsAt)
      .where("held_until", "<=", now)
      .where("appointment_id", "<>", id),
  );
  try {
    tx.run(
      sqlite.replaceInto("session_time").values({
        appointment_id: id,
        counselor_key: counselorKey,
        starts_at: startsAt,
        ends_at: endsAt,
        held_until: window?.holdUntil ?? null,
      }),
    );
    return true;
  } catch (error) {
    if (isSlotTaken(error)) return false;
    throw error;
  }
}

export function releaseTime(tx: Db, appointmentId: string): void {
  tx.run(sqlite.deleteFrom("session_time").where("appointment_id", "=", appointmentId));
}

const times = expressionBuilder<Tables, "session_time">();

/** Of a time that is taken: it is paid, or held past `now`. */
export function isKept(now: number) {
  const heldUntil = times.ref("session_time.held_until");
  return times.or([times(heldUntil, "is", null), times(heldUntil, ">", now)]);
}

/** True while the appointment keeps its time: paid, or within its hold. */
export function holdsTime(db: Db, appointmentId: string, now: number): boolean {
  const own = sqlite.selectFrom("session_time").where("appointment_id", "=", appointmentId);
  return db.has(own.select("appointment_id").where(isKept(now)));
}
