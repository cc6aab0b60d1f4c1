/** The thread's entry: one job in, one file out. Libraries load with their first job. */
import { parentPort } from "node:worker_threads";
import type { Filer, WrittenPage } from "#app/core/services.ts";
import { supplierOf } from "#app/documents/document-facts.ts";
import type { AppointmentFilter } from "#app/model/appointment.ts";
import type { Month } from "#app/model/month.ts";
import { onUnknownCode } from "#app/model/unknown-code.ts";
import type { PrintableDocument } from "#db/ledger-document.ts";
import type { MadeExport } from "./export-file.server.ts";
import type { Logos } from "./read-apart.server.ts";

export type Task =
  | { kind: "document"; document: PrintableDocument }
  | { kind: "text"; page: WrittenPage }
  | { kind: "month"; documents: readonly PrintableDocument[] }
  | { kind: "export"; filter: AppointmentFilter; most: number }
  | { kind: "gst"; month: Month; filer: Filer; format: "xlsx" | "csv" };

export type Job = Task & { databasePath: string };

/** A PDF, a month's workbook or journal, or an export; null for an export of too many rows. */
export type Made = Uint8Array | MadeExport | null;

onUnknownCode((code) => parentPort?.postMessage(code));

export default async function run(job: Job): Promise<Made> {
  const { databasePath } = job;
  switch (job.kind) {
    case "document":
      return (await import("./pdf.ts")).renderPdf(job.document, await logosOf(job, [job.document]));
    case "text": {
      const kept = await logos(job, [job.page.logo ?? ""]);
      return (await import("./pdf.ts")).renderTextPdf(job.page, kept);
    }
    case "month": {
      const kept = await logosOf(job, job.documents);
      return (await import("./pdf.ts")).renderMonthPdf(job.documents, kept);
    }
    case "export": {
      const { makeExport } = await import("./export-file.server.ts");
      return makeExport(databasePath, job.filter, job.most);
    }
    case "gst": {
      const { makeGstMonth } = await import("./gst-workbook.server.ts");
      return makeGstMonth(databasePath, job.month, job.filer, job.format);
    }
  }
}

/** If no logo is needed, the thread does not load the database. */
async function logos({ databasePath }: Job, ids: readonly string[]): Promise<Logos> {
  if (ids.every((id) => id === "")) return new Map();
  return (await import("./read-apart.server.ts")).readLogos(databasePath, ids);
}

/** The logos with which the documents were issued. */
function logosOf(job: Job, documents: readonly PrintableDocument[]): Promise<Logos> {
  const ids = documents.map((document) => supplierOf(document).logo);
  return logos(job, ids);
}
