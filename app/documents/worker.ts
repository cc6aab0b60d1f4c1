/** The thread's entry: one job in, one file out. The libraries load with the first job of theirs. */
import { parentPort } from "node:worker_threads";
import { onUnknownCode } from "#app/lib/unknown-code.ts";
import type { AppointmentFilter } from "#db/queries/appointment-filter.ts";
import type { PrintableDocument } from "./renderer.server.ts";

export type Job =
  | { kind: "document"; document: PrintableDocument }
  | { kind: "month"; documents: readonly PrintableDocument[] }
  | { kind: "export"; databasePath: string; filter: AppointmentFilter };

/** The bytes of a PDF; of an export with its number of rows, or null where it has too many. */
export type Made = Uint8Array | MadeExport | null;

export interface MadeExport {
  bytes: Uint8Array;
  /** Appointments in it. */
  rows: number;
}

onUnknownCode((code) => parentPort?.postMessage(code));

export default async function run(job: Job): Promise<Made> {
  switch (job.kind) {
    case "document":
      return (await import("./pdf.ts")).renderPdf(job.document);
    case "month":
      return (await import("./pdf.ts")).renderMonthPdf(job.documents);
    case "export":
      return (await import("./export-file.server.ts")).makeExport(job.databasePath, job.filter);
  }
}
