/** The sample database of `npm start`: made by real operations, paid in the sandbox's ledger. */
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { readSlots } from "#app/availability/read-slots.server.ts";
import { COUNSELORS, PACKAGES } from "#app/catalogue.ts";
import { type Env, parseEnv } from "#app/core/env.server.ts";
import { addDays, dateInIndia } from "#app/model/dates.ts";
import { migrate, type OpenDb, openDb } from "#db/connection.server.ts";
import { type Sandbox, startSandbox } from "#scripts/sandbox/sandbox.ts";
import { seedDemo } from "#scripts/seed/demo.server.ts";
import { testEnvironment } from "#tests/helpers/environment.ts";

let sandbox: Sandbox;
let env: Env;
beforeAll(async () => {
  sandbox = await startSandbox();
  env = parseEnv({ ...testEnvironment(0, ":memory:", sandbox), RATE_LIMIT: "on" }).env;
});
afterAll(() => sandbox.close());

const now = Date.now();

async function seeded(pay?: (orderId: string) => Promise<string>): Promise<OpenDb> {
  const db = openDb(":memory:");
  await migrate(db);
  await seedDemo({ db, env, pay, now });
  return db;
}

// biome-ignore lint/suspicious/noExplicitAny: a test asserts what it reads.
const all = (db: OpenDb, sql: string) => db.allRaw<any>(sql);
const values = (db: OpenDb, column: string) =>
  all(db, `SELECT DISTINCT ${column} AS v FROM appointment ORDER BY v`).map((row) => row.v);

describe("seedDemo", () => {
  it("shows every status and package, and keeps the ledger and the sandbox at one", async () => {
    const db = await seeded(async (orderId) => {
      const paid = sandbox.pay(orderId, { outcome: "captured", webhooks: false });
      return paid.razorpay_payment_id;
    });
    expect(values(db, "status")).toEqual([
      "cancelled",
      "confirmed",
      "pending_payment",
      "rescheduled",
    ]);
    expect(values(db, "minutes")).toEqual(PACKAGES.map(({ minutes }) => minutes));
    expect(values(db, "counselor_key")).toEqual(COUNSELORS.map(({ key }) => key));
    for (const { name } of all(db, "SELECT name FROM appointment")) {
      expect(name).toMatch(/^Sample Student \d\d$/);
    }
    const [kept] = all(db, "SELECT sum(kept_paise) AS paise FROM appointment");
    const payments = [...sandbox.ledger.payments.values()];
    const inSandbox = payments.reduce((sum, one) => sum + one.amount - one.amount_refunded, 0);
    expect(kept.paise).toBe(inSandbox);
    expect(all(db, "SELECT 1 FROM document WHERE kind = 'invoice'")).toHaveLength(payments.length);
    expect(all(db, "SELECT DISTINCT state FROM refund")).toEqual([{ state: "processed" }]);
    expect(all(db, "SELECT DISTINCT state FROM message")).toEqual([{ state: "sent" }]);
    const invoices = "SELECT on_date FROM document WHERE kind = 'invoice'";
    const dates = all(db, `${invoices} ORDER BY financial_year, serial`);
    const paidLater = "date((paid_at + 19800000) / 1000, 'unixepoch') > on_date";
    expect(all(db, `SELECT number FROM document WHERE ${paidLater}`)).toEqual([]);
    expect(dates).toEqual(dates.toSorted((a, b) => a.on_date.localeCompare(b.on_date)));
    expect(all(db, "SELECT max(created_at) AS at FROM appointment")[0].at).toBeLessThan(now);

    const today = dateInIndia(now);
    expect(all(db, `SELECT 1 FROM appointment WHERE on_date = '${today}'`)).toHaveLength(2);
    for (const { key } of COUNSELORS) {
      const date = addDays(today, 1);
      const { availableSlots } = readSlots(
        { db, env, now: () => now },
        { counselorKey: key, date },
      );
      expect(availableSlots.length, key).toBeGreaterThanOrEqual(4);
    }
    db.close();
  });

  it("leaves everything unpaid without the sandbox, and asks the provider nothing", async () => {
    const orders = sandbox.ledger.orders.size;
    const db = await seeded();
    expect(values(db, "status")).toEqual(["cancelled", "pending_payment"]);
    expect(all(db, "SELECT 1 FROM payment_order")).toEqual([]);
    expect(sandbox.ledger.orders.size).toBe(orders);
    db.close();
  });
});
