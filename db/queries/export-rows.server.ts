import type { Price } from "#app/model/price.ts";
import type { AppointmentSource, AppointmentStatus, Attendance } from "#app/model/statuses.ts";
import type { Db } from "#db/connection.server.ts";

export type ExportedAppointment = Omit<ExportRow, "status" | "attendance" | "source"> & {
  status: AppointmentStatus;
  attendance: Attendance | null;
  source: AppointmentSource;
};

/** In the order of the numbers; an appointment deleted meanwhile is left out. */
export function readExportRows(db: Db, seqs: readonly number[]): ExportedAppointment[] {
  // By hand: the list of numbers must lead the join, and the documents are joined by their newest.
  return db.allRaw<ExportedAppointment>(
    `SELECT a.id, a.status, a.on_date AS date, a.time_slot AS timeSlot,
       coalesce((SELECT name FROM counselor WHERE key = a.counselor_key), a.counselor_name)
         AS counselor, a.minutes,
       a.name, a.email, a.phone, a.base_paise AS basePaise, a.gst_paise AS gstPaise,
       a.total_paise AS totalPaise,
       p.payment_id AS paymentId, p.method,
       (SELECT sum(q.amount_paise) FROM payment q
        WHERE q.appointment_id = a.id AND q.captured_at IS NOT NULL) AS paidPaise,
       a.kept_paise AS keptPaise, a.taken_back_paise AS takenBackPaise,
       (SELECT CASE WHEN count(*) = count(q.fee_paise) THEN sum(q.fee_paise) END
        FROM payment q WHERE q.appointment_id = a.id AND q.captured_at IS NOT NULL) AS feePaise,
       (SELECT CASE WHEN count(*) = count(q.fee_tax_paise) THEN sum(q.fee_tax_paise) END
        FROM payment q WHERE q.appointment_id = a.id AND q.captured_at IS NOT NULL) AS feeTaxPaise,
       i.number AS invoiceNumber, i.on_date AS invoiceDate,
       c.number AS creditNoteNumber, c.on_date AS creditNoteDate,
       i.state_code AS placeOfSupply,
       i.cgst_paise AS cgstPaise, i.sgst_paise AS sgstPaise, i.igst_paise AS igstPaise,
       a.created_at AS createdAt, a.notes, a.attendance, a.source
     FROM json_each(?) wanted
     CROSS JOIN appointment a ON a.seq = wanted.value
     LEFT JOIN payment p ON p.appointment_id = a.id AND p.outcome IN ('applied', 'assigned')
     LEFT JOIN document i ON i.number = (SELECT number FROM document d
       WHERE d.appointment_id = a.id AND d.kind = 'invoice' ORDER BY d.serial LIMIT 1)
     LEFT JOIN document c ON c.number = (SELECT number FROM document d
       WHERE d.appointment_id = a.id AND d.kind = 'credit_note'
       ORDER BY d.issued_at DESC, d.serial DESC LIMIT 1)
     ORDER BY wanted.key`,
    [JSON.stringify(seqs)],
  );
}

/** One appointment. Fields of documents that do not exist are null: blank cells, not zeros. */
export interface ExportRow extends Price {
  id: string;
  /** In the words of the list, as attendance and source are. */
  status: string;
  date: string;
  timeSlot: string;
  counselor: string;
  minutes: number;
  name: string;
  email: string;
  phone: string;
  paymentId: string | null;
  /** The provider's word. */
  method: string | null;
  /** All that was captured for it; null: nothing was. */
  paidPaise: number | null;
  /** By the customer's bank, after a lost dispute. */
  takenBackPaise: number;
  /** Less that, and less refunds from the moment they are wanted. */
  keptPaise: number;
  /** The provider's, without the GST on it; null unless it is known of every captured payment. */
  feePaise: number | null;
  /** The GST on the fee. */
  feeTaxPaise: number | null;
  invoiceNumber: string | null;
  invoiceDate: string | null;
  creditNoteNumber: string | null;
  creditNoteDate: string | null;
  /** State code of the invoice. */
  placeOfSupply: string | null;
  cgstPaise: number | null;
  sgstPaise: number | null;
  igstPaise: number | null;
  createdAt: number;
  notes: string | null;
  attendance: string | null;
  source: string;
}
