/** The thread's entry: one job in, one file out. The libraries load with the first job of theirs. */
import { parentPort } from "node:worker_threads";
import { onUnknownCode } from "#app/model/unknown-code.ts";
import type { Job, Made } from "./job.ts";

onUnknownCode((code) => parentPort?.postMessage(code));

export default async function run(job: Job): Promise<Made> {
  switch (job.kind) {
    case "document":
      return (await import("./pdf.ts")).renderPdf(job.document);
    case "month":
      return (await import("./pdf.ts")).renderMonthPdf(job.documents);
    case "export":
      return (await import("./export-file.server.ts")).makeExport(
        job.databasePath,
        job.filter,
        job.most,
      );
    case "gst":
      return (await import("./gst-workbook.ts")).makeGstMonth(
        job.databasePath,
        job.month,
        job.filer,
      );
  }
}
