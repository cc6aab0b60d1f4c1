/** The thread's entry: one job in, one file out. The libraries load with the first job of theirs. */
import type { PrintableDocument } from "./renderer.server.ts";
import type { WorkbookInput } from "./workbook-rows.ts";

export type Job =
  | { kind: "document"; document: PrintableDocument }
  | { kind: "month"; documents: readonly PrintableDocument[] }
  | { kind: "workbook"; input: WorkbookInput };

export default async function run(job: Job): Promise<Uint8Array> {
  switch (job.kind) {
    case "document":
      return (await import("./pdf.ts")).renderPdf(job.document);
    case "month":
      return (await import("./pdf.ts")).renderMonthPdf(job.documents);
    case "workbook":
      return (await import("./workbook.ts")).renderXlsx(job.input);
  }
}
