/**
 * Copies are made while people book, the machine is lost, and all of it comes back, from the store on
 * an empty machine and from the folder in its place; but for who was erased.
 */
import { readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as pause } from "node:timers/promises";
import { expect, it } from "vitest";
import { DEFAULT_TIMES as TIMES } from "#app/catalogue.ts";
import { parseEnv } from "#app/core/env.server.ts";
import { readSentErasures } from "#app/jobs/off-site-copies.server.ts";
import { formatRupees } from "#app/model/money.ts";
import { type OpenDb, openDb } from "#db/connection.server.ts";
import type { TestApp } from "#tests/helpers/app.ts";
import { adminOf, bookAndPay, callsAs } from "#tests/support/admin.ts";
import { dayAhead, ROHAN } from "#tests/support/bookings.ts";
import { eventually } from "#tests/support/eventually.ts";
import { scratchFolder, sharedApp } from "#tests/support/hooks.ts";
import { offSiteEnv } from "#tests/support/off-site.ts";
import { runScript as run } from "#tests/support/run-script.ts";

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
const isPending = ({ status }: Row) => status === "pending_payment";
const numbersOf = (db: OpenDb) =>
  db.allRaw<{ number: string }>("SELECT number FROM document").map(({ number }) => number);

/** Customers who book and pay at the same time, each booking at a time of its own. */
const CUSTOMERS = 2;

