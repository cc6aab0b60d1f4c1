/** What a thread reads of the database. */
import { type Db, inSnapshot, openDb } from "#db/connection.server.ts";

/** Reads one state of the file on a connection of its own, as a thread must. */
export function readApart<T>(databasePath: string, read: (snapshot: Db) => T): T {
  const db = openDb(databasePath, { readonly: true });
  try {
    return inSnapshot(db, read);
  } finally {
    db.close();
  }
}
