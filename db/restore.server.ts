/** Puts a backup in the place of the database file; the file it replaces is kept. */
import { copyFileSync, existsSync, readdirSync, renameSync, rmSync } from "node:fs";
import { basename, dirname, join } from "node:path";
import { isDeepStrictEqual } from "node:util";
import { DAY } from "#app/model/dates.ts";
import { type Erasure, listErasures, repeatErasures } from "#db/queries/erasures.server.ts";
import { distrustRefunds } from "#db/queries/refunds.server.ts";
import { lookUpRooms } from "#db/queries/session-rooms.server.ts";
import { CONTACT_KEY_SETTING, readSetting, writeSetting } from "#db/queries/settings.server.ts";
import { BadCopy, countRows, removePartial, requireIntact } from "./backup.server.ts";
import {
  type Db,
  inTransaction,
  isUnavailable,
  migrate,
  NewerSchema,
  type OpenDb,
  openDb,
  requireKnownSchema,
  sqlite,
} from "./connection.server.ts";
import { madeAtOf, makePrivateFolder, SIDE_FILES } from "./copy-files.ts";
import { mergeErasures, readErasureList } from "./erasure-list.server.ts";
import { keepLetters, nextLetters, readLetters } from "./series-letters.server.ts";

/** Appended to every series of documents, so that no number given before can come again. */
export const SERIES_LETTER_SETTING = "series_letter";
/** All letters that a series ever had in this file or in one that it replaced, comma-separated. */
const USED_LETTERS_SETTING = "series_letters_used";
/** An instant: what was made at the provider since is read at the next start. */
export const READ_ORDERS_SINCE_SETTING = "read_orders_since";

/** JSON for the owner to look through, until it is dismissed; empty then. */
export const RESTORED_SETTING = "restored";

const NOTHING: Inheritance = { letters: [], erasures: [], contactKey: null };
const REPLACED = ".replaced-";
/** What was made this long before the copy may change after it: a link lives 7 days, its watch 5 more. */
const OVERLAP_MS = 12 * DAY;

export class RestoreRefused extends Error {
  override name = "RestoreRefused";
}

export interface Restored {
  /** Where the replaced file is kept; null if there was none. */
  replaced: string | null;
  seriesLetter: string;
  /** Erasures that were done again, and those whose key neither file has. */
  erasures: { repeated: number; unknown: number };
}

/** What the file that is replaced hands on; nothing where it cannot be read. */
interface Inheritance {
  letters: string[];
  erasures: Erasure[];
  contactKey: string | null;
}

/**
 * Checks the backup, prepares a copy beside the database, then swaps. Who was erased since the
 * backup, as the list beside it, that in `backupDir` or the replaced file says, is erased again.
 * `takenAt`: when the copy was made; its name says so, else the newest instant in it. Throws
 * RestoreRefused with nothing changed: the app runs, or the file is no whole backup.
 */
export async function restoreBackup(
  source: string,
  target: string,
  now: number,
  backupDir = dirname(source),
  takenAt = madeAtOf(basename(source)),
): Promise<Restored> {
  if (!existsSync(source)) throw new RestoreRefused(`There is no file ${source}.`);
  const partial = `${target}.restoring`;
  removePartial(partial);
  makePrivateFolder(dirname(target), basename(target));
  try {
    // With its log; and it is read there alone, because reading puts files beside it.
    for (const suffix of ["", ...SIDE_FILES]) {
      if (existsSync(source + suffix)) copyFileSync(source + suffix, partial + suffix);
    }
    // Before the present file is opened, which changes its header.
    readIntact(partial, () => undefined);
    const inherited = existsSync(target) ? closeDown(target) : NOTHING;
    const folders = [dirname(source), backupDir];
    const erasures = mergeErasures(inherited.erasures, ...folders.map(readErasureList));
    const letters = [...inherited.letters, ...folders.flatMap(readLetters)];
    const prepared = await prepare(partial, { ...inherited, letters, erasures }, takenAt, now);
    // The app may have been started, and even stopped again, meanwhile.
    if (existsSync(target) && !isDeepStrictEqual(closeDown(target), inherited)) {
      throw new RestoreRefused("The app was started meanwhile. Please restore once more.");
    }
    keepLetters(backupDir, prepared.seriesLetter);
    const replaced = existsSync(target) ? `${target}${REPLACED}${now}` : null;
    if (replaced) renameSync(target, replaced);
    for (const suffix of SIDE_FILES) rmSync(target + suffix, { force: true });
    renameSync(partial, target);
    return { replaced, ...prepared };
  } finally {
    removePartial(partial);
  }
}

/** Files that restores replaced before an instant go: they are copies too. */
export function removeReplaced(databasePath: string, before: number): void {
  const folder = dirname(databasePath);
  const start = `${basename(databasePath)}${REPLACED}`;
  for (const name of readdirSync(folder).filter((one) => one.startsWith(start))) {
    if (Number(name.slice(start.length)) < before) rmSync(join(folder, name), { force: true });
  }
}

/**
 * Opens a copy as it lies there, checks it whole and counts it; `ledger` sums documents, payments
 * and refunds in paise. Throws RestoreRefused for what is no whole backup.
 */
