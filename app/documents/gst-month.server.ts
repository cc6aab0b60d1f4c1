/** A month of the ledger as the accountant takes it, read in one snapshot. */
import type { Deps } from "#app/core/deps.server.ts";
import { type Actor, actorNamed } from "#app/model/actor.ts";
import type { Month } from "#app/model/month.ts";
import { type Db, inSnapshot, openDb } from "#db/connection.server.ts";
import { logActivity } from "#db/queries/activity.server.ts";
import { readAppointmentPage } from "#db/queries/appointment-list.server.ts";
import { listNumberedAmong } from "#db/queries/documents.server.ts";
import {
  countUndatedDocuments,
  listGstDocuments,
  listSessionPayments,
  readLedgerParts,
} from "#db/queries/gst-month.server.ts";

/** Every hand-out is logged. Throws QueueFull. */
export async function exportGstMonth(
  { db, env, now, documents }: Pick<Deps, "db" | "env" | "now" | "documents">,
  actor: Actor,
  month: Month,
): Promise<{ bytes: Buffer; fileName: string }> {
  const { name, gstin } = env.business;
  const filer = { name, gstin: env.sampleDocuments ? null : gstin };
  const bytes = await documents.renderGstMonth(month, filer);
  const after = { month: month.value };
  logActivity(db, { at: now(), ...actorNamed(actor), action: "gst_export", after });
  return { bytes, fileName: `gst_${month.value}.xlsx` };
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
