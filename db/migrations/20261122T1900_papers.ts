/**
 * What a document prints beyond its sums: its layout, the rate as such, the paisa rounded off, the
 * state that the customer gave, and how and when was paid. The sums now tie with the round-off;
 * SQLite cannot change a CHECK, so the table is made anew, row by row.
 */
import { type Kysely, sql } from "kysely";

const KEPT = `number, kind, series, financial_year, serial, on_date, issued_at, appointment_id,
  payment_id, refund_id, invoice_number, customer_name, state_code, description, minutes, sac,
  taxable_paise, cgst_paise, sgst_paise, igst_paise, total_paise, sample, supplier, customer_gstin,
  customer_address`;

/** All that a rebuild drops with the table, made again afterwards as it was. */
async function triggersAndIndexes(db: Kysely<unknown>): Promise<string[]> {
  const { rows } = await sql<{ sql: string }>`SELECT sql FROM sqlite_master
    WHERE tbl_name = 'document' AND type IN ('index', 'trigger') AND sql IS NOT NULL`.execute(db);
  return rows.map((row) => row.sql);
}

const anew = [
  `CREATE TABLE document_anew (
    number TEXT NOT NULL PRIMARY KEY CHECK (length(number) <= 16),
    kind TEXT NOT NULL CHECK (kind IN ('invoice', 'credit_note')),
    layout INTEGER NOT NULL DEFAULT 1,
    series TEXT NOT NULL,
    financial_year TEXT NOT NULL,
    serial INTEGER NOT NULL,
    on_date TEXT NOT NULL,
    issued_at INTEGER NOT NULL,
    appointment_id TEXT NOT NULL,
    payment_id TEXT NOT NULL,
    paid_method TEXT,
    paid_at INTEGER,
    refund_id TEXT UNIQUE,
    invoice_number TEXT REFERENCES document_anew (number),
    customer_name TEXT NOT NULL,
    customer_gstin TEXT,
    customer_address TEXT,
    customer_state_code TEXT CHECK (customer_state_code = state_code),
    state_code TEXT NOT NULL,
    description TEXT NOT NULL,
    minutes INTEGER NOT NULL,
    sac TEXT NOT NULL,
    gst_percent INTEGER NOT NULL DEFAULT 18,
    taxable_paise INTEGER NOT NULL,
    cgst_paise INTEGER NOT NULL,
    sgst_paise INTEGER NOT NULL,
    igst_paise INTEGER NOT NULL,
    round_off_paise INTEGER NOT NULL DEFAULT 0 CHECK (round_off_paise BETWEEN -1 AND 1),
    total_paise INTEGER NOT NULL,
    sample INTEGER NOT NULL CHECK (sample IN (0, 1)),
    supplier TEXT NOT NULL CHECK (json_valid(supplier)),
    UNIQUE (series, financial_year, serial),
    CHECK ((kind = 'credit_note') = (invoice_number IS NOT NULL)),
    CHECK ((kind = 'credit_note') = (refund_id IS NOT NULL)),
    CHECK (total_paise = taxable_paise + cgst_paise + sgst_paise + igst_paise + round_off_paise)
  ) STRICT`,
  // Where the place of supply is not the supplier's, somebody gave it.
  `INSERT INTO document_anew (${KEPT}, customer_state_code)
   SELECT ${KEPT}, iif(customer_gstin IS NOT NULL OR state_code <> supplier ->> 'state', state_code, NULL)
   FROM document ORDER BY rowid`,
  "DROP TABLE document",
  // With it goes the reference of a credit note to its invoice.
  "ALTER TABLE document_anew RENAME TO document",
];

export async function up(db: Kysely<unknown>): Promise<void> {
  const again = await triggersAndIndexes(db);
  for (const statement of [...anew, ...again]) await sql.raw(statement).execute(db);
}
