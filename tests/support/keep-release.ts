/**
 * `npx node tests/support/keep-release.ts FILE > tests/fixtures/releases/DATE-NAME.sql`: keeps a
 * release's schema and some of the rows that its sample data made. Only for files of made-up people.
 */
import { openDb } from "#db/connection.server.ts";
import { hashOf, isDerived, schemaOf, tablesOf } from "./releases.ts";

type Value = string | number | null | Buffer;

const db = openDb(process.argv[2]!, { readonly: true });
const { name } = db.firstRaw<{ name: string }>("SELECT max(name) AS name FROM kysely_migration")!;
console.log(`-- ${name} ${hashOf(schemaOf(db))}`);
/** The first of each state, with and without money that went back. */
const kept = db.allRaw<{ id: string }>(
  `SELECT min(a.id) AS id FROM appointment a
   GROUP BY status, EXISTS (SELECT 1 FROM refund r WHERE r.appointment_id = a.id)`,
);
const ids = kept.map(({ id }) => id);
for (const table of tablesOf(db).filter((one) => !isDerived(one))) {
  // Without generated columns, which cannot be written.
  const columns = db.allRaw<{ name: string }>(`PRAGMA table_info("${table}")`);
  const names = columns.map(({ name }) => `"${name}"`).join();
  for (const row of db.allRaw<Record<string, Value>>(`SELECT ${names} FROM "${table}"`)) {
    const about = table === "appointment" ? row.id : row.appointment_id;
    if (about && !ids.includes(String(about))) continue;
    if ("password_hash" in row) row.password_hash = "x";
    const values = Object.values(row).map(literal).join(", ");
    console.log(`INSERT INTO ${table} (${Object.keys(row).join(", ")}) VALUES (${values});`);
  }
}
db.close();

function literal(value: Value): string {
  if (value === null || typeof value === "number") return String(value);
  if (Buffer.isBuffer(value)) return `x'${value.toString("hex")}'`;
  return `'${value.replaceAll("'", "''")}'`;
}
