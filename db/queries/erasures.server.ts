/**
 * Erases the data of a person, found by e-mail address, everywhere except in the ledger and the
 * opt-outs, and deletes bookings; both are repeated after a restore. Payments stay, and refunds under
 * way continue.
 */
import { createHash } from "node:crypto";
import { sql } from "kysely";
import { z } from "zod";
import type { Appointment } from "#app/model/appointment.ts";
import { storedJson } from "#app/model/stored-json.ts";
import { COUNT, type Db, sqlite } from "#db/connection.server.ts";
import { eraseActivityNaming } from "./activity.server.ts";
import { findAppointment, isEmail } from "./appointments.server.ts";
import { deleteMessagesTo } from "./messages.server.ts";
import { erasePayer } from "./payments.server.ts";
import {
  type Due,
  deleteMailedLinks,
  eraseAppointment,
  removeAppointment,
} from "./retention.server.ts";
import { CONTACT_KEY_SETTING, contactHasher, readSetting } from "./settings.server.ts";

/** A record of an erasure, or of a booking's deletion. Without the key it identifies nobody. */
export const erasureSchema = z.object({
  /** Names the key of the hashes. */
  key: z.string(),
  /** Of a deleted booking the hash of its id. */
  email: z.string(),
  phones: z.array(z.string()),
  /** Hashes of booking ids: in a backup they may have an address that was corrected later. */
  bookings: z.array(z.string()).default([]),
  /** Later data is not erased. */
  at: z.number(),
});

export type Erasure = z.infer<typeof erasureSchema>;

const hashes = z.array(z.string());

interface Person {
  email: string | null;
  phones: readonly string[];
  /** Ids of bookings that were theirs under any address. */
  bookings: readonly string[];
}

/** Erases an address and writes it into the list of erasures. */
export function eraseCustomer(tx: Db, email: string, now: number): void {
  const person = { email, phones: [], bookings: [] };
  const { phones, bookings } = erasePerson(tx, person, now, now, "sent first");
  const hash = contactHasher(tx);
  const hashes = { email: hash(email), phones: phones.map(hash), bookings: bookings.map(hash) };
  insertErasure(tx, { ...hashes, at: now });
}

/** Deletes a booking and writes it into the list of erasures, its id in the place of the address. */
export function deleteForGood(tx: Db, appointment: Appointment, now: number): void {
  removeAppointment(tx, appointment, now);
  const email = contactHasher(tx)(appointment.id);
  insertErasure(tx, { email, phones: [], bookings: [], at: now });
}

/** Erases data until an instant. Returns the bookings, and the phone numbers that no booking has now. */
function erasePerson(
  tx: Db,
  { email, phones, bookings }: Person,
  until: number,
  now: number,
  due: Due,
) {
  const isTheirs = email ? isEmail(email) : sql<boolean>`false`;
  const rows = tx.all(
    sqlite
      .selectFrom("appointment")
      .select(["id", "phone"])
      .where((eb) => eb.or([isTheirs, eb("id", "in", bookings)]))
      .where("created_at", "<=", until),
  );
  const ids = rows.map(({ id }) => id);
  for (const id of ids) eraseAppointment(tx, id, now, until, due);
  deleteMailedLinks(tx, ids);
  const all = new Set([...phones, ...rows.map(({ phone }) => phone)].filter(Boolean));
  const free = [...all].filter((phone) => !isBooked(tx, phone));
  for (const contact of email ? [email, ...free] : free) {
    deleteMessagesTo(tx, contact, until, due === "sent first" ? "but outliving" : "of any booking");
    erasePayer(tx, contact, until);
    eraseActivityNaming(tx, contact, until);
  }
  return { phones: free, bookings: ids };
}

/** Another customer may have the same number. */
function isBooked(tx: Db, phone: string): boolean {
  return tx.has(sqlite.selectFrom("appointment").select("id").where("phone", "=", phone));
}

function insertErasure(tx: Db, { email, phones, bookings, at }: Omit<Erasure, "key">): void {
  const hashes = { phone_hashes: JSON.stringify(phones), booking_hashes: JSON.stringify(bookings) };
  const row = { email_hash: email, ...hashes, at };
  tx.run(sqlite.insertInto("erasure").orIgnore().values(row));
}

/** Whether the person was erased at the instant or later. */
export function wasErased(
  db: Db,
  { email, phone }: { email: string | null; phone: string | null },
  since: number,
): boolean {
  const hash = contactHasher(db);
  const isPhone = sql<boolean>`${hash(phone ?? "")} IN (SELECT value FROM json_each(phone_hashes))`;
  const later = sqlite.selectFrom("erasure").select("at").where("at", ">=", since);
  return db.has(later.where((eb) => eb.or([eb("email_hash", "=", hash(email ?? "")), isPhone])));
}

export function countErasures(db: Db): number {
  return db.first(sqlite.selectFrom("erasure").select(COUNT))!.count;
}

/** Oldest first. */
export function listErasures(db: Db): Erasure[] {
  const key = keyName(db);
  const rows = db.all(sqlite.selectFrom("erasure").selectAll().orderBy("at").orderBy("email_hash"));
  return rows.map(({ email_hash: email, phone_hashes, booking_hashes, at }) => {
    const phones = storedJson("erasure", phone_hashes, hashes, []);
    return { key, email, phones, bookings: storedJson("erasure", booking_hashes, hashes, []), at };
  });
}

function keyName(db: Db): string {
  const key = readSetting(db, CONTACT_KEY_SETTING) ?? "";
  return createHash("sha256").update(key).digest("hex").slice(0, 8);
}

/**
 * Repeats erasures in a file that may be older than they are. `repeated` could be looked for; the key
 * of `unknown` ones is lost.
 */
export function repeatErasures(
  tx: Db,
  erasures: readonly Erasure[],
  now: number,
): { repeated: number; unknown: number } {
  const key = keyName(tx);
  const ours = erasures.filter((one) => one.key === key);
  const nameOf = ({ email, at }: Erasure) => `${email} ${at}`;
  const done = new Set(listErasures(tx).map(nameOf));
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
  const ids = byHash(tx, "SELECT id AS contact FROM appointment");
  // A newer file has it done already; data that came since then is not erased.
  for (const one of ours.filter((erasure) => !done.has(nameOf(erasure)))) {
    const known = (all: string[], by: Map<string, string>) => all.flatMap((h) => by.get(h) ?? []);
    const [phones, bookings] = [known(one.phones, numbers), known(one.bookings, ids)];
    const person = { email: emails.get(one.email) ?? null, phones, bookings };
    // Messages that were due in the copy have been sent long ago.
    erasePerson(tx, person, one.at, now, "unsent");
    const deleted = findAppointment(tx, ids.get(one.email) ?? "");
    if (deleted) removeAppointment(tx, deleted, now, one.at, "unsent");
    insertErasure(tx, one);
  }
  return { repeated: ours.length, unknown: erasures.length - ours.length };
}

/** By hand: a union of the places where contacts stand. */
function byHash(tx: Db, contacts: string): Map<string, string> {
  const hash = contactHasher(tx);
  const rows = tx.allRaw<{ contact: string }>(contacts);
  return new Map(rows.map(({ contact }) => [hash(contact), contact]));
}
