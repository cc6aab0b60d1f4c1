/** Erasing a customer, looked for byte by byte: in the file, its log, copies made later, the app's log. */
import { copyFileSync, existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { beforeAll, describe, expect, it } from "vitest";
import { makeBackup } from "#db/backup.server.ts";
import { readErasureList } from "#db/erasure-list.server.ts";
import { isOptedOut, setOptOut } from "#db/queries/message-leases.server.ts";
import { findGuardian, saveAnswers } from "#db/queries/preparation.server.ts";
import { restoreBackup } from "#db/restore.server.ts";
import { bookAndPay } from "#tests/support/admin.ts";
import { allSent } from "#tests/support/all-sent.ts";
import { bookingBody, dayAhead } from "#tests/support/bookings.ts";
import { makeDeps } from "#tests/support/deps.ts";
import { eventually } from "#tests/support/eventually.ts";
import { scratchFolder, sharedAdmin, sharedApp } from "#tests/support/hooks.ts";
import { quickCopies } from "#tests/support/quick-threads.ts";

const PERSON = {
  name: "Zyqua Xobvuk ЖЩЫ",
  email: "Zyqua.Xobvuk@Example.in",
  phone: "9811177733",
  notes: "Can a jwqzk fly?",
};
/** As the searches keep it, in letters that no neighbour begins with; the ledger prints capitals. */
const TRIGRAM = "жщы";
const WRONG = "zyqua.xobvuck@example.in";
const PHONE = "+919811177733";
/** Nothing of these may be left; of the name only what the ledger prints. */
const SAID = [
  ...[PERSON.email, WRONG, "9811177733", "jwqzk", "dvojqx", "vwaqj"],
  ...["Kvyzzub", "gqotmother", "wzxyclub"],
];
const STUDENT = { name: "Kvyzzub Ab", under18: true, relation: "gqotmother" };

quickCopies();
const scratch = scratchFolder();
const app = sharedApp({
  separateProcess: true,
  env: { LOG_LEVEL: "debug", BACKUP_DIR: join(scratch, "kept") },
});
const admin = sharedAdmin(app);
let before: string;
let customerId: string;
let ids: string[];
let refundsBefore: unknown[];

const refunds = () => app.db.allRaw("SELECT id, amount_paise, payment_id FROM refund");
const customers = async (q: string) =>
  (await admin(`/customers?${new URLSearchParams({ q })}`)).data.customers;
const copy = async (folder: string) =>
  (await makeBackup(app.db, { folder: join(scratch, folder), keep: 9, now: Date.now() })).path;

beforeAll(async () => {
  const paid = await bookAndPay(app, {
    ...PERSON,
    email: WRONG,
    date: dayAhead(21),
    ...({ student: STUDENT } as object),
  });
  const { token } = findGuardian(app.db, paid.id)!;
  await app.api(`/guardian/${token}`, { form: { relation: "gqotmother", agree: "on" } });
  expect(findGuardian(app.db, paid.id)!.confirmedAt).not.toBeNull();
  saveAnswers(app.db, paid.id, [{ id: "a", label: "Tried?", answer: "The wzxyclub" }], 1);
  await admin(`/appointments/${paid.id}`, { method: "PATCH", json: { email: PERSON.email } });
  const note = { method: "PATCH", json: { staffNote: "Wears a dvojqx" } };
  await admin(`/appointments/${paid.id}`, note);
  const part = { json: { amount: 100, reason: "For the vwaqj" } };
  await admin(`/appointments/${paid.id}/refund`, part);
  const unpaid = await app.api("/api/appointments", {
    json: bookingBody({ ...PERSON, date: dayAhead(22) }),
    headers: { "Idempotency-Key": "of-this-browser" },
  });
  ids = [paid.id, unpaid.data.id];
  await app.api("/find-booking", { form: { email: PERSON.email } });
  app.db.runRaw(
    `INSERT INTO payment (payment_id, amount_paise, currency, provider_status, outcome, payer_email,
       payer_phone, created_at, updated_at)
     VALUES ('pay_loose', 1, 'INR', 'captured', 'unmatched', lower(?), ?, 1, 1)`,
    [PERSON.email, PHONE],
  );
  setOptOut(app.db, PHONE, true, 1);
  // What was theirs first says so in its log, its messages and its stored answer.
  const { data: other } = await app.api("/api/appointments", {
    json: bookingBody({ ...PERSON, name: "Somebody Else", notes: "", date: dayAhead(23) }),
    headers: { "Idempotency-Key": "of-that-browser" },
  });
  const contact = { email: "somebody@example.in", phone: "9822200011" };
  await admin(`/appointments/${other.id}`, { method: "PATCH", json: contact });
  await allSent(app);
  [customerId] = (await customers(PERSON.email)).map(({ id }: { id: string }) => id);
});

/** What of these texts stands anywhere in a file or its write-ahead log, upper or lower case. */
function found(path: string, texts: readonly string[]): string[] {
  const bytes = [path, `${path}-wal`]
    .filter(existsSync)
    .map((file) => readFileSync(file, "latin1"));
  const all = bytes.join("").toLowerCase();
  return texts.filter((text) => all.includes(text.toLowerCase()));
}

function count(path: string, text: string): number {
  return readFileSync(path, "latin1").split(Buffer.from(text).toString("latin1")).length - 1;
}

describe("a customer with a session to come", () => {
  it("is not erased, and the answer says what to do first", async () => {
    const refused = await admin(`/customers/${customerId}/erase`, { method: "POST" });
    expect([refused.status, refused.code]).toEqual([409, "in_use"]);
    expect(refused.message).toContain("cancel it first");
    expect(await customers(PERSON.email)).toMatchObject([{ sessions: 2, paid: 1 }]);
    for (const id of ids) await admin(`/appointments/${id}/cancel`, { json: {} });
    await app.sandbox.idle();
    await allSent(app);
  });

  it("nor while money of theirs that no booking claims is here", async () => {
    const refused = await admin(`/customers/${customerId}/erase`, { method: "POST" });
    expect([refused.status, refused.code]).toEqual([409, "in_use"]);
    expect(refused.message).toContain("send it back");
    const { html } = await admin.page(`/admin/customers/${customerId}/erase`);
    expect(html).toContain("Money came from their email address or phone number without a booking");
    expect(html).not.toContain("Erase Permanently");
    expect(html).toContain(
      "the payment’s ID and reference, and name, GSTIN and address as printed",
    );
    app.db.runRaw("UPDATE payment SET taken_back_paise = 1 WHERE payment_id = 'pay_loose'");
  });
});

describe("an erased customer", () => {
  it("is gone, again and again", async () => {
    before = await copy("before");
    refundsBefore = refunds();
    // The texts are where they are looked for, or nothing that follows says anything.
    expect(found(before, SAID)).toEqual(SAID);
    expect(count(before, TRIGRAM)).toBeGreaterThan(0);
    const tries = `UPDATE message SET state = 'retrying', next_try_at = ?, lease_until = NULL
      WHERE appointment_id = ? AND kind LIKE '%_cancelled'`;
    expect(app.db.runRaw(tries, [Date.now() + 1_000, ids[0]])).toBeGreaterThan(1);
    const sentBefore = app.sandbox.mailbox.list({ to: PERSON.email }).length;
    const erased = await admin(`/customers/${customerId}/erase`, { method: "POST" });
    expect([erased.status, erased.data]).toEqual([200, { id: customerId }]);
    // What was due is sent before it is emptied.
    await allSent(app);
    expect(app.sandbox.mailbox.list({ to: PERSON.email })).toHaveLength(sentBefore + 1);
    expect(app.db.allRaw("SELECT 1 FROM message WHERE audience = 'customer'")).toHaveLength(0);
    for (const method of ["GET", "POST"]) {
      const path = `/customers/${customerId}${method === "GET" ? "" : "/erase"}`;
      expect((await admin(path, { method })).status).toBe(404);
    }
    expect(await customers("Xobvuk")).toEqual([]);
  });

  it("leaves no byte in the file, its log or a copy made later; the name only in the ledger", async () => {
    const path = app.env.DATABASE_PATH!;
    app.db.driver.pragma("wal_checkpoint(TRUNCATE)");
    const later = await copy("later");
    const ledger = app.db.allRaw("SELECT 1 FROM document WHERE customer_name = ?", [PERSON.name]);
    expect(ledger.length).toBeGreaterThan(1);
    for (const file of [path, later]) {
      expect(found(file, SAID)).toEqual([]);
      expect(count(file, PERSON.name)).toBe(ledger.length);
      expect(count(file, "Xobvuk")).toBe(ledger.length);
      expect(count(file, TRIGRAM)).toBe(0);
    }
  });

  it("is named to staff alone: the booking's page shows no papers, and their links end", async () => {
    const page = await app.api(`/booking/${ids[0]}`);
    expect(page.status).toBe(200);
    expect(page.html).not.toMatch(/Xobvuk|Billed to|Download/);
    for (const path of ["invoice", "credit-note"].map((kind) => `/api/${kind}/${ids[0]}`)) {
      const [stranger, staff] = [await app.api(path), await app.api(path, { token: admin.token })];
      expect([stranger.status, stranger.code]).toEqual([404, "not_found"]);
      expect(staff.headers.get("content-type")).toBe("application/pdf");
    }
  });

  it("stands in no line of the app's log", () => {
    const output = app.server!.output().toLowerCase();
    expect(output).toContain("/api/admin/customers/:id/erase");
    expect([...SAID, "xobvuk"].filter((text) => output.includes(text.toLowerCase()))).toEqual([]);
  });

  it("keeps the money, what goes back, that no messages are wanted, and who erased", async () => {
    expect(refunds()).toEqual(refundsBefore);
    expect(isOptedOut(app.db, PHONE)).toBe(true);
    const { data } = await admin("/activity-logs?q=customer_erase");
    expect(data.logs).toMatchObject([{ action: "customer_erase", actor: "admin" }]);
    expect(data.logs[0].target).toBe(customerId);
    const { data: list } = await admin("/appointments");
    expect(list.stats.totalAppointments).toBe(3);
  });

  it("comes back with no older copy: by the list beside the copies, or by the replaced file", async () => {
    const folder = app.env.BACKUP_DIR!;
    await eventually(() => expect(readErasureList(folder)).toHaveLength(1));
    const byList = join(scratch, "by-list.db");
    const done = await restoreBackup(before, byList, Date.now(), folder);
    expect(done.erasures).toEqual({ repeated: 1, unknown: 0 });
    const replaced = join(scratch, "replaced.db");
    const current = await copy("current");
    copyFileSync(current, replaced);
    expect((await restoreBackup(before, replaced, Date.now())).erasures.repeated).toBe(1);
    for (const file of [byList, replaced]) {
      expect([...found(file, SAID), count(file, TRIGRAM)]).toEqual([0]);
      // The credit notes of the cancelled session came before the copy too.
      expect(count(file, "Xobvuk")).toBe(count(current, "Xobvuk"));
    }
  });

  it("cannot be erased again where the key of the list is lost, and that is said", async () => {
    const stranger = await makeDeps();
    const target = join(scratch, "stranger.db");
    const folder = join(scratch, "strange");
    const { path } = await makeBackup(stranger.deps.db, { folder, keep: 1, now: Date.now() });
    stranger.close();
    const { erasures } = await restoreBackup(path, target, Date.now(), app.env.BACKUP_DIR);
    expect(erasures).toEqual({ repeated: 0, unknown: 1 });
  });
});
