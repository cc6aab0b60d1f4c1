/** A month of the ledger as the accountant takes it, read in one snapshot. */
import { change } from "#app/core/change.server.ts";
import type { Deps } from "#app/core/deps.server.ts";
import type { Actor } from "#app/model/actor.ts";
import type { Month } from "#app/model/month.ts";
import { type Outcome, success } from "#app/model/outcome.ts";
import { type Db, inSnapshot, openDb } from "#db/connection.server.ts";
import { readAppointmentPage } from "#db/queries/appointment-list.server.ts";
import { listNumberedAmong } from "#db/queries/documents.server.ts";
import {
  countUndatedDocuments,
  listGstDocuments,
  listSessionPayments,
  readLedgerParts,
} from "#db/queries/reports.server.ts";

/** Every hand-out is logged. Refusals: those of `change`. Throws QueueFull. */
export async function exportGstMonth(
  deps: Pick<Deps, "db" | "env" | "now" | "wake" | "documents">,
  actor: Actor,
  month: Month,
): Promise<Outcome<{ bytes: Buffer; fileName: string }>> {
  const { env, documents } = deps;
  const { name, gstin } = env.business;
  const filer = { name, gstin: env.sampleDocuments ? null : gstin };
  const bytes = await documents.renderGstMonth(month, filer);
  return change(deps, actor, ({ log }) => {
    log("gst_export", null, { after: { month: month.value } });
    return success({ bytes, fileName: `gst_${month.value}.xlsx` });
  });
}

export type GstMonth = ReturnType<typeof read>;

/** On a connection of its own, for a worker thread. Throws what SQLite throws. */
export function readGstMonth(databasePath: string, month: Month): GstMonth {
  const db = openDb(databasePath, { readonly: true });
  try {
    return inSnapshot(db, (snapshot) => read(snapshot, month));
  } finally {
    db.close();
  }
}

function read(db: Db, { from, to }: Month) {
  const range = { startDate: from, endDate: to };
  const { stats } = readAppointmentPage(db, range, { page: 1, pageSize: 1 });
  return {
    documents: listGstDocuments(db, from, to),
    undated: countUndatedDocuments(db),
    numberedAmong: listNumberedAmong(db, from, to),
    parts: readLedgerParts(db, from, to),
    payments: listSessionPayments(db, from, to),
    /** As the list shows it for the same dates. */
    revenuePaise: Math.round(stats.totalRevenue * 100),
  };
}
