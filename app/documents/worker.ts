/** The thread's entry: one job in, one file out. The libraries load with the first job of theirs. */
import type { AppointmentFilter } from "#db/queries/appointment-filter.ts";
import type { PrintableDocument } from "./renderer.server.ts";

export type Job =
  | { kind: "document"; document: PrintableDocument }
  | { kind: "month"; documents: readonly PrintableDocument[] }
  | { kind: "export"; databasePath: string; filter: AppointmentFilter };

/** Null where there is too much for one file. */
export interface Made {
  bytes: Uint8Array;
  /** Appointments in it. */
  rows: number;
}

export default async function run(job: Job): Promise<Made | null> {
  switch (job.kind) {
    case "document":
      return { bytes: await (await import("./pdf.ts")).renderPdf(job.document), rows: 0 };
    case "month":
      return { bytes: await (await import("./pdf.ts")).renderMonthPdf(job.documents), rows: 0 };
    case "export":
      return (await import("./export-file.server.ts")).makeExport(job.databasePath, job.filter);
  }
}
