/** What a counselor's calendar shows. */
import type { Appointment } from "#app/model/appointment.ts";
import type { Db } from "#db/connection.server.ts";
import { APPOINTMENT_COLUMNS, type AppointmentRow, toAppointment } from "./appointments.server.ts";

export interface CounselorSession {
  appointment: Appointment;
  /** Milliseconds UTC. */
  changedAt: number;
}

/** Paid sessions of a counselor that start at `since` or later, in order of time. */
export function listCounselorSessions(
  db: Db,
  counselorKey: string,
  since: number,
): CounselorSession[] {
  return db
    .allRaw<AppointmentRow & { changed_at: number }>(
      `SELECT ${APPOINTMENT_COLUMNS}, a.updated_at AS changed_at FROM appointment a
       WHERE a.status IN ('confirmed', 'rescheduled') AND a.starts_at >= ? AND a.counselor_key = ?
       ORDER BY a.starts_at`,
      [since, counselorKey],
    )
    .map((row) => ({ appointment: toAppointment(row), changedAt: row.changed_at }));
}
