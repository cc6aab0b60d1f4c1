/**
 * Columns of a closed set take no other text, and dates and times have their shape. By triggers: a
 * table cannot be given a CHECK, and rows written before stay as they are. Sets that grow with the
 * program (reasons, kinds of messages, actions) are left to it.
 */
import { type Kysely, sql } from "kysely";

const noState = `NEW.state_code NOT IN ('01', '02', '03', '04', '05', '06', '07', '08', '09', '10',
  '11', '12', '13', '14', '15', '16', '17', '18', '19', '20', '21', '22', '23', '24', '26', '27',
  '29', '30', '31', '32', '33', '34', '35', '36', '37', '38', '97')`;
/** A credit note repeats its invoice, also one written before. */
const noStateOfItsInvoice = `${noState} AND NEW.state_code IS NOT
  (SELECT state_code FROM document WHERE number = NEW.invoice_number)`;
const noDate = "date(NEW.on_date) IS NOT NEW.on_date";
const noTime = "strftime('%H:%M', NEW.time_slot) IS NOT NEW.time_slot";
const noTimes = `json_type(NEW.time_slots) <> 'array' OR EXISTS (SELECT 1
  FROM json_each(NEW.time_slots) WHERE type <> 'text' OR strftime('%H:%M', value) IS NOT value)`;

/** Table, column, and what is wrong with a new value. */
const refused = [
  ["appointment", "state_code", noState],
  ["appointment", "on_date", noDate],
  ["appointment", "time_slot", noTime],
  ["availability", "on_date", noDate],
  ["availability", "time_slots", noTimes],
  ["block", "on_date", noDate],
  ["block", "time_slot", noTime],
  ["document", "state_code", noStateOfItsInvoice],
  ["document", "on_date", noDate],
] as const;

const statements = refused.flatMap(([table, column, wrong]) =>
  ["INSERT", `UPDATE OF ${column}`].map(
    (event, i) => `CREATE TRIGGER ${table}_${column}_is_known_${i} BEFORE ${event} ON ${table}
      WHEN ${wrong} BEGIN SELECT RAISE(ABORT, 'not a known value: ${table}.${column}'); END`,
  ),
);

export async function up(db: Kysely<unknown>): Promise<void> {
  for (const statement of statements) await sql.raw(statement).execute(db);
}
