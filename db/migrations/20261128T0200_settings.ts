/**
 * What the owner has saved of the settings, as JSON by the names of the contract. What is not in it
 * follows its variable. Every change raises the offer's version, so the kept pages are made anew.
 */
import { type Kysely, sql } from "kysely";
import { changesOffer } from "./20261122T2300_catalogue.ts";

export async function up(db: Kysely<unknown>): Promise<void> {
  const statements = [
    `CREATE TABLE owner_settings (
      id INTEGER NOT NULL PRIMARY KEY CHECK (id = 1),
      saved TEXT NOT NULL CHECK (json_valid(saved)),
      version INTEGER NOT NULL DEFAULT 1
    ) STRICT`,
    "INSERT INTO owner_settings (id, saved) VALUES (1, '{}')",
    ...changesOffer("owner_settings"),
  ];
  for (const statement of statements) await sql.raw(statement).execute(db);
}
