/**
 * Reads and writes the workbook of a filter in a worker thread, on its own connection: reading the
 * rows alone would block every visitor.
 */

import { readCatalogue } from "#app/catalogue/read.server.ts";
import { findCounselorByKey } from "#app/model/catalogue.ts";
import { formatDate } from "#app/model/dates.ts";
import { attendanceLabel, sourceLabel, statusLabel } from "#app/model/wording.ts";
import { type Db, inSnapshot, openDb } from "#db/connection.server.ts";
import {
  type AppointmentFilter,
  listForExport,
  readAppointmentPage,
} from "#db/queries/appointment-list.server.ts";
import { listNumberedAmong, listSums } from "#db/queries/documents.server.ts";
import {
  type ExportedAppointment,
  type ExportRow,
  readExportRows,
} from "#db/queries/reports.server.ts";
import { documentsIssued, gstSummary, renderXlsx, type WorkbookInput } from "./workbook.ts";

export interface MadeExport {
  bytes: Uint8Array;
  /** Number of appointments. */
  rows: number;
}

/** Null for more than `most` appointments. Throws what SQLite throws. */
export function makeExport(
  databasePath: string,
  filter: AppointmentFilter,
  most: number,
): MadeExport | null {
  const db = openDb(databasePath, { readonly: true });
  try {
    const input = inSnapshot(db, (snapshot) => readWorkbook(snapshot, filter, most));
    return input && { bytes: renderXlsx(input), rows: input.appointments.length };
  } finally {
    db.close();
  }
}

/**
 * Sheet 1 has the rows of the list under the same filter. The GST sheets have every document of the
 * filter's dates, whatever else it asks for, because a tax return needs all of them.
 */
function readWorkbook(db: Db, filter: AppointmentFilter, most: number): WorkbookInput | null {
  const seqs = listForExport(db, filter, most + 1);
  if (seqs.length > most) return null;
  const { startDate = "0000-00-00", endDate = "9999-99-99" } = filter;
  const { stats } = readAppointmentPage(db, filter, { page: 1, pageSize: 1 });
  const documents = listSums(db, startDate, endDate);
  return {
    appointments: readExportRows(db, seqs).map(toRow),
    gstSummary: gstSummary(documents),
    documents: documentsIssued(documents, listNumberedAmong(db, startDate, endDate)),
    revenuePaise: Math.round(stats.totalRevenue * 100),
    filter: filterWords(db, filter),
  };
}

function filterWords(
  db: Db,
  { startDate, endDate, counselorKey, statuses, minutes, attendance, q }: AppointmentFilter,
): string {
  const words = [
    startDate && `session date from ${formatDate(startDate)}`,
    endDate && `session date to ${formatDate(endDate)}`,
    counselorKey &&
      `counselor ${findCounselorByKey(readCatalogue(db), counselorKey)?.name ?? counselorKey}`,
    statuses && `status ${statuses.map(statusLabel).join(" or ")}`,
    minutes && `package ${minutes} minutes`,
    attendance && `attendance ${attendanceLabel(attendance).toLowerCase()}`,
    q && `search “${q}”`,
  ].filter(Boolean);
  return words.length === 0 ? "All appointments" : words.join(", ");
}

function toRow({ status, attendance, source, ...row }: ExportedAppointment): ExportRow {
  return {
    ...row,
    status: statusLabel(status),
    attendance: attendance && attendanceLabel(attendance),
    source: sourceLabel(source),
  };
}
