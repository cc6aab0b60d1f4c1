/** The thread's entry: one job in, one file out. Libraries load with their first job. */
import { parentPort } from "node:worker_threads";
import type { Filer, WrittenPage } from "#app/core/services.ts";
import { supplierOf } from "#app/documents/document-facts.ts";
import type { AppointmentFilter } from "#app/model/appointment.ts";
import type { Month } from "#app/model/month.ts";
import { onUnknownCode } from "#app/model/unknown-code.ts";
import type { PrintableDocument } from "#db/ledger-document.ts";
import type { MadeExport } from "./export-file.server.ts";
import type { Logos } from "./logos.server.ts";

export type Job =
  | { kind: "document"; databasePath: string; document: PrintableDocument }
  | { kind: "text"; databasePath: string; page: WrittenPage }
  | { kind: "month"; databasePath: string; documents: readonly PrintableDocument[] }
  | { kind: "export"; databasePath: string; filter: AppointmentFilter; most: number }
  | { kind: "gst"; databasePath: string; month: Month; filer: Filer; format: "xlsx" | "csv" };

/** A PDF, a month's workbook or journal, or an export; null for an export of too many rows. */
export type Made = Uint8Array | MadeExport | null;

onUnknownCode((code) => parentPort?.postMessage(code));

export default async function run(job: Job): Promise<Made> {
  switch (job.kind) {
    case "document":
      return (await import("./pdf.ts")).renderPdf(job.document, await logosOf(job, [job.document]));
    case "text":
      return (await import("./pdf.ts")).renderTextPdf(
        job.page,
        await logos(job, [job.page.logo ?? ""]),
      );
    case "month":
      return (await import("./pdf.ts")).renderMonthPdf(
        job.documents,
        await logosOf(job, job.documents),
      );
    case "export":
      return (await import("./export-file.server.ts")).makeExport(
        job.databasePath,
        job.filter,
        job.most,
      );
    case "gst":
      return (await import("./gst-workbook.server.ts")).makeGstMonth(
        job.databasePath,
        job.month,
        job.filer,
        job.format,
      );
  }
}

type DatabaseJob = Pick<Job, "databasePath">;

/** If no logo is needed, the thread does not load the database. */
async function logos({ databasePath }: DatabaseJob, ids: readonly string[]): Promise<Logos> {
  if (ids.every((id) => id === "")) return new Map();
  return (await import("./logos.server.ts")).readLogos(databasePath, ids);
}

/** The logos with which the documents were issued. */
const logosOf = (job: DatabaseJob, documents: readonly PrintableDocument[]) =>
  logos(
    job,
    documents.map((document) => supplierOf(document).logo),
  );
