/** Every row of a file as one text, to see that a refusal wrote nothing. */
import type { OpenDb } from "#db/connection.server.ts";

/** Tables that change by themselves. */
const ITS_OWN = ["setting", "admin_session"];

export function allRows(db: OpenDb): string {
  const tables = db.allRaw<{ name: string }>(
    "SELECT name FROM sqlite_master WHERE type = 'table' ORDER BY name",
  );
  return tables
    .filter(({ name }) => !ITS_OWN.includes(name))
    .map(({ name }) => `${name}\n${JSON.stringify(db.allRaw(`SELECT * FROM "${name}"`))}`)
    .join("\n");
}