/** Books and pays until it is stopped, with a pause after each: it is a matter of being under way. */
function startLoad(app: TestApp) {
  const paid: string[] = [];
  let isOn = true;
  let next = 0;
  const customer = async () => {
    while (isOn) {
      const n = next++;
      const time = { date: dayAhead(30 + (n % 50)), timeSlot: TIMES[Math.floor(n / 50)]! };
      paid.push((await bookAndPay(app, { counselor: ROHAN, ...time })).id);
      await pause(200);
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

const app = sharedApp({ separateProcess: true, env: offSiteEnv });
const elsewhere = scratchFolder();
const stored = () => [...app.sandbox.s3.objects.keys()];
const another = () => ({
  ...app.env,
  DATABASE_PATH: join(elsewhere, "data/bookings.db"),
  BACKUP_DIR: join(elsewhere, "data/backups"),
});

it("loses nothing that was in the backup, and finds the money that came after it", async () => {
  // Copies leave by themselves at the start.
  await eventually(() => expect(stored()).toHaveLength(1));
  const admin = await adminOf(app);
  app.db.runRaw(`UPDATE owner_settings SET saved = '{"brand":"Wings"}', version = 7`);
  const kept = await bookAndPay(app, { date: dayAhead(20), email: "kept@example.in" });
  const leaving = ["first@example.in", "second@example.in"];
  const gone = new Set<string>();
  for (const [n, email] of leaving.entries()) {
    const { id } = await bookAndPay(app, { date: dayAhead(21 + n), email });
    gone.add(id);
    await admin(`/appointments/${id}/cancel`, { method: "POST", json: {} });
  }
  await eventually(() =>
    expect(app.db.allRaw("SELECT 1 FROM refund WHERE state = 'processed'")).toHaveLength(2),
  );

  const load = startLoad(app);
  await eventually(() => expect(load.paid.length).toBeGreaterThan(1));
  const paidBefore = [kept.id, ...load.paid];
  const backup = await run("backup.ts", [], app.env);
  const paidMeanwhile = load.paid.length + 1 - paidBefore.length;
  await load.stop();
  expect(backup.status, backup.output).toBe(0);
  expect(paidMeanwhile).toBeGreaterThan(0);
  const [path, name] = backup.output.trim().split("\n") as [string, string];
  expect(path).toMatch(/\/bookings-\d{8}T\d{6}Z(-\d+)?\.db$/);
  expect(name).toMatch(/^s3:bookings-\d{8}T\d{6}Z\.db\.zst\.sealed$/);
  const { text: account } = await app.api("/admin/account", { token: admin.token });
  expect(account).toMatch(
    /On the server: the last good copy is of .*(AM|PM) IST, [\d.]+ MB, made in [\d.]+ s/,
  );

  // Erased after the copy, one after the other: the list of them in the store grows.
  const { offSite } = parseEnv(app.env).env.backup;
  for (const [n, email] of leaving.entries()) {
    const { data } = await admin(`/customers?q=${encodeURIComponent(email)}`);
    await admin(`/customers/${data.customers[0].id}/erase`, { method: "POST", json: {} });
    await eventually(async () => expect(await readSentErasures(offSite!)).toHaveLength(n + 1));
  }
  const after = await bookAndPay(app, { date: dayAhead(23), email: "after@example.in" });
  const whileRunning = await run("restore.ts", [path], app.env);
  expect(whileRunning.status).not.toBe(0);
  expect(whileRunning.output).toContain("Stop it first");
  await app.server!.stop();
  const live = rowsOf(app.db);
  const given = numbersOf(app.db);
  expect(live.appointment).toContainEqual(expect.objectContaining({ id: after.id }));

  const list = await run("backup.ts", ["--list"], another());
  expect(list.output).toContain(name);
  const rehearsal = await run("restore.ts", ["--rehearse", name], another());
  expect(rehearsal.status, rehearsal.output).toBe(0);
  expect(rehearsal.output).toContain("The list of erasures holds 2.\n");
  expect(readdirSync(join(elsewhere, "data"))).toEqual([]);

  const restored = await run("restore.ts", ["s3:latest"], another());
  expect(restored.status, restored.output).toBe(0);
  expect(restored.output).toContain(name.slice("s3:".length));
  const db = openDb(another().DATABASE_PATH);
  const present = rowsOf(db);
  const customers = db.allRaw<{ email: string }>("SELECT email FROM customer");
  expect(db.firstRaw("SELECT count(*) AS n FROM admin_session")).toEqual({ n: 0 });

  // The copy is one instant of the load: of each customer at most one booking was not paid yet.
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

  // Our own connection would count as the app's.
  app.db.close();
  const inPlace = await run("restore.ts", [path], app.env);
  expect(inPlace.status, inPlace.output).toBe(0);
  expect(inPlace.output).toContain("What stood there is kept as ");

  // What was paid since the copy is found at the provider, and no number is given twice.
  await app.restart({ ...another() });
  const again = await callsAs(app);
  expect((await app.api("/")).text).toContain("<title>Wings: ");
  const { data: detail } = await again(`/appointments/${kept.id}`);
  expect(detail.appointment.status).toBe("confirmed");
  await eventually(() =>
    expect(
      db.allRaw("SELECT payment_id, amount_paise FROM payment WHERE outcome = 'unmatched'"),
    ).toContainEqual({ payment_id: after.paymentId, amount_paise: 117_900 }),
  );
  await bookAndPay(app, { date: dayAhead(24) });
  const number = numbersOf(db).find((one) => /^AC[A-Z]{2}\/\d\d-\d\d\/00001$/.test(one))!;
  expect(number.length).toBeLessThanOrEqual(16);
  expect(given).not.toContain(number);
  db.close();
});

it("a copy that cannot be sent leaves the local one, and what is no copy is refused", async () => {
  await app.server!.stop();
  app.sandbox.switches.set({ name: "s3_error", value: 403 });
  const unsent = await run("backup.ts", [], another());
  app.sandbox.switches.clear();
  expect(unsent.status).toBe(1);
  expect(unsent.output).toMatch(/backups\/bookings-.*\.db\n/);
  expect(unsent.output).toContain("No copy left the machine: The store could not");
  const bad = join(elsewhere, "bad.db");
  writeFileSync(bad, "no database");
  const damaged = await run("backup.ts", [], { ...another(), DATABASE_PATH: bad });
  expect([damaged.status, damaged.output]).toEqual([
    1,
    "The backup failed: file is not a database\n",
  ]);
  const present = readFileSync(another().DATABASE_PATH);
  const refused = await run("restore.ts", [bad], another());
  expect(refused.status).toBe(1);
  expect(refused.output).toMatch(/no whole backup.* Nothing was changed\./);
  const folder = await run("restore.ts", [elsewhere], another());
  expect(folder.output).toMatch(/^\S+: EISDIR: .* Nothing was changed\.\n$/);
  expect(readFileSync(another().DATABASE_PATH).equals(present)).toBe(true);
});
