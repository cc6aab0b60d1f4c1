/** All rows of a file, to see that a refusal wrote nothing, or that nothing is left of somebody. */
import type { OpenDb } from "#db/connection.server.ts";

/** Tables that change by themselves. */
const ITS_OWN = ["setting", "admin_session"];

/** As one text. */
export function allRows(db: OpenDb): string {
  const tables = db.allRaw<{ name: string }>(
    "SELECT name FROM sqlite_master WHERE type = 'table' ORDER BY name",
  );
  return tables
    .filter(({ name }) => !ITS_OWN.includes(name))
    .map(({ name }) => `${name}\n${JSON.stringify(db.allRaw(`SELECT * FROM "${name}"`))}`)
    .join("\n");
}

/** The tables in which a word stands, in capitals or not; an index only repeats its table. */
export function tablesWith(db: OpenDb, word: string): string[] {
  const tables = db.allRaw<{ name: string }>(
    "SELECT name FROM sqlite_master WHERE type = 'table' AND sql NOT LIKE '%VIRTUAL%' ORDER BY rowid",
  );
  const rowsOf = (name: string) => JSON.stringify(db.allRaw(`SELECT * FROM "${name}"`));
  return tables
    .map(({ name }) => name)
    .filter((name) => rowsOf(name).toLowerCase().includes(word.toLowerCase()));
}
