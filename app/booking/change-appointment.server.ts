import { type Change, change } from "#app/core/change.server.ts";
import type { Actor } from "#app/model/actor.ts";
import type { Appointment } from "#app/model/appointment.ts";
import type { Outcome } from "#app/model/outcome.ts";
import { findAppointment } from "#db/queries/appointments.server.ts";
import { NO_APPOINTMENT } from "./change-rules.ts";

/** A `change` of one appointment, as it is now. Refusal beside those of `work`: `not_found`. */
export function changeAppointment<T>(
  deps: Parameters<typeof change>[0],
  actor: Actor,
  id: string,
  work: (appointment: Appointment, doing: Change) => Outcome<T>,
): Outcome<T> {
  return change(deps, actor, (doing) => {
    const appointment = findAppointment(doing.tx, id);
    return appointment ? work(appointment, doing) : NO_APPOINTMENT;
  });
}
