/** Files that staff download: the workbook of a list, and a month for the accountant. */
import { change } from "#app/core/change.server.ts";
import type { Deps } from "#app/core/deps.server.ts";
import type { Actor } from "#app/model/actor.ts";
import type { AppointmentFilter } from "#app/model/appointment.ts";
import { dateInIndia } from "#app/model/dates.ts";
import { formatCount } from "#app/model/money.ts";
import type { Month } from "#app/model/month.ts";
import { failure, type Outcome, success } from "#app/model/outcome.ts";
import type { PrintableDocument } from "#db/ledger-document.ts";

/** Most appointments in one workbook: a thread holds all of them in memory. */
const MOST_EXPORTED = 20_000;

export interface ExportFile {
  bytes: Buffer;
  /** `appointments_export_2026-11-21.xlsx` (today in India) or `gst_2026-11.xlsx`. */
  fileName: string;
}

/** Every download is logged. Refusals: `too_many_rows`, and those of `change`. Throws QueueFull. */
export async function exportAppointments(
  deps: Pick<Deps, "db" | "now" | "wake" | "documents">,
  actor: Actor,
  filter: AppointmentFilter,
): Promise<Outcome<ExportFile>> {
  const today = dateInIndia(deps.now());
  const workbook = await deps.documents.renderExport(filter, MOST_EXPORTED);
  if (workbook === null) {
    return failure(
      "too_many_rows",
      `These are more than ${formatCount(MOST_EXPORTED)} appointments. Please narrow the dates.`,
    );
  }
  const { bytes, rows } = workbook;
  return change(deps, actor, ({ log }) => {
    // A search text may be a person's name, which must not be kept in the log.
    const { q, ...kept } = filter;
    log("export", null, { after: { rows, ...kept, ...(q ? { searched: true } : {}) } });
    return success({ bytes, fileName: `appointments_export_${today}.xlsx` });
  });
}

/**
 * The accountant's workbook of a month, or its journal alone as CSV. Every download is logged.
 * Refusals: those of `change`. Throws QueueFull.
 */
export async function exportGstMonth(
  deps: Pick<Deps, "db" | "env" | "now" | "wake" | "documents">,
  actor: Actor,
  month: Month,
  format: "xlsx" | "csv" = "xlsx",
): Promise<Outcome<ExportFile>> {
  const { env, documents } = deps;
  const { name, gstin } = env.business;
  const filer = { name, gstin: env.sampleDocuments ? null : gstin };
  const bytes = await documents.renderGstMonth(month, filer, format);
  const fileName = format === "csv" ? `journal_${month.value}.csv` : `gst_${month.value}.xlsx`;
  return change(deps, actor, ({ log }) => {
    log("gst_export", null, { after: { month: month.value } });
    return success({ bytes, fileName });
  });
}

/**
 * The documents of a month in one PDF. Every download is logged. Refusals: those of `change`. Throws
 * QueueFull, TooManyDocuments.
 */
export async function exportDocuments(
  deps: Pick<Deps, "db" | "now" | "wake" | "documents">,
  actor: Actor,
  month: Month,
  documents: readonly PrintableDocument[],
): Promise<Outcome<Buffer>> {
  const bytes = await deps.documents.renderMonth(documents);
  return change(deps, actor, ({ log }) => {
    log("documents_export", null, { after: { month: month.value } });
    return success(bytes);
  });
}
