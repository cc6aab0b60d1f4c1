/** What the file says, read over a connection of its own: the app may be running or not. */
import { existsSync } from "node:fs";
import type { Env } from "#app/core/env.server.ts";
import { type OpenDb, openDb } from "#db/connection.server.ts";

/** Null while there is no database, or none of this version: `examineDatabase` tells of that. */
export function readDatabase<T>(
  { databasePath }: Pick<Env, "databasePath">,
  read: (db: OpenDb) => T,
): T | null {
  if (!existsSync(databasePath)) return null;
  let db: OpenDb | null = null;
  try {
    db = openDb(databasePath, { readonly: true });
    return read(db);
  } catch {
    return null;
  } finally {
    db?.close();
  }
}
