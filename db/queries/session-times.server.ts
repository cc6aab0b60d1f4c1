/** The time that a live appointment occupies. */
import { expressionBuilder } from "kysely";
import type { Appointment } from "#app/model/appointment.ts";
import { LONGEST_SESSION_MS, type SessionTime } from "#app/model/day-plan.ts";
import { type Db, isSlotTaken, sqlite } from "#db/connection.server.ts";
import { prepare } from "#db/prepared-query.ts";
import type { Tables } from "#db/tables.ts";

interface TakenTime {
  id: string;
  counselorKey: string;
  startsAt: number;
  endsAt: number;
}

const sweep = prepare<TakenTime & { earliest: number; now: number }>()((value) =>
  sqlite
    .deleteFrom("session_time")
    .where("counselor_key", "=", value("counselorKey"))
    .where("starts_at", "<", value("endsAt"))
    .where("starts_at", ">", value("earliest"))
    .where("ends_at", ">", value("startsAt"))
    .where("held_until", "<=", value("now"))
    .where("appointment_id", "<>", value("id")),
);

const take = prepare<TakenTime & { heldUntil: number | null }>()((value) =>
  sqlite.replaceInto("session_time").values({
    appointment_id: value("id"),
    counselor_key: value("counselorKey"),
    starts_at: value("startsAt"),
    ends_at: value("endsAt"),
    held_until: value("heldUntil"),
  }),
);

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
  const time = { id, counselorKey, startsAt, endsAt };
  sweep.run(tx, { ...time, earliest: startsAt - LONGEST_SESSION_MS, now });
  try {
    take.run(tx, { ...time, heldUntil: window?.holdUntil ?? null });
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
