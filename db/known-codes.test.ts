/** The schema that refuses codes it does not know, on a new file and on one that holds some. */
import { Kysely, SqliteDialect } from "kysely";
import { Migrator } from "kysely/migration";
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { PLACES } from "#app/model/gstin.ts";
import { migrations } from "#db/migrations/index.ts";
import { addRow } from "#tests/support/stored-rows.ts";
import { migrate, type OpenDb, openDb } from "./connection.server.ts";

const BEFORE = "20261120T1800_list_tally";
const DAY = { counselor_key: "k", on_date: "2027-01-01" };

let db: OpenDb;

/** A file for these tests, each of whose changes is taken back. */
function onFile(make: () => Promise<unknown>): void {
  beforeAll(async () => {
    db = openDb(":memory:");
    await make();
  });
  afterAll(() => db.close());
  beforeEach(() => void db.driver.exec("BEGIN"));
  afterEach(() => void db.driver.exec("ROLLBACK"));
}

async function migrateTo(name: string): Promise<void> {
  const dialect = new SqliteDialect({ database: db.driver });
  const provider = { getMigrations: async () => migrations };
  const { error } = await new Migrator({ db: new Kysely({ dialect }), provider }).migrateTo(name);
  if (error) throw error;
}

let serial = 0;

function insert(table: string, row: Record<string, string | number | null>): void {
  const columns = Object.keys(row);
  const places = columns.map(() => "?");
  db.runRaw(`INSERT INTO ${table} (${columns}) VALUES (${places})`, Object.values(row));
}

const appointment = (changes: Record<string, string | null> = {}) =>
  addRow(db, "appointment", `a${++serial}`, changes);

function document(changes: Record<string, string | null> = {}): string {
  const number = `AC/26-27/${String(++serial).padStart(5, "0")}`;
  insert("document", {
    number,
    kind: "invoice",
    series: "AC",
    financial_year: "26-27",
    serial,
    issued_at: 0,
    on_date: "2026-11-20",
    appointment_id: "a",
    payment_id: `pay_${serial}`,
    minutes: 30,
    customer_name: "n",
    state_code: "29",
    description: "d",
    sac: "999299",
    sample: 0,
    taxable_paise: 1,
    cgst_paise: 0,
    sgst_paise: 0,
    igst_paise: 0,
    total_paise: 1,
    supplier: "{}",
    ...changes,
  });
  return number;
}

const availability = (changes: Record<string, string>) =>
  insert("availability", { ...DAY, time_slots: "[]", updated_at: 0, ...changes });
const block = (changes: Record<string, string>) =>
  insert("block", { ...DAY, time_slot: "10:00", created_at: 0, ...changes });

describe("a new file", () => {
  onFile(() => migrate(db));

  it("takes every state of the list and none", () => {
    for (const [code] of PLACES) {
      appointment({ state_code: code });
      document({ state_code: code });
    }
    appointment({ state_code: null });
  });

  it.each([
    ["state_code", "__proto__", "toString", "", "1", "25", "29 ", "2９", "29\u0000", "ZZ"],
    ["on_date", "__proto__", "", "2027-02-30", "2027-1-01", "now", "2027-01-01 ", "2461000.5"],
    ["time_slot", "__proto__", "", "24:00", "9:00", "10:0", "10:00:00", "now", "10:00 "],
  ])("takes no unknown %s, wherever one stands", (column, ...values) => {
    const makers: Record<string, ((changes: Record<string, string>) => unknown)[]> = {
      state_code: [appointment, document],
      on_date: [appointment, document, availability, block],
      time_slot: [
        appointment,
        block,
        ({ time_slot }) => availability({ time_slots: JSON.stringify(["09:00", time_slot]) }),
      ],
    };
    const id = appointment();
    const sql = `UPDATE appointment SET ${column} = ? WHERE id = ?`;
    for (const value of values) {
      for (const make of makers[column]!) {
        expect(() => make({ [column]: value }), value).toThrow("not a known value");
      }
      expect(() => db.runRaw(sql, [value, id]), value).toThrow("not a known value");
    }
  });

  it("takes a list of times and nothing else as a day's times", () => {
    const wrong = ['{"a":"10:00"}', '"10:00"', "null", "[10]", "[null]", '[["10:00"]]'];
    for (const time_slots of wrong) expect(() => availability({ time_slots })).toThrow();
    availability({ time_slots: '["08:00","20:30"]' });
  });
});

describe("a file that holds codes nobody knows", () => {
  let id: string;
  let number: string;
  onFile(async () => {
    await migrateTo(BEFORE);
    id = appointment({ state_code: "__proto__", on_date: "soon", time_slot: "late" });
    number = document({ state_code: "__proto__", on_date: "soon" });
    availability({ on_date: "soon", time_slots: '{"a":1}' });
    await migrate(db);
  });

  it("is brought to the newest schema with its rows as they are", () => {
    const rows = db.allRaw("SELECT state_code, on_date, time_slot FROM appointment");
    expect(rows).toEqual([{ state_code: "__proto__", on_date: "soon", time_slot: "late" }]);
    expect(db.allRaw("SELECT number, state_code FROM document")).toEqual([
      { number, state_code: "__proto__" },
    ]);
    expect(db.driver.pragma("integrity_check", { simple: true })).toBe("ok");
    expect(db.driver.pragma("foreign_key_check")).toEqual([]);
  });

  it("still lets such a row be changed, set right and removed", () => {
    const update = (set: string) => db.runRaw(`UPDATE appointment SET ${set} WHERE id = ?`, [id]);
    update("status = 'cancelled', name = 'x'");
    expect(() => update("state_code = 'constructor'")).toThrow("not a known value");
    update("state_code = '27', on_date = '2027-01-02', time_slot = '11:00'");
    db.runRaw("DELETE FROM appointment");
    db.runRaw("DELETE FROM availability");
  });

  it("still credits such an invoice, with its own state and no other", () => {
    const note = { kind: "credit_note", invoice_number: number };
    const credit = (state_code: string) =>
      document({ ...note, refund_id: `r${serial}`, state_code });
    credit("__proto__");
    expect(() => credit("constructor")).toThrow("not a known value");
  });
});
