/** The schema that refuses codes it does not know, on a new file and on one that holds some. */
import { Kysely, SqliteDialect } from "kysely";
import { Migrator } from "kysely/migration";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { GST_STATE_OPTIONS } from "#app/model/gstin.ts";
import { migrations } from "#db/migrations/index.ts";
import { migrate, type OpenDb, openDb } from "./connection.server.ts";

const HOSTILE = [
  "__proto__",
  "constructor",
  "toString",
  "",
  "1",
  "25",
  "29 ",
  "2９",
  "29\u0000",
  "ZZ",
];
const BEFORE = "20261120T1800_list_tally";

let db: OpenDb;
beforeEach(() => {
  db = openDb(":memory:");
});
afterEach(() => db.close());

async function migrateTo(name: string): Promise<void> {
  const dialect = new SqliteDialect({ database: db.driver });
  const migrator = new Migrator({
    db: new Kysely({ dialect }),
    provider: { getMigrations: async () => migrations },
  });
  const { error } = await migrator.migrateTo(name);
  if (error) throw error;
}

let serial = 0;

function insert(table: string, row: Record<string, string | number | null>): void {
  const columns = Object.keys(row);
  db.runRaw(
    `INSERT INTO ${table} (${columns}) VALUES (${columns.map(() => "?")})`,
    Object.values(row),
  );
}

function appointment(changes: Record<string, string | null> = {}): string {
  const id = `a${++serial}`;
  insert("appointment", {
    ...{ id, name: "n", email: "e", phone: "p", counselor_key: "k", counselor_name: "K" },
    ...{ on_date: "2027-01-01", time_slot: "10:00", minutes: 30, starts_at: 0, ends_at: 1_800_000 },
    ...{ base_paise: 1, gst_paise: 0, total_paise: 1, status: "confirmed", calendar_uid: id },
    ...{ notice_version: "v", notice_at: 0, created_at: 0, updated_at: 0 },
    ...changes,
  });
  return id;
}

function document(changes: Record<string, string | null> = {}): string {
  const number = `AC/26-27/${String(++serial).padStart(5, "0")}`;
  insert("document", {
    ...{ number, kind: "invoice", series: "AC", financial_year: "26-27", serial, issued_at: 0 },
    ...{ on_date: "2026-11-20", appointment_id: "a", payment_id: `pay_${serial}`, minutes: 30 },
    ...{ customer_name: "n", state_code: "29", description: "d", sac: "999299", sample: 0 },
    ...{ taxable_paise: 1, cgst_paise: 0, sgst_paise: 0, igst_paise: 0, total_paise: 1 },
    ...{ supplier: "{}", ...changes },
  });
  return number;
}

describe("a new file", () => {
  beforeEach(() => migrate(db));

  it("takes every state of the list and none", () => {
    for (const [code] of GST_STATE_OPTIONS) {
      appointment({ state_code: code });
      document({ state_code: code });
    }
    appointment({ state_code: null });
  });

  it.each(HOSTILE)("takes no state %j, in the booking and in the ledger", (state_code) => {
    expect(() => appointment({ state_code })).toThrow("not a known value");
    expect(() => document({ state_code })).toThrow("not a known value");
    const id = appointment({ state_code: "29" });
    expect(() =>
      db.runRaw("UPDATE appointment SET state_code = ? WHERE id = ?", [state_code, id]),
    ).toThrow("not a known value");
  });

  it.each(["__proto__", "", "2027-02-30", "2027-1-01", "now", "2027-01-01 ", "2461000.5"])(
    "takes no date %j",
    (on_date) => {
      const refusal = "not a known value";
      expect(() => appointment({ on_date })).toThrow(refusal);
      expect(() => document({ on_date })).toThrow(refusal);
      const slots = { counselor_key: "k", on_date };
      expect(() => insert("availability", { ...slots, time_slots: "[]", updated_at: 0 })).toThrow(
        refusal,
      );
      expect(() => insert("block", { ...slots, time_slot: "10:00", created_at: 0 })).toThrow(
        refusal,
      );
    },
  );

  it.each(["__proto__", "", "24:00", "9:00", "10:0", "10:00:00", "now", "10:00 "])(
    "takes no time %j",
    (time_slot) => {
      expect(() => appointment({ time_slot })).toThrow("not a known value");
      const day = { counselor_key: "k", on_date: "2027-01-01" };
      expect(() => insert("block", { ...day, time_slot, created_at: 0 })).toThrow(
        "not a known value",
      );
      const time_slots = JSON.stringify(["09:00", time_slot]);
      expect(() => insert("availability", { ...day, time_slots, updated_at: 0 })).toThrow(
        "not a known value",
      );
    },
  );

  it("takes a list of times and nothing else as a day's times", () => {
    const day = { counselor_key: "k", on_date: "2027-01-01", updated_at: 0 };
    for (const time_slots of [
      '{"a":"10:00"}',
      '"10:00"',
      "null",
      "[10]",
      "[null]",
      '[["10:00"]]',
    ]) {
      expect(() => insert("availability", { ...day, time_slots }), time_slots).toThrow();
    }
    insert("availability", { ...day, time_slots: '["08:00","20:30"]' });
  });
});

describe("a file that holds codes nobody knows", () => {
  let id: string;
  let number: string;
  beforeEach(async () => {
    await migrateTo(BEFORE);
    id = appointment({ state_code: "__proto__", on_date: "soon", time_slot: "late" });
    number = document({ state_code: "__proto__", on_date: "soon" });
    insert("availability", {
      ...{ counselor_key: "k", on_date: "soon", time_slots: '{"a":1}', updated_at: 0 },
    });
  });

  it("is brought to the newest schema with its rows as they are", async () => {
    await migrate(db);
    const rows = db.allRaw("SELECT state_code, on_date, time_slot FROM appointment");
    expect(rows).toEqual([{ state_code: "__proto__", on_date: "soon", time_slot: "late" }]);
    expect(db.allRaw("SELECT number, state_code FROM document")).toEqual([
      { number, state_code: "__proto__" },
    ]);
    expect(db.driver.pragma("integrity_check", { simple: true })).toBe("ok");
    expect(db.driver.pragma("foreign_key_check")).toEqual([]);
  });

  it("still lets such a row be changed, set right and removed", async () => {
    await migrate(db);
    const update = (set: string) => db.runRaw(`UPDATE appointment SET ${set} WHERE id = ?`, [id]);
    update("status = 'cancelled', name = 'x'");
    expect(() => update("state_code = 'constructor'")).toThrow("not a known value");
    update("state_code = '27', on_date = '2027-01-02', time_slot = '11:00'");
    db.runRaw("DELETE FROM appointment");
    db.runRaw("DELETE FROM availability");
  });

  it("still credits such an invoice, with its own state and no other", async () => {
    await migrate(db);
    const credit = (state_code: string) =>
      document({
        kind: "credit_note",
        invoice_number: number,
        refund_id: `r${serial}`,
        state_code,
      });
    credit("__proto__");
    expect(() => credit("constructor")).toThrow("not a known value");
  });
});
