/** The machine is lost: all of it comes back from the store, but for who was erased. */
import { existsSync, readdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { DEFAULT_TIMES as TIMES } from "#app/catalogue.ts";
import { parseEnv } from "#app/core/env.server.ts";
import { readSentErasures } from "#app/jobs/off-site-copies.server.ts";
import { formatRupees } from "#app/model/money.ts";
import { type OpenDb, openDb } from "#db/connection.server.ts";
import type { TestApp } from "#tests/helpers/app.ts";
import { adminOf, bookAndPay } from "#tests/support/admin.ts";
import { ASHA, dayAhead, ROHAN } from "#tests/support/bookings.ts";
import { eventually } from "#tests/support/eventually.ts";
import { scratchFolder, sharedApp } from "#tests/support/hooks.ts";
import { offSiteEnv } from "#tests/support/off-site.ts";
import { runScript } from "#tests/support/run-script.ts";

/** What a business has, by the column that names a row. */
const KEYS = {
  appointment: "id",
  payment: "payment_id",
  refund: "id",
  document: "number",
  counselor: "key",
  package: "minutes",
} as const;
type Table = keyof typeof KEYS;
type Row = Record<string, unknown>;

const rowsOf = (db: OpenDb) =>
  Object.fromEntries(
    Object.keys(KEYS).map((table) => [table, db.allRaw<Row>(`SELECT * FROM ${table}`)]),
  ) as Record<Table, Row[]>;
const idsOf = (rows: Row[]) => new Set(rows.map(({ id }) => id as string));

/** Customers who book and pay at the same time, each booking at a time of its own. */
const CUSTOMERS = 3;

/** Books and pays until it is stopped. */
function startLoad(app: TestApp) {
  const paid: string[] = [];
  let isOn = true;
  let next = 0;
  const customer = async () => {
    while (isOn) {
      const n = next++;
      const [counselor, timeSlot] = [[ASHA, ROHAN][n % 2]!, TIMES[Math.floor(n / 100)]!];
      const date = dayAhead(30 + (Math.floor(n / 2) % 50));
      paid.push((await bookAndPay(app, { counselor, date, timeSlot })).id);
    }
  };
  const customers = Array.from({ length: CUSTOMERS }, customer);
  return {
    paid,
    async stop() {
      isOn = false;
      await Promise.all(customers);
    },
  };
}

describe("copies off the machine", () => {
  const app = sharedApp({ separateProcess: true });
  const elsewhere = scratchFolder();

  const stored = () => [...app.sandbox.s3.objects.keys()];
  const another = () => ({
    ...app.env,
    DATABASE_PATH: join(elsewhere, "data/bookings.db"),
    BACKUP_DIR: join(elsewhere, "data/backups"),
  });

  it("leave by themselves at the start, and bring the business back on an empty machine", async () => {
    await app.restart(offSiteEnv(app.sandbox));
    await eventually(() => expect(stored()).toHaveLength(1));
    const admin = await adminOf(app);
    const kept = await bookAndPay(app, { date: dayAhead(20), email: "kept@example.in" });
    const leaving = ["first@example.in", "second@example.in"];
    const gone = new Set<string>();
    for (const [n, email] of leaving.entries()) {
      const { id } = await bookAndPay(app, { date: dayAhead(21 + n), email });
      gone.add(id);
      await admin(`/appointments/${id}/cancel`, { method: "POST", json: {} });
      await eventually(async () => {
        const { data } = await admin(`/appointments/${id}`);
        expect(data.payments[0].refund.status).toBe("processed");
      });
    }

    const load = startLoad(app);
    await eventually(() => expect(load.paid.length).toBeGreaterThan(1));
    const paidBefore = [kept.id, ...load.paid];
    const backup = await runScript("backup.ts", [], app.env);
    const paidMeanwhile = load.paid.length + 1 - paidBefore.length;
    await load.stop();
    expect(backup.status, backup.output).toBe(0);
    expect(paidMeanwhile).toBeGreaterThan(0);
    const [path, name] = backup.output.trim().split("\n");
    expect(existsSync(path!)).toBe(true);
    expect(name).toMatch(/^s3:bookings-\d{8}T\d{6}Z\.db\.zst\.sealed$/);

    // Erased after the copy, one after the other: the list of them in the store grows.
    const { offSite } = parseEnv(app.env).env.backup;
    for (const [n, email] of leaving.entries()) {
      const { data } = await admin(`/customers?q=${encodeURIComponent(email)}`);
      await admin(`/customers/${data.customers[0].id}/erase`, { method: "POST", json: {} });
      await eventually(async () => expect(await readSentErasures(offSite!)).toHaveLength(n + 1));
    }
    expect(stored()).toContain("here/erasures.jsonl.sealed");
    const after = await bookAndPay(app, { date: dayAhead(23), email: "after@example.in" });
    await app.server!.stop();
    const live = rowsOf(app.db);

    const list = await runScript("backup.ts", ["--list"], another());
    expect(list.output).toContain(name);
    const rehearsal = await runScript("restore.ts", ["--rehearse", name!], another());
    expect(rehearsal.status, rehearsal.output).toBe(0);
    expect(readdirSync(join(elsewhere, "data"))).toEqual([]);

    const restored = await runScript("restore.ts", ["s3:latest"], another());
    expect(restored.status, restored.output).toBe(0);
    expect(restored.output).toContain(name!.slice("s3:".length));
    const db = openDb(another().DATABASE_PATH);
    const present = rowsOf(db);
    const customers = db.allRaw<{ email: string }>("SELECT email FROM customer");
    db.close();

    // The copy is one instant of the load: of each customer at most one booking was not paid yet.
    const isPending = ({ status }: Row) => status === "pending_payment";
    const pending = idsOf(present.appointment.filter(isPending));
    expect(pending.size).toBeLessThanOrEqual(CUSTOMERS);
    const paid = idsOf(present.appointment.filter((row) => !isPending(row)));
    expect([...paid]).toEqual(expect.arrayContaining(paidBefore));
    const captured = present.payment.filter((row) => row.captured_at !== null);
    const invoices = present.document.filter(({ kind }) => kind === "invoice");
    for (const rows of [captured, invoices]) {
      expect(rows.map((row) => row.appointment_id).sort()).toEqual([...paid].sort());
    }
    // Those on their way went on changing; a restore changes those that it erases again.
    for (const [table, key] of Object.entries(KEYS) as [Table, string][]) {
      const same = present[table].filter((row) => {
        const id = (table === "appointment" ? row.id : row.appointment_id) as string;
        return !pending.has(id) && !(table === "appointment" && gone.has(id));
      });
      const there = new Map(live[table].map((row) => [row[key], row]));
      expect(same.length, table).toBeGreaterThan(1);
      expect(same, table).toEqual(same.map((row) => there.get(row[key])));
    }
    for (const email of leaving) {
      expect(JSON.stringify(present)).not.toContain(email);
      expect(customers).not.toContainEqual({ email });
    }
    expect(customers).toContainEqual({ email: "kept@example.in" });
    const { length: count } = present.appointment;
    expect(rehearsal.output).toContain(`appointment: ${count} rows\n`);
    const together = formatRupees(paid.size * 117_900);
    expect(rehearsal.output).toContain(`invoice: ${paid.size}, together ${together}\n`);
    expect(rehearsal.output).toContain("credit note: 2, together ₹2,358\n");

    // What was paid since the copy is found at the provider.
    await app.restart({ ...another() });
    const again = await adminOf(app);
    const { data: detail } = await again(`/appointments/${kept.id}`);
    expect(detail.appointment.status).toBe("confirmed");
    const there = openDb(another().DATABASE_PATH);
    await eventually(() =>
      expect(there.allRaw("SELECT payment_id FROM payment")).toContainEqual({
        payment_id: after.paymentId,
      }),
    );
    there.close();
  });

  it("that cannot be sent leave the local one, with status 1", async () => {
    await app.server!.stop();
    app.sandbox.switches.set({ name: "s3_error", value: 403 });
    const run = await runScript("backup.ts", [], another());
    app.sandbox.switches.clear();
    expect(run.status).toBe(1);
    expect(run.output).toMatch(/backups\/bookings-.*\.db\n/);
    expect(run.output).toContain("No copy left the machine: The store could not");
    writeFileSync(join(elsewhere, "bad.db"), "no database");
    const bad = await runScript("restore.ts", ["--rehearse", join(elsewhere, "bad.db")], another());
    expect(bad.status).toBe(1);
    expect(bad.output).toContain("no whole backup");
  });
});
