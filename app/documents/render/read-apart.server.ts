/** How a worker thread reads the database. */
import { type Db, inSnapshot, openDb } from "#db/connection.server.ts";

/** Reads one snapshot of the database on a connection of its own, because threads cannot share one. */
export function readApart<T>(databasePath: string, read: (snapshot: Db) => T): T {
  const db = openDb(databasePath, { readonly: true });
  try {
    return inSnapshot(db, read);
  } finally {
    db.close();
  }
}