export function rehearse(source: string) {
  if (!existsSync(source)) throw new RestoreRefused(`There is no file ${source}.`);
  return readIntact(source, (db) => {
    // By hand: a union of sums. A superseded refund is the same money as the one that replaced it.
    const ledger = db.allRaw<{ kind: string; count: number; paise: number }>(
      `SELECT replace(kind, '_', ' ') AS kind, count(*) AS count, sum(total_paise) AS paise
         FROM document GROUP BY document.kind
       UNION ALL SELECT 'payment', count(*), coalesce(sum(amount_paise), 0)
         FROM payment WHERE captured_at IS NOT NULL
       UNION ALL SELECT 'refund', count(*), coalesce(sum(amount_paise), 0) FROM refund
         WHERE state <> 'superseded'`,
    );
    return { rows: countRows(db), ledger };
  });
}

function readIntact<Found>(path: string, read: (db: OpenDb) => Found): Found {
  try {
    using db = openDb(path, { readonly: true });
    requireIntact(db);
    requireKnownSchema(db);
    return read(db);
  } catch (error) {
    throw refusalOf(error);
  }
}

/** Makes the backup the present: newest schema, no sessions, a new series, orders to be read. */
async function prepare(
  path: string,
  { letters, erasures, contactKey }: Inheritance,
  madeAt: number | null,
  now: number,
): Promise<Omit<Restored, "replaced">> {
  try {
    using db = openDb(path);
    // One from before it had a key goes on with ours, under which the erasures are known.
    if (contactKey !== null && readSetting(db, CONTACT_KEY_SETTING) === null) {
      writeSetting(db, CONTACT_KEY_SETTING, contactKey);
    }
    await migrate(db);
    const takenAt = Math.min(madeAt ?? newestInstant(db), now);
    const used = new Set([...letters, ...lettersOf(db)]);
    const seriesLetter = nextLetters(used, now);
    const done = inTransaction(db, (tx) => {
      tx.run(sqlite.deleteFrom("admin_session"));
      tx.run(sqlite.deleteFrom("one_time_code"));
      // One that was used or withdrawn since must not open the account again.
      tx.run(sqlite.deleteFrom("invitation"));
      writeSetting(tx, SERIES_LETTER_SETTING, seriesLetter);
      writeSetting(tx, USED_LETTERS_SETTING, [...used, seriesLetter].join(","));
      const left = { takenAt, last: lastNumbers(tx), seriesLetter };
      writeSetting(tx, RESTORED_SETTING, JSON.stringify(left));
      writeSetting(tx, READ_ORDERS_SINCE_SETTING, String(Math.max(1, takenAt - OVERLAP_MS)));
      lookUpRooms(tx, now);
      distrustRefunds(tx);
      return repeatErasures(tx, erasures, now);
    });
    // A backup from before removed rows were overwritten has them in its free pages.
    if (done.repeated > 0) db.driver.exec("VACUUM");
    db.driver.pragma("journal_mode = DELETE");
    return { seriesLetter, erasures: done };
  } catch (error) {
    throw refusalOf(error);
  }
}

function refusalOf(error: unknown): unknown {
  const { code = "" } = error as { code?: string };
  if (code === "SQLITE_FULL") return new RestoreRefused("The disk is full.");
  if (error instanceof NewerSchema) return new RestoreRefused(`This copy ${error.message}`);
  const isBad = error instanceof BadCopy || code.startsWith("SQLITE_");
  return isBad
    ? new RestoreRefused(`This is no whole backup: ${(error as Error).message}.`)
    : error;
}

/**
 * Leaving WAL needs the file to oneself, so it fails exactly while another process has it open.
 * A damaged file is no reason to refuse: it is what is being replaced.
 */
function closeDown(path: string): Inheritance {
  try {
    using db = openDb(path);
    db.driver.pragma("busy_timeout = 0");
    db.driver.pragma("journal_mode = DELETE");
    const letters = lettersOf(db);
    const contactKey = readSetting(db, CONTACT_KEY_SETTING);
    // Without a key it is from before there were erasures.
    return { letters, contactKey, erasures: contactKey === null ? [] : listErasures(db) };
  } catch (error) {
    if (isUnavailable(error) && /locked|busy/i.test((error as Error).message)) {
      throw new RestoreRefused("The app is running on this database. Stop it first, then restore.");
    }
    return NOTHING;
  }
}

function lettersOf(db: OpenDb): string[] {
  const series = db.all(sqlite.selectFrom("document_series").select("series").distinct());
  const used =
    readSetting(db, USED_LETTERS_SETTING) ?? readSetting(db, SERIES_LETTER_SETTING) ?? "";
  return [...used.split(","), ...series.map((row) => row.series.slice(2))];
}

/** When something was last written into it; 0 for an empty one. */
function newestInstant(db: Db): number {
  // By hand: a union of the tables that every day writes to.
  const newest = db.firstRaw<{ at: number | null }>(
    `SELECT max(at) AS at FROM (
       SELECT max(updated_at) AS at FROM appointment UNION ALL SELECT max(updated_at) FROM payment
       UNION ALL SELECT max(created_at) FROM payment_order UNION ALL SELECT max(at) FROM activity
       UNION ALL SELECT max(received_at) FROM provider_event
       UNION ALL SELECT max(created_at) FROM message)`,
  );
  return newest?.at ?? 0;
}

function lastNumbers(db: Db): string[] {
  return (["invoice", "credit_note"] as const).flatMap((kind) => {
    const issued = sqlite.selectFrom("document").select("number").where("kind", "=", kind);
    const last = db.first(issued.orderBy("issued_at", "desc").orderBy("serial", "desc").limit(1));
    return last ? [last.number] : [];
  });
}
