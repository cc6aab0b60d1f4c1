/** Notes whether a session took place: a fact beside its status, which moves no money and tells nobody. */
import { change } from "#app/core/change.server.ts";
import type { Deps } from "#app/core/deps.server.ts";
import type { Actor } from "#app/model/actor.ts";
import { type Appointment, takesAttendance } from "#app/model/appointment.ts";
import { failure, type Outcome, success } from "#app/model/outcome.ts";
import type { Attendance } from "#app/model/statuses.ts";
import { findAppointment, updateAppointment } from "#db/queries/appointments.server.ts";
import { NO_APPOINTMENT, refuseCancelled, refuseStale } from "./change-rules.ts";

/**
 * Null takes the note back. Nothing is written if nothing changes, so that a press may be repeated.
 * Refusals: `not_found`, `already_cancelled`, `too_early`, `stale`.
 */
export function noteAttendance(
  deps: Pick<Deps, "db" | "now" | "wake">,
  actor: Actor,
  id: string,
  { attendance, version }: { attendance: Attendance | null; version?: number | undefined },
): Outcome<Appointment> {
  return change(deps, actor, ({ tx, now, log }) => {
    const appointment = findAppointment(tx, id);
    if (!appointment) return NO_APPOINTMENT;
    const cancelled = refuseCancelled(appointment);
    if (cancelled) return cancelled;
    if (!takesAttendance(appointment, now)) return TOO_EARLY;
    if (attendance === appointment.attendance) return success(appointment);
    const stale = refuseStale(appointment, version);
    if (stale) return stale;
    updateAppointment(tx, id, now, { attendance });
    log("attendance", id, {
      before: { attendance: appointment.attendance },
      after: { attendance },
    });
    return success(findAppointment(tx, id)!);
  });
}

const TOO_EARLY = failure(
  "too_early",
  "Attendance can be noted of a paid session, from its start on.",
);
