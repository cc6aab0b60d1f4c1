/** Puts a backup in the place of the database file; the file it replaces is kept. */
import { copyFileSync, existsSync, renameSync, rmSync, statSync } from "node:fs";
import { dateInIndia, daysBetween } from "#app/model/dates.ts";
import { readSetting, writeSetting } from "#db/queries/documents.server.ts";
import { BadCopy, requireIntact } from "./backup.server.ts";
import {
  inTransaction,
  isUnavailable,
  migrate,
  type OpenDb,
  openDb,
  sqlite,
} from "./connection.server.ts";

/** Appended to every series of documents, so that no number given before can come again. */
export const SERIES_LETTER_SETTING = "series_letter";
/** Milliseconds UTC: the provider's orders made since then are read at the next start. */
export const READ_ORDERS_SINCE_SETTING = "read_orders_since";

const SIDE_FILES = ["-wal", "-shm", "-journal"];
/** Orders made this long before the backup may have been paid after it. */
const OVERLAP_MS = 6 * 86_400_000;

export class RestoreRefused extends Error {
  override name = "RestoreRefused";
}

export interface Restored {
  /** Where the replaced file is kept; null if there was none. */
  replaced: string | null;
  seriesLetter: string;
}

/**
 * Checks the backup, prepares a copy beside the database, then swaps. Throws RestoreRefused with
 * nothing changed: the app runs, or the file is no whole backup.
 */
export async function restoreBackup(
  source: string,
  target: string,
  now: number,
): Promise<Restored> {
  if (!existsSync(source)) throw new RestoreRefused(`There is no file ${source}.`);
  const takenAt = statSync(source).mtimeMs;
  const partial = `${target}.restoring`;
  const clear = () => {
    for (const suffix of ["", ...SIDE_FILES]) rmSync(partial + suffix, { force: true });
  };
  const letters = existsSync(target) ? closeDown(target) : [];
  clear();
  try {
    copyFileSync(source, partial);
    const seriesLetter = await prepare(partial, letters, takenAt, now);
    const replaced = existsSync(target) ? `${target}.replaced-${now}` : null;
    if (replaced) renameSync(target, replaced);
    for (const suffix of SIDE_FILES) rmSync(target + suffix, { force: true });
    renameSync(partial, target);
    return { replaced, seriesLetter };
  } finally {
    clear();
  }
}

/** Makes the backup the present: newest schema, no sessions, a new series, orders to be read. */
async function prepare(
  path: string,
  usedLetters: string[],
  takenAt: number,
  now: number,
): Promise<string> {
  let db: OpenDb | null = null;
  try {
    db = openDb(path);
    requireIntact(db);
    await migrate(db);
    const letter = nextLetter([...usedLetters, ...lettersOf(db)], now);
    inTransaction(db, (tx) => {
      tx.run(sqlite.deleteFrom("admin_session"));
      tx.run(sqlite.deleteFrom("one_time_code"));
      writeSetting(tx, SERIES_LETTER_SETTING, letter);
      writeSetting(tx, READ_ORDERS_SINCE_SETTING, String(Math.floor(takenAt - OVERLAP_MS)));
    });
    db.driver.pragma("journal_mode = DELETE");
    return letter;
  } catch (error) {
    if (error instanceof BadCopy || (error as { code?: string }).code?.startsWith("SQLITE_")) {
      throw new RestoreRefused(`This is no whole backup: ${(error as Error).message}`);
    }
    throw error;
  } finally {
    db?.close();
  }
}

/**
 * Leaving WAL needs the file to oneself, so it fails exactly while another process has it open.
 * A damaged file is no reason to refuse: it is what is being replaced.
 */
function closeDown(path: string): string[] {
  let db: OpenDb | null = null;
  try {
    db = openDb(path);
    db.driver.pragma("busy_timeout = 0");
    db.driver.pragma("journal_mode = DELETE");
    return lettersOf(db);
  } catch (error) {
    if (isUnavailable(error) && /locked|busy/i.test((error as Error).message)) {
      throw new RestoreRefused("The app is running on this database. Stop it first, then restore.");
    }
    return [];
  } finally {
    db?.close();
  }
}

function lettersOf(db: OpenDb): string[] {
  const series = db.all(sqlite.selectFrom("document_series").select("series").distinct());
  const letter = readSetting(db, SERIES_LETTER_SETTING) ?? "";
  return [letter, ...series.map((row) => row.series.slice(2))];
}

/**
 * Two letters that count the days since 2026, so that restores of one old backup on two machines
 * differ too; the next free ones if the day's are taken.
 */
function nextLetter(used: readonly string[], now: number): string {
  const day = daysBetween("2026-01-01", dateInIndia(now));
  for (let n = day; ; n++) {
    const letters = String.fromCharCode(65 + (Math.floor(n / 26) % 26), 65 + (n % 26));
    if (!used.includes(letters)) return letters;
  }
}
