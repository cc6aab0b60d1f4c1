/** The workbook of a filter, for an admin. */

import type { Deps } from "#app/core/deps.server.ts";
import { type Actor, actorNamed } from "#app/model/actor.ts";
import type { AppointmentFilter } from "#app/model/appointment-filter.ts";
import { dateInIndia } from "#app/model/dates.ts";
import { failure, type Outcome, success } from "#app/model/outcome.ts";
import { logActivity } from "#db/queries/activity.server.ts";

/** Appointments in one workbook: a thread holds all of them until it is written. */
const MOST_EXPORTED = 20_000;

export interface ExportFile {
  bytes: Buffer;
  /** `appointments_export_2026-11-21.xlsx`: today in India. */
  fileName: string;
}

/** Every hand-out is logged. Refusal: `too_many_rows`. Throws QueueFull. */
export async function exportAppointments(
  { db, now, documents }: Pick<Deps, "db" | "now" | "documents">,
  actor: Actor,
  filter: AppointmentFilter,
): Promise<Outcome<ExportFile>> {
  const at = now();
  const workbook = await documents.renderExport(filter, MOST_EXPORTED);
  if (workbook === null) {
    return failure(
      "too_many_rows",
      `These are more than ${MOST_EXPORTED.toLocaleString("en-IN")} appointments. Please narrow the dates.`,
    );
  }
  const { bytes, rows } = workbook;
  logActivity(db, {
    at,
    ...actorNamed(actor),
    action: "export",
    after: { rows, ...withoutSearch(filter) },
  });
  return success({ bytes, fileName: `appointments_export_${dateInIndia(at)}.xlsx` });
}

/** What was sought may be a person's name, which outlives no deletion in the log. */
function withoutSearch({ q, ...filter }: AppointmentFilter): Record<string, unknown> {
  return { ...filter, ...(q ? { searched: true } : {}) };
}
