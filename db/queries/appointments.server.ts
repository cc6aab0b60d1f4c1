/** Appointments and the time they occupy. */
import type { Insertable, Selectable, Updateable } from "kysely";
import { findCounselorByKey } from "#app/catalogue.ts";
import type { Appointment } from "#app/model/appointment.ts";
import { dateInIndia, isCalendarDate, isTimeSlot, timeInIndia } from "#app/model/dates.ts";
import { type Db, isSlotTaken, sqlite } from "#db/connection.server.ts";
import type { AppointmentTable } from "#db/tables.ts";

/** The columns of every appointment read, with what its payment and invoice add. */
export const APPOINTMENT_COLUMNS = `a.id, a.name, a.email, a.phone, a.counselor_key, a.counselor_name,
  a.on_date, a.time_slot, a.minutes, a.starts_at, a.ends_at, a.base_paise, a.gst_paise, a.total_paise,
  a.status, a.state_code, a.notes, a.pay_before, a.hold_until, a.renewals, a.cancel_reason,
  a.calendar_uid, a.calendar_sequence, a.created_at, a.version,
  (SELECT p.payment_id FROM payment p WHERE p.appointment_id = a.id AND p.outcome IN ('applied', 'assigned')) AS paid_by,
  (SELECT d.number FROM document d WHERE d.appointment_id = a.id AND d.kind = 'invoice' ORDER BY d.serial LIMIT 1) AS invoice_number`;

export interface AppointmentRow extends Selectable<AppointmentTable> {
  paid_by: string | null;
  invoice_number: string | null;
}

export function toAppointment(row: AppointmentRow): Appointment {
  return {
    id: row.id,
    name: row.name,
    email: row.email,
    phone: row.phone,
    counselorKey: row.counselor_key,
    counselor: findCounselorByKey(row.counselor_key)?.name ?? row.counselor_name,
    // The start tells both, should one of them be unreadable.
    date: isCalendarDate(row.on_date) ? row.on_date : dateInIndia(row.starts_at),
    timeSlot: isTimeSlot(row.time_slot) ? row.time_slot : timeInIndia(row.starts_at),
    minutes: row.minutes,
    startsAt: row.starts_at,
    endsAt: row.ends_at,
    basePaise: row.base_paise,
    gstPaise: row.gst_paise,
    totalPaise: row.total_paise,
    status: row.status,
    stateCode: row.state_code,
    notes: row.notes,
    payBefore: row.pay_before,
    holdUntil: row.hold_until,
    renewals: row.renewals,
    cancelReason: row.cancel_reason,
    calendarUid: row.calendar_uid,
    calendarSequence: row.calendar_sequence,
    createdAt: row.created_at,
    version: row.version,
    paymentId: row.paid_by,
    invoiceNumber: row.invoice_number,
  };
}

export function findAppointment(db: Db, id: string): Appointment | null {
  const row = db.firstRaw<AppointmentRow>(
    `SELECT ${APPOINTMENT_COLUMNS} FROM appointment a WHERE a.id = ?`,
    [id],
  );
  return row ? toAppointment(row) : null;
}

export function insertAppointment(tx: Db, row: Insertable<AppointmentTable>): void {
  tx.run(sqlite.insertInto("appointment").values(row));
}

/** Changes columns and raises the version. */
export function updateAppointment(
  tx: Db,
  id: string,
  now: number,
  change: Omit<Updateable<AppointmentTable>, "id" | "seq" | "version" | "updated_at">,
): void {
  tx.run(
    sqlite
      .updateTable("appointment")
      .set({ ...change, updated_at: now })
      .set((eb) => ({ version: eb("version", "+", 1) }))
      .where("id", "=", id),
  );
}

export interface TimeTaken {
  appointmentId: string;
  counselorKey: string;
  startsAt: number;
  endsAt: number;
  /** End of the hold, or null for a paid session. */
  heldUntil: number | null;
}

/**
 * Takes the time, or moves the appointment's own to it; false if another live session overlaps.
 * Ended holds in the way are swept first; the schema's trigger is what refuses.
 */
export function takeTime(tx: Db, time: TimeTaken, now: number): boolean {
  tx.runRaw(
    `DELETE FROM session_time WHERE counselor_key = ? AND starts_at < ? AND starts_at > ?
       AND ends_at > ? AND held_until <= ? AND appointment_id <> ?`,
    [
      time.counselorKey,
      time.endsAt,
      time.startsAt - 14_400_000,
      time.startsAt,
      now,
      time.appointmentId,
    ],
  );
  try {
    tx.runRaw(
      `INSERT INTO session_time (appointment_id, counselor_key, starts_at, ends_at, held_until)
       VALUES (?, ?, ?, ?, ?)
       ON CONFLICT (appointment_id) DO UPDATE SET counselor_key = excluded.counselor_key,
         starts_at = excluded.starts_at, ends_at = excluded.ends_at, held_until = excluded.held_until`,
      [time.appointmentId, time.counselorKey, time.startsAt, time.endsAt, time.heldUntil],
    );
    return true;
  } catch (error) {
    if (isSlotTaken(error)) return false;
    throw error;
  }
}

export function releaseTime(tx: Db, appointmentId: string): void {
  tx.runRaw("DELETE FROM session_time WHERE appointment_id = ?", [appointmentId]);
}

/** True while the appointment keeps its time: paid, or within its hold. */
export function holdsTime(db: Db, appointmentId: string, now: number): boolean {
  return (
    db.firstRaw(
      `SELECT 1 FROM session_time WHERE appointment_id = ? AND (held_until IS NULL OR held_until > ?)`,
      [appointmentId, now],
    ) !== undefined
  );
}

export interface StoredAnswer {
  bodyHash: string;
  response: string;
}

export function findStoredAnswer(db: Db, key: string): StoredAnswer | null {
  return (
    db.firstRaw<StoredAnswer>(
      `SELECT body_hash AS bodyHash, response FROM idempotency WHERE key = ?`,
      [key],
    ) ?? null
  );
}

export function storeAnswer(
  tx: Db,
  answer: StoredAnswer & { key: string; appointmentId: string; at: number },
): void {
  tx.runRaw(
    `INSERT INTO idempotency (key, body_hash, appointment_id, response, created_at) VALUES (?, ?, ?, ?, ?)`,
    [answer.key, answer.bodyHash, answer.appointmentId, answer.response, answer.at],
  );
}
