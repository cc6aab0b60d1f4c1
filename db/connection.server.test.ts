import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import fc from "fast-check";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { MINUTE } from "#app/model/dates.ts";
import { ledgerRow } from "#tests/support/ledger-rows.ts";
import { addRow } from "#tests/support/stored-rows.ts";
import { migrate, type OpenDb, openDb } from "./connection.server.ts";
import { insertDocument } from "./queries/documents.server.ts";

const folder = mkdtempSync(join(tmpdir(), "sessions-db-"));
const path = join(folder, "test.db");
let db: OpenDb;
beforeAll(async () => {
  db = openDb(path);
  await migrate(db);
});
afterAll(() => {
  db.close();
  rmSync(folder, { recursive: true });
});

const ORIGIN = Date.UTC(2027, 0, 1);

function insertTime(to: OpenDb, id: string, starts_at: number, minutes: number): boolean {
  const ends_at = starts_at + minutes * MINUTE;
  addRow(to, "appointment", id, { starts_at, ends_at, minutes });
  try {
    addRow(to, "session_time", id, { starts_at, ends_at });
    return true;
  } catch (error) {
    expect(String(error)).toContain("slot_taken");
    return false;
  }
}

describe("the schema", () => {
  it("admits no two overlapping sessions of one counselor, whatever is tried", () => {
    let serial = 0;
    fc.assert(
      fc.property(
        fc.array(fc.tuple(fc.integer({ min: 0, max: 60 }), fc.constantFrom(30, 45, 60)), {
          maxLength: 40,
        }),
        (steps) => {
          db.runRaw("DELETE FROM session_time");
          const kept: [number, number][] = [];
          for (const [step, minutes] of steps) {
            serial += 1;
            const start = ORIGIN + step * 15 * MINUTE;
            const end = start + minutes * MINUTE;
            const clash = kept.some(([s, e]) => start < e && s < end);
            expect(insertTime(db, `p${serial}`, start, minutes)).toBe(!clash);
            if (!clash) kept.push([start, end]);
          }
        },
      ),
      { numRuns: 60 },
    );
  });

  it("refuses to move a session onto another", () => {
    db.runRaw("DELETE FROM session_time");
    insertTime(db, "m1", ORIGIN, 60);
    insertTime(db, "m2", ORIGIN + 60 * MINUTE, 60);
    expect(() =>
      db.runRaw("UPDATE session_time SET starts_at = ?, ends_at = ? WHERE appointment_id = 'm2'", [
        ORIGIN + 30 * MINUTE,
        ORIGIN + 90 * MINUTE,
      ]),
    ).toThrow("slot_taken");
  });

  it("lets no document be changed or removed, and no number come twice", () => {
    const insert = (number: string, paymentId: string) =>
      insertDocument(db, ledgerRow({ number, paymentId }));
    insert("AC/26-27/00001", "pay_1");
    expect(() => insert("AC/26-27/00001", "pay_2")).toThrow(/UNIQUE/);
    expect(() => insert("AC/26-27/0001", "pay_3")).toThrow(/UNIQUE/);
    expect(() => db.runRaw("UPDATE document SET total_paise = 2, taxable_paise = 2")).toThrow(
      "not changed",
    );
    expect(() => db.runRaw("DELETE FROM document")).toThrow("not changed");
  });
});

it("says of a file of a newer release that it is one, and leaves it alone", async () => {
  const newer = openDb(join(folder, "newer.db"));
  await migrate(newer);
  newer.runRaw("INSERT INTO kysely_migration VALUES ('20990101T0000_later', '')");
  await expect(migrate(newer)).rejects.toThrow("was written by a newer release");
  newer.close();
});

it("does not answer for a file whose pages cannot be read", async () => {
  const torn = join(folder, "torn.db");
  const made = openDb(torn);
  await migrate(made);
  made.close();
  const again = openDb(torn);
  // All but the first page, after it was opened: nothing of the tables is in its cache yet.
  writeFileSync(torn, readFileSync(torn).fill(0, 4_096));
  expect(() => again.ping()).toThrow(/malformed|not a database/);
  again.close();
});
