/** A file of each former release: brought to the newest schema it is whole, and the app serves it. */
import { join } from "node:path";
import { beforeAll, describe, expect, it } from "vitest";
import { renderPdf } from "#app/documents/render/pdf.ts";
import { DAY } from "#app/model/dates.ts";
import { requireIntact } from "#db/backup.server.ts";
import { type Db, migrate, openDb } from "#db/connection.server.ts";
import { listDocumentsOf } from "#db/queries/documents.server.ts";
import { isOptedOut } from "#db/queries/message-leases.server.ts";
import { startTestApp } from "#tests/helpers/app.ts";
import { adminOf } from "#tests/support/admin.ts";
import { scratchFolder } from "#tests/support/hooks.ts";
import { isDerived, openRelease, RELEASES, schemaOf, tablesOf } from "#tests/support/releases.ts";

const folder = scratchFolder();
let newest: string;
beforeAll(async () => {
  const db = openDb(":memory:");
  await migrate(db);
  newest = schemaOf(db);
  db.close();
});

type Row = Record<string, unknown>;

/**
 * Columns that migrations change on purpose: a number that asked for no messages is hashed, a refund
 * has a way in place of its origin, disputes have rows of their own, bookings by staff have no notice
 * that nobody read out. Their own tests hold what becomes of them.
 */
const CHANGED: Record<string, string[]> = {
  appointment: ["notice_version", "notice_at"],
  opt_out: ["phone"],
  refund: ["origin"],
  payment: ["dispute_state"],
};

function rowsOf(db: Db): Record<string, Row[]> {
  const own = tablesOf(db).filter((table) => !isDerived(table));
  return Object.fromEntries(own.map((table) => [table, db.allRaw<Row>(`SELECT * FROM ${table}`)]));
}

/** Each row of before that is not found again, by its columns of before. */
function lost(before: Record<string, Row[]>, after: Record<string, Row[]>): string[] {
  return Object.entries(before).flatMap(([table, rows]) => {
    const changed = CHANGED[table] ?? [];
    return rows.flatMap((row) => {
      const columns = Object.keys(row).filter((column) => !changed.includes(column));
      const isSame = (other: Row) => columns.every((column) => other[column] === row[column]);
      return (after[table] ?? []).some(isSame) ? [] : `${table}: ${JSON.stringify(row)}`;
    });
  });
}

describe("a file of", () => {
  it("each former release is kept", () => {
    expect(RELEASES.length).toBeGreaterThanOrEqual(8);
  });

  it.each(RELEASES)(
    "%s is whole at the newest schema, with every row, and is served",
    async (name) => {
      const path = join(folder, `${name}.db`);
      const db = await openRelease(name, path);
      const before = rowsOf(db);
      expect(before.appointment!.length).toBeGreaterThanOrEqual(4);
      expect(before.document!.length).toBeGreaterThanOrEqual(3);
      await migrate(db);
      requireIntact(db);
      expect(schemaOf(db)).toBe(newest);
      expect(lost(before, rowsOf(db))).toEqual([]);
      // A number that asked for no messages before STOP and START had an instant still gets none.
      for (const { phone } of before.opt_out!) {
        if (phone) expect(isOptedOut(db, String(phone))).toBe(true);
      }
      for (const search of ["appointment_search", "activity_search"]) {
        db.runRaw(`INSERT INTO ${search} (${search}) VALUES ('integrity-check')`);
      }
      const counted = db.firstRaw<{ n: number }>("SELECT sum(sessions) AS n FROM customer")!.n;
      expect(counted).toBe(before.appointment!.length);
      // Drawn here, for each app would load all that draws anew.
      const ids = new Set(before.document!.map((row) => String(row.appointment_id)));
      const documents = [...ids].flatMap((id) => listDocumentsOf(db, id));
      expect(documents).toHaveLength(before.document!.length);
      expect((await renderPdf(documents)).toString("latin1", 0, 5)).toBe("%PDF-");
      const made = Math.max(...before.appointment!.map((row) => Number(row.updated_at)));
      db.close();

      const app = await startTestApp({ env: { DATABASE_PATH: path }, now: () => made + DAY });
      const { token } = await adminOf(app);
      const list = await app.api("/api/admin/appointments", { token });
      expect(list.data.stats.totalAppointments).toBe(before.appointment!.length);
      const answers = ["/admin", "/admin/activity?q=asha", "/admin/documents", "/admin/customers"];
      for (const { id } of before.appointment!) {
        answers.push(`/booking/${id}`, `/api/admin/appointments/${id}`);
      }
      const statuses = await Promise.all(
        answers.map(async (address) => [address, (await app.api(address, { token })).status]),
      );
      await app.stop();
      expect(statuses).toEqual(answers.map((address) => [address, 200]));
    },
  );
});
