import type { Appointment } from "#app/model/appointment.ts";
import type { Db } from "#db/connection.server.ts";
import { APPOINTMENT_COLUMNS, type AppointmentRow, toAppointment } from "./appointments.server.ts";

/** Paid sessions of a date in India, in the order of their times. */
export function listSessionsOn(db: Db, date: string): Appointment[] {
  return db
    .allRaw<AppointmentRow>(
      `SELECT ${APPOINTMENT_COLUMNS} FROM appointment a
       WHERE a.on_date = ? AND a.status IN ('confirmed', 'rescheduled')
       ORDER BY a.time_slot, a.seq`,
      [date],
    )
    .map(toAppointment);
}
