/** The times of a captain's day that staff can give to a session, as seats. */
import { readStaffTimes } from "#app/booking/reschedule-appointment.server.ts";
import type { Deps } from "#app/core/deps.server.ts";
import type { Appointment } from "#app/model/appointment.ts";
import { formatSlot } from "#app/model/dates.ts";
import type { SeatView } from "#app/routes/admin/parts/time-seats.tsx";

interface Marks {
  chosen?: string | undefined;
  /** The session's own time. */
  own?: string | null;
}

export function staffSeats(
  deps: Pick<Deps, "db" | "now">,
  session: Pick<Appointment, "counselorKey" | "minutes"> & { id?: string },
  date: string,
  { chosen, own }: Marks,
): SeatView[] {
  return readStaffTimes(deps, session, date).map(({ timeSlot, obstacle, isOfDay }) => ({
    value: timeSlot,
    label: formatSlot(timeSlot),
    checked: timeSlot === chosen,
    note: timeSlot === own ? "now" : (obstacle ?? (isOfDay ? null : "outside hours")),
    off: obstacle !== null,
  }));
}
