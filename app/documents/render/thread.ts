/** The thread's entry: one job in, one file out. Libraries load with their first job. */
import { parentPort } from "node:worker_threads";
import type { Filer, WrittenPage } from "#app/core/services.ts";
import { supplierOf } from "#app/documents/document-facts.ts";
import type { AppointmentFilter } from "#app/model/appointment.ts";
import type { Month } from "#app/model/month.ts";
import { onUnknownCode } from "#app/model/unknown-code.ts";
import type { MadeExport } from "./export-file.server.ts";
import type { Printed } from "./invoice-definition.ts";
import type { Logos } from "./read-apart.server.ts";

export type Task =
  | { kind: "ledger"; printed: Printed }
  | { kind: "text"; page: WrittenPage }
  | { kind: "export"; filter: AppointmentFilter; most: number }
  | { kind: "gst"; month: Month; filer: Filer; format: "xlsx" | "csv" };

export type Job = Task & { databasePath: string };

/** A PDF, a month's workbook or journal, or an export; null for an export of too many rows. */
export type Made = Uint8Array | MadeExport | null;

onUnknownCode((code) => parentPort?.postMessage(code));

export default async function run(job: Job): Promise<Made> {
  const { databasePath } = job;
  switch (job.kind) {
    case "ledger": {
      const { printed } = job;
      const documents = "number" in printed ? [printed] : printed;
      const ids = documents.map((document) => supplierOf(document).logo);
      return (await import("./pdf.ts")).renderPdf(printed, await logos(databasePath, ids));
    }
    case "text": {
      const kept = await logos(databasePath, [job.page.logo ?? ""]);
      return (await import("./pdf.ts")).renderTextPdf(job.page, kept);
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
async function logos(databasePath: string, ids: readonly string[]): Promise<Logos> {
  if (ids.every((id) => id === "")) return new Map();
  return (await import("./read-apart.server.ts")).readLogos(databasePath, ids);
}
