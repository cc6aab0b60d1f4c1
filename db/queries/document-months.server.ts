import type { Db } from "#db/connection.server.ts";

/** The date of the oldest document of the ledger, or null while it is empty. */
export function firstDocumentDate(db: Db): string | null {
  return db.firstRaw<{ first: string | null }>(
    `SELECT min(on_date) AS first FROM document WHERE on_date IS date(on_date)`,
  )!.first;
}
