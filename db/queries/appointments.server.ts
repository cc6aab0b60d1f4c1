import { expressionBuilder, type InferResult, sql, type Updateable } from "kysely";
import { type Appointment, type PaymentWindow, wasPaid } from "#app/model/appointment.ts";
import { dateInIndia, isCalendarDate, isTimeSlot, timeInIndia } from "#app/model/dates.ts";
import type { SessionTime } from "#app/model/day-plan.ts";
import { newId } from "#app/model/ids.ts";
import { type Meeting, meetingAt } from "#app/model/room.ts";
import { type AppointmentSource, PAID } from "#app/model/statuses.ts";
import {
  abroadOf,
  billingColumns,
  companyOf,
  contactOf,
  priceColumns,
  storedText,
  studentColumns,
  studentOf,
  timeColumns,
  windowColumns,
} from "#db/appointment-columns.ts";
import { deleteBy, insertRow } from "#db/by-column.ts";
import { type Db, literal, literals, sqlite } from "#db/connection.server.ts";
import { rowOf } from "#db/row-fields.ts";
import type { AppointmentTable, Tables } from "#db/tables.ts";

/** A subquery, not a join: with a join, SQLite prepares the statement again at every run. */
function ofCaptain<Column extends "name" | "email" | "meeting_url" | "room_kind">(column: Column) {
  const { ref, selectFrom } = expressionBuilder<Tables & { a: AppointmentTable }, "a">();
  return selectFrom("counselor as c")
    .select(`c.${column}`)
    .where("c.key", "=", ref("a.counselor_key"));
}

/** The columns of an appointment, with those of its captain, payment and invoice. */
export const appointments = sqlite
  .selectFrom("appointment as a")
  .selectAll("a")
  .select((eb) => [
    ofCaptain("name").as("present_name"),
    ofCaptain("email").as("counselor_email"),
    ofCaptain("meeting_url").as("meeting_url"),
    ofCaptain("room_kind").as("captain_room"),
    eb
      .selectFrom("payment as p")
      .select("p.payment_id")
      .whereRef("p.appointment_id", "=", "a.id")
      .where("p.outcome", "in", literals(["applied", "assigned"]))
      .as("paid_by"),
    eb
      .selectFrom("document as d")
      .select("d.number")
      .whereRef("d.appointment_id", "=", "a.id")
      .where("d.kind", "=", literal("invoice"))
      .orderBy("d.serial")
      .limit(sql.lit(1))
      .as("invoice_number"),
  ]);

const paid = appointments.where("a.status", "in", literals(PAID));

type AppointmentRow = InferResult<typeof appointments>[number];

export function toAppointment(row: AppointmentRow): Appointment {
  return {
    id: row.id,
    contact: contactOf(row),
    student: studentOf(row),
    company: companyOf(row),
    abroad: abroadOf(row),
    counselorKey: row.counselor_key,
    counselor: row.present_name ?? row.counselor_name,
    counselorEmail: row.counselor_email,
    meeting: meetingOf(row),
    roomKind: row.room_kind,
    roomUrl: row.room_url,
    ...readable({ date: row.on_date, timeSlot: row.time_slot, startsAt: row.starts_at }),
    minutes: row.minutes,
    endsAt: row.ends_at,
    price: {
      basePaise: row.base_paise,
      gstPaise: row.gst_paise,
      totalPaise: row.total_paise,
    },
    status: row.status,
    stateCode: row.state_code,
    window:
      row.pay_before !== null && row.hold_until !== null
        ? { payBefore: row.pay_before, holdUntil: row.hold_until }
        : null,
    renewals: row.renewals,
    cancelReason: row.cancel_reason,
    cancelNote: row.cancel_note,
    source: row.source,
    heldByStaff: row.status === "pending_payment" && row.client_address === null,
    whatsapp: row.whatsapp === 1,
    cutoffHours: row.cutoff_hours,
    attendance: row.attendance,
    staffNote: storedText(row.staff_note),
    calendarUid: row.calendar_uid,
    calendarSequence: row.calendar_sequence,
    createdAt: row.created_at,
    version: row.version,
    paymentId: row.paid_by,
    invoiceNumber: row.invoice_number,
  };
}

/**
 * The booking's own room, if it has one; else what the captain offers. An unpaid booking gets its
 * room when it is paid.
 */
function meetingOf(row: AppointmentRow): Meeting {
  if (row.room_url !== null) return { kind: "link", url: row.room_url };
  const isPaidFor = wasPaid({ status: row.status, paymentId: row.paid_by });
  const room = row.room_kind ?? (isPaidFor ? null : row.captain_room);
  return room === null ? meetingAt(row.meeting_url) : { kind: "awaited", room };
}

/** An unreadable date or time of day is derived from the start. */
export function readable<T extends Pick<SessionTime, "date" | "timeSlot" | "startsAt">>(row: T): T {
  const { date, timeSlot, startsAt } = row;
  return {
    ...row,
    date: isCalendarDate(date) ? date : dateInIndia(startsAt),
    timeSlot: isTimeSlot(timeSlot) ? timeSlot : timeInIndia(startsAt),
  };
}

/** Asked in most requests, so it is not built anew: building it takes longer than running it. */
const BY_ID = appointments.where("a.id", "=", "its id").compile().sql;

export function findAppointment(db: Db, id: string): Appointment | null {
  const row = db.firstRaw<AppointmentRow>(BY_ID, [id]);
  return row ? toAppointment(row) : null;
}

