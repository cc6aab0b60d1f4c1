/**
 * Empties what is held about a person, everywhere but in the ledger and in the opt-outs. By address:
 * whoever has it is the customer. Money stays, its refunds under way go on.
 */
import { createHash } from "node:crypto";
import { sql } from "kysely";
import { z } from "zod";
import { storedJson } from "#app/model/stored-json.ts";
import { COUNT, type Db, sqlite } from "#db/connection.server.ts";
import { eraseActivityNaming } from "./activity.server.ts";
import { isEmail, updateAppointment } from "./appointments.server.ts";
import { CONTACT_KEY_SETTING, contactHasher } from "./contact-hash.server.ts";
import { readSetting } from "./documents.server.ts";
import { deleteMessagesTo } from "./messages.server.ts";
import { erasePayer } from "./payments.server.ts";
import { eraseAppointment } from "./retention.server.ts";

/** Somebody was erased; nobody is known by it without the key. */
export const erasureSchema = z.object({
  /** Names the key of the hashes. */
  key: z.string(),
  email: z.string(),
  phones: z.array(z.string()),
  /** Milliseconds UTC: what came later stays. */
  at: z.number(),
});

export type Erasure = z.infer<typeof erasureSchema>;

interface Person {
  /** Null where only numbers are known. */
  email: string | null;
  phones: readonly string[];
}

/** Erases an address and writes it into the list of erasures. */
export function eraseCustomer(tx: Db, email: string, now: number): void {
  const phones = erasePerson(tx, { email, phones: [] }, now, now);
  const hash = contactHasher(tx);
  insertErasure(tx, { email: hash(email), phones: phones.map(hash), at: now });
}

/** What came until an instant. Answers the phone numbers that no booking has any more. */
function erasePerson(tx: Db, { email, phones }: Person, until: number, now: number): string[] {
  const bookings = sqlite.selectFrom("appointment").select(["id", "phone", "status", "ends_at"]);
  const own = bookings.where(isEmail(email ?? "")).where("created_at", "<=", until);
  const rows = email ? tx.all(own) : [];
  for (const { id, status, ends_at } of rows) {
    // Late money must not confirm a session of nobody.
    const isOpen = status !== "cancelled" && ends_at > until;
    if (isOpen) updateAppointment(tx, id, now, { status: "cancelled", cancelReason: "by_admin" });
    eraseAppointment(tx, id, now);
  }
  const all = new Set([...phones, ...rows.map(({ phone }) => phone)].filter(Boolean));
  const free = [...all].filter((phone) => !isBooked(tx, phone));
  for (const contact of email ? [email, ...free] : free) {
    deleteMessagesTo(tx, contact, until, contact === email ? "of any booking" : "of no booking");
    erasePayer(tx, contact, until);
    eraseActivityNaming(tx, contact, until);
    const answers = sqlite.deleteFrom("idempotency").where("created_at", "<=", until);
    tx.run(answers.where(sql<boolean>`instr(lower(response), lower(${contact}))`));
  }
  return free;
}

/** A number may be another customer's too. */
function isBooked(tx: Db, phone: string): boolean {
  return tx.has(sqlite.selectFrom("appointment").select("id").where("phone", "=", phone));
}

function insertErasure(tx: Db, { email, phones, at }: Omit<Erasure, "key">): void {
  const row = { email_hash: email, phone_hashes: JSON.stringify(phones), at };
  tx.run(sqlite.insertInto("erasure").orIgnore().values(row));
}

export function countErasures(db: Db): number {
  return db.first(sqlite.selectFrom("erasure").select(COUNT))!.count;
}

/** Oldest first. */
export function listErasures(db: Db): Erasure[] {
  const key = keyName(db);
  const rows = db.all(sqlite.selectFrom("erasure").selectAll().orderBy("at").orderBy("email_hash"));
  return rows.map(({ email_hash: email, phone_hashes, at }) => {
    const phones = storedJson("erasure", phone_hashes, z.array(z.string()), []);
    return { key, email, phones, at };
  });
}

function keyName(db: Db): string {
  const key = readSetting(db, CONTACT_KEY_SETTING) ?? "";
  return createHash("sha256").update(key).digest("hex").slice(0, 8);
}

/**
 * Does erasures again in a file that may be from before them. `repeated` are all that it could look
 * for; of `unknown` ones the key is lost.
 */
export function repeatErasures(
  tx: Db,
  erasures: readonly Erasure[],
  now: number,
): { repeated: number; unknown: number } {
  const key = keyName(tx);
  const ours = erasures.filter((one) => one.key === key);
  const emails = byHash(
    tx,
    `SELECT email AS contact FROM customer
     UNION SELECT lower(payer_email) FROM payment WHERE payer_email IS NOT NULL
     UNION SELECT lower(recipient) FROM message WHERE channel = 'email' AND audience = 'customer'`,
  );
  const numbers = byHash(
    tx,
    `SELECT payer_phone AS contact FROM payment WHERE payer_phone IS NOT NULL
     UNION SELECT recipient FROM message WHERE channel = 'whatsapp'`,
  );
  for (const { email, phones, at } of ours) {
    const known = phones.flatMap((hash) => numbers.get(hash) ?? []);
    erasePerson(tx, { email: emails.get(email) ?? null, phones: known }, at, now);
    insertErasure(tx, { email, phones, at });
  }
  return { repeated: ours.length, unknown: erasures.length - ours.length };
}

/** By hand: a union of the places where contacts stand. */
function byHash(tx: Db, contacts: string): Map<string, string> {
  const hash = contactHasher(tx);
  const rows = tx.allRaw<{ contact: string }>(contacts);
  return new Map(rows.map(({ contact }) => [hash(contact), contact]));
}
