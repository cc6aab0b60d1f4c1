/** The workbook of a filter: the list's own rows, and the documents of the same dates. */
import { setImmediate } from "node:timers/promises";
import { findCounselorByKey } from "#app/catalogue.ts";
import { documentsIssued, type ExportRow, gstSummary } from "#app/documents/workbook-rows.ts";
import { dateInIndia } from "#app/lib/dates.ts";
import type { Deps } from "#app/lib/deps.server.ts";
import { failure, type Outcome, success } from "#app/lib/outcome.ts";
import { logActivity } from "#db/queries/activity.server.ts";
import { type AppointmentFilter, listForExport } from "#db/queries/appointment-list.server.ts";
import { listDocuments } from "#db/queries/documents.server.ts";
import { type ExportedAppointment, readExportRows } from "#db/queries/export-rows.server.ts";
import { type Actor, actorName } from "./actor.ts";
import { STATUS_LABELS } from "./wording.ts";

const MOST_EXPORTED = 20_000;
/** Rows read between two chances for other requests. */
const BATCH = 500;

export interface ExportFile {
  bytes: Buffer;
  /** `appointments_export_2026-11-21.xlsx`: today in India. */
  fileName: string;
}

/**
 * Sheet 1 holds the rows of the list under the same filter; the GST sheets every document dated in
 * the filter's dates, whatever else it asks for (decision 21). Refusal: `too_many_rows`. Throws
 * RendererBusy.
 */
export async function exportAppointments(
  deps: Pick<Deps, "db" | "now" | "documents">,
  actor: Actor,
  filter: AppointmentFilter,
): Promise<Outcome<ExportFile>> {
  const { db } = deps;
  const now = deps.now();
  const seqs = listForExport(db, filter, MOST_EXPORTED + 1);
  if (seqs.length > MOST_EXPORTED) {
    return failure(
      "too_many_rows",
      "These are more than 20,000 appointments. Please narrow the dates.",
    );
  }
  const appointments: ExportRow[] = [];
  for (let i = 0; i < seqs.length; i += BATCH) {
    appointments.push(...readExportRows(db, seqs.slice(i, i + BATCH)).map(toRow));
    await setImmediate();
  }
  const documents = listDocuments(
    db,
    filter.startDate ?? "0000-00-00",
    filter.endDate ?? "9999-99-99",
  );
  const bytes = await deps.documents.renderWorkbook({
    appointments,
    gstSummary: gstSummary(documents),
    documents: documentsIssued(documents),
  });
  logActivity(db, {
    at: now,
    actor: actorName(actor),
    action: "export",
    after: { rows: appointments.length, ...withoutSearch(filter) },
  });
  return success({ bytes, fileName: `appointments_export_${dateInIndia(now)}.xlsx` });
}

function toRow({ counselorKey, counselorName, status, ...row }: ExportedAppointment): ExportRow {
  return {
    ...row,
    status: STATUS_LABELS[status],
    counselor: findCounselorByKey(counselorKey)?.name ?? counselorName,
  };
}

/** What was sought may be a person's name, which outlives no deletion in the log. */
function withoutSearch({ q, ...filter }: AppointmentFilter): Record<string, unknown> {
  return { ...filter, ...(q ? { searched: true } : {}) };
}