/** By the id of its entry in the captain's calendar; null for another captain's session. */
export function findSessionOf(db: Db, counselorKey: string, uid: string): Appointment | null {
  const own = appointments.where("a.counselor_key", "=", counselorKey);
  const row = db.first(own.where("a.calendar_uid", "=", uid));
  return row && toAppointment(row);
}

/** Paid sessions of a date in India, in the order of their times. */
export function listSessionsOn(db: Db, date: string): Appointment[] {
  const onDate = paid.where("a.on_date", "=", date).orderBy("a.time_slot").orderBy("a.seq");
  return db.all(onDate).map(toAppointment);
}

/** Paid sessions of a counselor that start at `since` or later, in order of time. */
export function listCounselorSessions(
  db: Db,
  counselorKey: string,
  since: number,
  limit = Number.MAX_SAFE_INTEGER,
) {
  const ofCounselor = paid.where("a.counselor_key", "=", counselorKey);
  const coming = ofCounselor.where("a.starts_at", ">=", since).orderBy("a.starts_at");
  return db
    .all(coming.limit(limit))
    .map((row) => ({ appointment: toAppointment(row), changedAt: row.updated_at }));
}

/** Ignores case; uses an index. */
export const isEmail = (email: string) => sql<boolean>`lower(email) = lower(${email})`;

type NewAppointment = SessionTime &
  Pick<Appointment, "contact" | "company" | "counselor" | "price" | "stateCode"> &
  Pick<Appointment, "student" | "abroad" | "whatsapp" | "cutoffHours">;

/** `clientAddress` as `addressKey` makes it. */
export function insertAppointment(
  tx: Db,
  booking: NewAppointment & {
    /** Null for one that is paid in the same transaction. */
    window: PaymentWindow | null;
    /** Null for a booking that staff make. */
    clientAddress: string | null;
    /** The notice that the customer read; `by`: the member of staff who read it to them. */
    notice: { version: string; by: string | null } | null;
    source?: AppointmentSource;
    staffNote?: string | null;
  },
  createdAt: number,
): Appointment {
  const id = newId();
  insertRow(tx, "appointment", {
    id,
    ...booking.contact,
    ...studentColumns(booking.student),
    ...billingColumns(booking.company, booking.abroad),
    ...timeColumns(booking),
    counselor_name: booking.counselor,
    ...priceColumns(booking.price),
    status: "pending_payment",
    state_code: booking.stateCode,
    ...windowColumns(booking.window ?? { payBefore: null, holdUntil: null }),
    held_at: createdAt,
    calendar_uid: newId(),
    client_address: booking.clientAddress,
    source: booking.source ?? "visitor",
    staff_note: booking.staffNote ?? null,
    whatsapp: Number(booking.whatsapp),
    cutoff_hours: booking.cutoffHours,
    notice_version: booking.notice?.version ?? null,
    notice_at: booking.notice && createdAt,
    notice_by: booking.notice?.by ?? null,
    created_at: createdAt,
    updated_at: createdAt,
  });
  return findAppointment(tx, id)!;
}

type Changeable = Pick<
  Appointment,
  | "contact"
  | "student"
  | "company"
  | "abroad"
  | "counselor"
  | "price"
  | "stateCode"
  | "status"
  | "window"
  | "renewals"
  | "whatsapp"
  | "cutoffHours"
  | "cancelReason"
  | "cancelNote"
  | "attendance"
  | "staffNote"
  | "calendarSequence"
  | "heldByStaff"
  | "roomKind"
  | "roomUrl"
>;

/**
 * Writes the given fields and raises the version, unless only the place changes, which no form
 * edits. Closing the payment window also clears the client's address; a new time or a cancellation
 * clears the attendance.
 */
export function updateAppointment(
  tx: Db,
  id: string,
  now: number,
  change: Partial<Changeable> & { time?: SessionTime; erasedAt?: number },
): void {
  const row = sqlite.updateTable("appointment").where("id", "=", id);
  const {
    contact,
    student,
    company,
    abroad,
    counselor,
    price,
    time,
    window,
    attendance,
    whatsapp,
    heldByStaff,
    erasedAt,
    ...same
  } = change;
  tx.run(
    row.set((eb) => ({
      ...contact,
      ...(student !== undefined && studentColumns(student)),
      ...(company !== undefined && billingColumns(company, abroad ?? null)),
      counselor_name: counselor,
      ...(price && priceColumns(price)),
      ...(time && timeColumns(time)),
      ...(window && { ...windowColumns(window), held_at: now }),
      ...(window === null && { pay_before: null, hold_until: null }),
      ...(heldByStaff && { client_address: null }),
      // Kept when an unpaid booking is cancelled, because it counts towards its network's limit.
      ...(window === null && change.status !== "cancelled" && { client_address: null }),
      ...rowOf<Updateable<AppointmentTable>>(same),
      whatsapp: whatsapp === undefined ? undefined : Number(whatsapp),
      attendance: time || change.status === "cancelled" ? null : attendance,
      personal_data_erased_at: erasedAt,
      updated_at: now,
      version: changesOnlyPlace(change) ? undefined : eb("version", "+", 1),
    })),
  );
}

const PLACE = ["roomKind", "roomUrl", "calendarSequence"];

function changesOnlyPlace(change: object): boolean {
  const changed = Object.keys(change);
  return changed.length > 0 && changed.every((field) => PLACE.includes(field));
}

/** Its time and search entry go with it. Orders, payments, refunds and documents stay. */
export const deleteAppointmentRow = deleteBy("appointment", "id");
