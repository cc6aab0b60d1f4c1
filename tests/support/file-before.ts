import { Kysely, SqliteDialect } from "kysely";
import { Migrator } from "kysely/migration";
import { type OpenDb, openDb } from "#db/connection.server.ts";
import { migrations } from "#db/migrations/index.ts";

/** A file as the release before a migration left it. */
export async function fileBefore(name: string): Promise<OpenDb> {
  const db = openDb(":memory:");
  const older = Object.entries(migrations).filter(([one]) => one < name);
  const migrator = new Migrator({
    db: new Kysely({ dialect: new SqliteDialect({ database: db.driver }) }),
    provider: { getMigrations: async () => Object.fromEntries(older) },
  });
  const { error } = await migrator.migrateToLatest();
  if (error) throw error;
  return db;
}
