/** The jobs of the thread that makes documents, and their results. */
import type { Filer } from "#app/core/services.ts";
import type { AppointmentFilter } from "#app/model/appointment-filter.ts";
import type { Month } from "#app/model/month.ts";
import type { PrintableDocument } from "#db/ledger-document.ts";

export type Job =
  | { kind: "document"; document: PrintableDocument }
  | { kind: "month"; documents: readonly PrintableDocument[] }
  | { kind: "export"; databasePath: string; filter: AppointmentFilter; most: number }
  | { kind: "gst"; databasePath: string; month: Month; filer: Filer };

/** The bytes of a PDF or of a month's workbook; of an export with its number of rows, or null where it has too many. */
export type Made = Uint8Array | MadeExport | null;

export interface MadeExport {
  bytes: Uint8Array;
  /** Appointments in it. */
  rows: number;
}
