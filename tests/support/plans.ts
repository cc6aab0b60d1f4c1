/** In which way the database answers what a piece of work asks. */
import type { OpenDb } from "#db/connection.server.ts";

type Statement = [sql: string, parameters?: readonly unknown[]];

/** The plan of every statement, a line for each step. */
export async function plansOf(db: OpenDb, work: () => unknown): Promise<string> {
  const { allRaw, firstRaw } = db;
  const statements: Statement[] = [];
  const noting =
    <T>(run: (...statement: Statement) => T) =>
    (...statement: Statement): T => {
      statements.push(statement);
      return run.apply(db, statement);
    };
  Object.assign(db, { allRaw: noting(allRaw), firstRaw: noting(firstRaw) });
  try {
    await work();
  } finally {
    Object.assign(db, { allRaw, firstRaw });
  }
  return statements
    .flatMap(([sql, parameters]) =>
      db.allRaw<{ detail: string }>(`EXPLAIN QUERY PLAN ${sql}`, parameters),
    )
    .map(({ detail }) => detail)
    .join("\n");
}
