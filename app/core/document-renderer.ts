import type { AppointmentFilter } from "#app/model/appointment.ts";
import type { Month } from "#app/model/month.ts";
import type { PrintableDocument } from "#db/ledger-document.ts";
import type { Env } from "./env.server.ts";

/** One file holds its pages in memory until it is written: so many take 240 MB. */
export const MAX_DOCUMENTS_IN_FILE = 500;

export class TooManyDocuments extends Error {
  override name = "TooManyDocuments";
}

export interface Workbook {
  bytes: Buffer;
  /** Appointments in it. */
  rows: number;
}

/** Who files the return, as configured now; a null GSTIN: all documents are samples. */
export type Filer = Pick<Env["business"], "name" | "gstin">;

/** Every method throws QueueFull when the queue is full. */
export interface DocumentRenderer {
  /** The PDF of a ledger row; the same row gives the same bytes. */
  renderDocument(document: PrintableDocument): Promise<Buffer>;
  /**
   * One PDF of many documents, each on its own page with a bookmark, in the order given. Throws
   * TooManyDocuments over MAX_DOCUMENTS_IN_FILE, RangeError for none.
   */
  renderMonth(documents: readonly PrintableDocument[]): Promise<Buffer>;
  /** The XLSX of the filter's appointments and documents; null for more than `most`. */
  renderExport(filter: AppointmentFilter, most: number): Promise<Workbook | null>;
  /** The accountant's XLSX of a month. */
  renderGstMonth(month: Month, filer: Filer): Promise<Buffer>;
  close(): Promise<void>;
}
