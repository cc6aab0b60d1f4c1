import type { Appointment } from "#app/model/appointment.ts";
import { adminDay, formatSlot } from "#app/model/dates.ts";
import { personName } from "#app/model/wording.ts";
import { captainGate } from "#app/notifications/templates/pass.ts";
import { attendanceView, statusNote } from "./row-views.server.ts";

export type OwnSession = ReturnType<typeof ownSessionView>;

/** A session as its captain's own pages show it: no e-mail, no sum, no id but that of their calendar. */
export function ownSessionView(appointment: Appointment, now: number) {
  const { calendarUid: id, contact, startsAt, endsAt, minutes, status } = appointment;
  return {
    ...{ id, name: personName(contact.name), phone: contact.phone, question: contact.notes },
    ...{ startsAt, endsAt, minutes, status },
    day: adminDay(appointment.date),
    time: formatSlot(appointment.timeSlot),
    how: captainGate(appointment),
    note: statusNote(appointment, now),
    attendance: attendanceView({ ...appointment, id }, contact.name, now),
  };
}
