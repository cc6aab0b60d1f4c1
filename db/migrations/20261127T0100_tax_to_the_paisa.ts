/**
 * Documents whose tax is to the paisa have a round-off of up to half a rupee, and print how the
 * payment is found at the bank and the country of a customer abroad. SQLite cannot change a CHECK,
 * so the table is made anew, row by row. Payments keep whether the provider calls them
 * international, and the provider's settlements are kept line by line. A booking says who of staff
 * read out the notice, and whether the customer agrees to WhatsApp: staff's before had asked neither.
 */
import { type Kysely, sql } from "kysely";

const FORMER_CHECK = "CHECK (round_off_paise BETWEEN -1 AND 1)";
const PRESENT_CHECK = "CHECK (round_off_paise BETWEEN -60 AND 60)";

export async function up(db: Kysely<unknown>): Promise<void> {
  const { rows } = await sql<{ type: string; sql: string }>`SELECT type, sql FROM sqlite_master
    WHERE tbl_name = 'document' AND sql IS NOT NULL`.execute(db);
  const table = rows.find(({ type }) => type === "table")?.sql ?? "";
  if (!table.includes(FORMER_CHECK)) throw new Error("the ledger's table is not as it was made");
  const anew = table
    .replace(/^CREATE TABLE "?document"?/, "CREATE TABLE document_anew")
    .replace(/REFERENCES "?document"?/, "REFERENCES document_anew")
    .replace(FORMER_CHECK, PRESENT_CHECK);
  const statements = [
    anew,
    "INSERT INTO document_anew SELECT * FROM document ORDER BY rowid",
    "DROP TABLE document",
    // With it goes the reference of a credit note to its invoice.
    "ALTER TABLE document_anew RENAME TO document",
    ...rows.filter(({ type }) => type !== "table").map((row) => row.sql),
    "ALTER TABLE document ADD COLUMN paid_reference TEXT",
    "ALTER TABLE document ADD COLUMN customer_country TEXT",
    "ALTER TABLE payment ADD COLUMN international INTEGER CHECK (international IN (0, 1))",
    "CREATE INDEX payment_captured ON payment (captured_at) WHERE order_id IS NOT NULL",
    "ALTER TABLE appointment ADD COLUMN country TEXT",
    ...["version TEXT", "at INTEGER"].flatMap((column) => {
      const [name] = column.split(" ");
      return [
        `ALTER TABLE appointment RENAME COLUMN notice_${name} TO former_${name}`,
        `ALTER TABLE appointment ADD COLUMN notice_${column}`,
        `UPDATE appointment SET notice_${name} = former_${name} WHERE source = 'visitor'`,
        `ALTER TABLE appointment DROP COLUMN former_${name}`,
      ];
    }),
    "ALTER TABLE appointment ADD COLUMN notice_by TEXT",
    `ALTER TABLE appointment ADD COLUMN whatsapp INTEGER NOT NULL DEFAULT 1
      CHECK (whatsapp IN (0, 1))`,
    "UPDATE appointment SET whatsapp = 0 WHERE source = 'staff'",
    `CREATE TABLE settlement_line (
      settlement_id TEXT NOT NULL,
      entity_id TEXT NOT NULL,
      kind TEXT NOT NULL,
      payment_id TEXT,
      credit_paise INTEGER NOT NULL,
      debit_paise INTEGER NOT NULL,
      fee_paise INTEGER NOT NULL,
      fee_tax_paise INTEGER NOT NULL,
      utr TEXT,
      settled_at INTEGER NOT NULL,
      description TEXT,
      PRIMARY KEY (settlement_id, entity_id)
    ) STRICT, WITHOUT ROWID`,
    "CREATE INDEX settlement_line_of_entity ON settlement_line (entity_id)",
    "CREATE INDEX settlement_line_by_time ON settlement_line (settled_at)",
  ];
  for (const statement of statements) await sql.raw(statement).execute(db);
  await knowAbroad(db);
}

/** The state may be 96, outside India. */
async function knowAbroad(db: Kysely<unknown>): Promise<void> {
  const { rows } = await sql<{ name: string; sql: string }>`SELECT name, sql FROM sqlite_master
    WHERE type = 'trigger' AND name GLOB '*_state_code_is_known_?'`.execute(db);
  for (const trigger of rows) {
    await sql.raw(`DROP TRIGGER ${trigger.name}`).execute(db);
    await sql.raw(trigger.sql.replace("'97')", "'96', '97')")).execute(db);
  }
}
