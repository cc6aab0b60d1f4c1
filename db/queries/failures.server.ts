/** What failed inside, counted by where and what. Instants are milliseconds UTC. */
import { sql } from "kysely";
import { type Db, sqlite } from "#db/connection.server.ts";
import { type ObjectOf, rowOf } from "#db/objects.ts";
import type { FailureTable } from "#db/tables.ts";

export type Failure = ObjectOf<FailureTable>;

/** Of more groups than these the oldest go. */
const MOST_ROWS = 100;

/** Adds up what is known of the same place. */
export function saveFailures(tx: Db, failures: readonly Failure[]): void {
  for (const failure of failures) {
    const insert = sqlite.insertInto("failure").values(rowOf(failure));
    tx.run(
      insert.onConflict((conflict) =>
        conflict.columns(["area", "kind", "place"]).doUpdateSet({
          count: sql`count + excluded.count`,
          last_at: sql`excluded.last_at`,
          request_id: sql`coalesce(excluded.request_id, request_id)`,
        }),
      ),
    );
  }
  tx.runRaw(
    `DELETE FROM failure WHERE (area, kind, place) IN
     (SELECT area, kind, place FROM failure ORDER BY last_at DESC LIMIT -1 OFFSET ?)`,
    [MOST_ROWS],
  );
}

/** Those that happened since, the newest first. */
export function listFailures(db: Db, since: number): Failure[] {
  const failures = sqlite.selectFrom("failure").selectAll().where("last_at", ">=", since);
  return db.objects(failures.orderBy("last_at", "desc"));
}

/** Those that have not happened again since. */
export function deleteFailures(tx: Db, until: number): number {
  return tx.run(sqlite.deleteFrom("failure").where("last_at", "<=", until));
}
