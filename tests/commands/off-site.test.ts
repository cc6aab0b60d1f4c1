/** The machine is lost: all of it comes back from the store, but for who was erased. */
import { existsSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { type OpenDb, openDb } from "#db/connection.server.ts";
import { startTestApp, type TestApp } from "#tests/helpers/app.ts";
import { adminOf, bookAndPay } from "#tests/support/admin.ts";
import { dayAhead } from "#tests/support/bookings.ts";
import { eventually } from "#tests/support/eventually.ts";
import { offSiteEnv } from "#tests/support/off-site.ts";
import { runScript } from "#tests/support/run-script.ts";

const TABLES = ["appointment", "payment", "refund", "document", "customer", "counselor", "package"];
/** What a restore changes on purpose, and what goes on changing by itself. */
const rowsOf = (db: OpenDb) =>
  Object.fromEntries(TABLES.map((table) => [table, db.allRaw(`SELECT * FROM ${table}`)]));

describe("copies off the machine", () => {
  let app: TestApp;
  const elsewhere = mkdtempSync(join(tmpdir(), "another-machine-"));
  beforeAll(async () => {
    app = await startTestApp({ separateProcess: true });
  });
  afterAll(async () => {
    await app.stop();
    rmSync(elsewhere, { recursive: true, force: true });
  });

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
    const gone = await bookAndPay(app, { date: dayAhead(21), email: "gone@example.in" });
    await admin(`/appointments/${gone.id}/cancel`, { method: "POST", json: {} });
    await eventually(async () => {
      const { data } = await admin(`/appointments/${gone.id}`);
      expect(data.payments[0].refund.status).toBe("processed");
    });

    let loading = true;
    const load = (async () => {
      while (loading) await app.api(`/api/slots?counselor=x&date=${dayAhead(3)}`);
    })();
    const backup = await runScript("backup.ts", [], app.env);
    loading = false;
    await load;
    expect(backup.status, backup.output).toBe(0);
    const [path, name] = backup.output.trim().split("\n");
    expect(existsSync(path!)).toBe(true);
    expect(name).toMatch(/^s3:bookings-\d{8}T\d{6}Z\.db\.zst\.sealed$/);
    const local = openDb(path!, { readonly: true });
    const before = rowsOf(local);
    local.close();

    // Erased after the copy: the list of it goes to the store.
    const { data } = await admin("/customers?q=gone%40example.in");
    await admin(`/customers/${data.customers[0].id}/erase`, { method: "POST", json: {} });
    await eventually(() => expect(stored()).toContain("here/erasures.jsonl.sealed"));
    const after = await bookAndPay(app, { date: dayAhead(22), email: "after@example.in" });
    await app.server!.stop();

    const list = await runScript("backup.ts", ["--list"], another());
    expect(list.output).toContain(name);
    const rehearsal = await runScript("restore.ts", ["--rehearse", name!], another());
    expect(rehearsal.status, rehearsal.output).toBe(0);
    expect(rehearsal.output).toMatch(/appointment: 2 rows/);
    expect(rehearsal.output).toMatch(/invoice: 2, together ₹2,358\n/);
    expect(rehearsal.output).toMatch(/credit note: 1, together ₹1,179\n/);
    expect(readdirSync(join(elsewhere, "data"))).toEqual([]);

    const restored = await runScript("restore.ts", [name!], another());
    expect(restored.status, restored.output).toBe(0);
    const db = openDb(another().DATABASE_PATH);
    const present = rowsOf(db);
    const isKept = (row: unknown) => !JSON.stringify(row).includes(gone.id);
    for (const table of ["payment", "refund", "document", "counselor", "package"]) {
      expect(present[table], table).toEqual(before[table]);
    }
    expect(present.appointment!.filter(isKept)).toEqual(before.appointment!.filter(isKept));
    expect(JSON.stringify(present.appointment)).not.toContain("gone@example.in");
    expect(present.customer).toEqual([expect.objectContaining({ email: "kept@example.in" })]);
    db.close();

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

  it("are refused with a sentence, and nothing is replaced", async () => {
    await app.server!.stop();
    const before = readdirSync(join(elsewhere, "data"));
    const refused = async (env: Record<string, string | undefined>, what = "s3:latest") => {
      const run = await runScript("restore.ts", [what], { ...another(), ...env });
      expect(run.status).toBe(1);
      return run.output;
    };
    const otherKey = { BACKUP_ENCRYPTION_KEY: Buffer.alloc(32, 9).toString("base64") };
    expect(await refused(otherKey)).toMatch(/under another key\. Nothing was changed/);
    expect(await refused({}, "s3:none")).toMatch(/no copy none\. Nothing was changed/);
    expect(await refused({ BACKUP_S3_SECRET_ACCESS_KEY: "x" })).toContain("403");
    for (const [key, bytes] of app.sandbox.s3.objects) {
      if (key.includes("bookings")) app.sandbox.s3.objects.set(key, bytes.subarray(0, -1));
    }
    expect(await refused({})).toMatch(/cut short.*Nothing was changed/);
    expect(await refused({ BACKUP_S3_BUCKET: "" })).toContain("not all set");
    expect(readdirSync(join(elsewhere, "data"))).toEqual(before);
  });

  it("that stay behind leave the local one, with status 1", async () => {
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
