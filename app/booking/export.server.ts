/** The workbook of a filter, for an admin. */

import { change } from "#app/core/change.server.ts";
import type { Deps } from "#app/core/deps.server.ts";
import type { Actor } from "#app/model/actor.ts";
import type { AppointmentFilter } from "#app/model/appointment-filter.ts";
import { dateInIndia } from "#app/model/dates.ts";
import { failure, type Outcome, success } from "#app/model/outcome.ts";

/** Appointments in one workbook: a thread holds all of them until it is written. */
const MOST_EXPORTED = 20_000;

export interface ExportFile {
  bytes: Buffer;
  /** `appointments_export_2026-11-21.xlsx`: today in India. */
  fileName: string;
}

/**
 * Every hand-out is logged. Refusals: `too_many_rows`, and those of `change`. Throws QueueFull.
 */
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
      `These are more than ${MOST_EXPORTED.toLocaleString("en-IN")} appointments. Please narrow the dates.`,
    );
  }
  const { bytes, rows } = workbook;
  return change(deps, actor, ({ log }) => {
    log("export", null, { after: { rows, ...withoutSearch(filter) } });
    return success({ bytes, fileName: `appointments_export_${today}.xlsx` });
  });
}

/** What was sought may be a person's name, which outlives no deletion in the log. */
function withoutSearch({ q, ...filter }: AppointmentFilter): Record<string, unknown> {
  return { ...filter, ...(q ? { searched: true } : {}) };
}
