/** A ledger from before: every document is there afterwards, as hard to change as it was. */
import { Kysely, SqliteDialect } from "kysely";
import { Migrator } from "kysely/migration";
import { afterAll, beforeAll, expect, it } from "vitest";
import { migrate, type OpenDb, openDb } from "#db/connection.server.ts";
import { migrations } from "./index.ts";

const NAME = "20261122T1900_papers";
const NEW_COLUMNS = {
  ...{ layout: 1, paid_method: null, paid_at: null, gst_percent: 18, round_off_paise: 0 },
};

let db: OpenDb;
let before: object[];
let schemaBefore: unknown[];

const rows = () => db.allRaw<object>("SELECT rowid, * FROM document ORDER BY rowid");
const schema = () =>
  db.allRaw(
    `SELECT type, name, sql FROM sqlite_master
     WHERE tbl_name = 'document' AND type <> 'table' ORDER BY name`,
  );

function insert(number: string, changes: Record<string, string | number> = {}): void {
  const row = {
    ...{
      number,
      kind: "invoice",
      series: number.slice(0, 2),
      financial_year: "26-27",
      issued_at: 7,
    },
    ...{
      serial: Number(number.slice(-1)),
      on_date: "2026-11-20",
      appointment_id: "a",
      minutes: 30,
    },
    ...{ payment_id: `pay_${number}`, customer_name: "n", state_code: "29", description: "d" },
    ...{ sac: "999299", sample: 0, taxable_paise: 99_900, cgst_paise: 9_000, sgst_paise: 9_000 },
    ...{ igst_paise: 0, total_paise: 117_900, supplier: "{}", ...changes },
  };
  const columns = Object.keys(row);
  const places = columns.map(() => "?");
  db.runRaw(`INSERT INTO document (${columns}) VALUES (${places})`, Object.values(row));
}

const creditOf = (invoice: string, refund: string) => ({
  ...{ kind: "credit_note", invoice_number: invoice, refund_id: refund },
});

beforeAll(async () => {
  db = openDb(":memory:");
  const older = Object.entries(migrations).filter(([name]) => name < NAME);
  const migrator = new Migrator({
    db: new Kysely({ dialect: new SqliteDialect({ database: db.driver }) }),
    provider: { getMigrations: async () => Object.fromEntries(older) },
  });
  expect((await migrator.migrateToLatest()).error).toBeUndefined();
  insert("AC/1");
  insert("AC/2", { customer_gstin: "29AAPFU0939F1ZR", customer_address: "14 Residency Road" });
  insert("AC/3", { state_code: "27", supplier: '{"state":"29"}' });
  insert("CN/1", creditOf("AC/1", "r1"));
  before = rows();
  schemaBefore = schema();
  expect(await migrate(db)).toContain(NAME);
});
afterAll(() => db.close());

it("keeps every row, index and trigger", () => {
  const given = [null, "29", "27", null];
  expect(rows()).toEqual(
    before.map((row, i) => ({ ...row, ...NEW_COLUMNS, customer_state_code: given[i] })),
  );
  expect(schema()).toEqual(schemaBefore);
  expect(db.allRaw("PRAGMA integrity_check")).toEqual([{ integrity_check: "ok" }]);
  expect(db.allRaw("PRAGMA foreign_key_check")).toEqual([]);
});

it("lets no row be changed or removed, and no credit note name an invoice that is none", () => {
  expect(() => db.runRaw("UPDATE document SET layout = 2")).toThrow("not changed");
  expect(() => db.runRaw("DELETE FROM document")).toThrow("not changed");
  expect(() => insert("CN/2", creditOf("AC/9", "r2"))).toThrow("FOREIGN KEY");
});

it("takes sums that tie with the round-off, of a paisa, and the state of the place of supply", () => {
  const rupee = { taxable_paise: 85, cgst_paise: 7, sgst_paise: 7, total_paise: 100 };
  const refused: Record<string, string | number>[] = [
    rupee,
    { ...rupee, taxable_paise: 84, round_off_paise: 2 },
    { customer_state_code: "27" },
  ];
  for (const changes of refused) {
    expect(() => insert("CN/2", { ...creditOf("AC/2", "r2"), ...changes })).toThrow("CHECK");
  }
  insert("CN/2", {
    ...{ ...creditOf("AC/2", "r2"), ...rupee, round_off_paise: 1, customer_state_code: "29" },
  });
});
