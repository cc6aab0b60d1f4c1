/** The files of the database and its copies: when one was made, and that this account alone may read them. */
import {
  chmodSync,
  closeSync,
  existsSync,
  mkdirSync,
  openSync,
  readdirSync,
  statSync,
} from "node:fs";
import { basename, dirname, join } from "node:path";

const STAMP = /^bookings-(\d{4})(\d\d)(\d\d)T(\d\d)(\d\d)(\d\d)Z/;

/** `20261120T093015Z` */
export function stampOf(madeAt: number): string {
  return `${new Date(madeAt).toISOString().slice(0, 19).replace(/[-:]/g, "")}Z`;
}

/** Milliseconds UTC, exact to the second; null for another name. */
export function madeAtOf(name: string): number | null {
  const found = STAMP.exec(name);
  if (!found) return null;
  const [year, month, day, hour, minute, second] = found.slice(1).map(Number);
  return Date.UTC(year!, month! - 1, day, hour, minute, second);
}

/** Options for making a file that only this account can read. */
export const PRIVATE_FILE = { mode: 0o600 };

/** What SQLite puts beside a file. */
export const SIDE_FILES = ["-wal", "-shm", "-journal"];

/** After a database's own name: itself, what restoring puts beside it, and the side files of each. */
const AFTER_NAME = new RegExp(
  `^(\\.(replaced-\\d+|restoring|fetched))?(${SIDE_FILES.join("|")})?$`,
);
/** Folders of copies that are sent; they hold nothing else. */
const SENT = /^off-site(-by-hand)?$/;
/** What is kept among the copies, and what may stand beside the database. */
const KEPT =
  /^(bookings-\d{8}T\d{6}Z(-\d+)?\.db[\w.-]*|series-letters\.txt|erasures\.jsonl(\.partial)?|off-site(-by-hand)?)$/;
const BESIDE = /^(backups|lost\+found)$/;

const isOf = (database: string, name: string) =>
  name.startsWith(database) && AFTER_NAME.test(name.slice(database.length));

/**
 * Makes the folder. Takes others' rights from an existing one, unless it holds something that is not
 * ours. `database`: a file's name in it.
 */
export function makePrivateFolder(path: string, database = "bookings.db"): void {
  makeFolder(path);
  const isOurs = (name: string) => KEPT.test(name) || BESIDE.test(name) || isOf(database, name);
  if (readdirSync(path).every(isOurs)) keepPrivate(path);
}

/** Makes the database file if it is missing, and takes others' rights from it and its own beside it. */
export function makePrivateFile(path: string): void {
  const [folder, database] = [dirname(path), basename(path)];
  makePrivateFolder(folder, database);
  if (!existsSync(path)) closeSync(openSync(path, "a", PRIVATE_FILE.mode));
  for (const name of readdirSync(folder)) {
    if (isOf(database, name)) keepPrivate(join(folder, name));
  }
}

/** Makes the folder of copies, or takes others' rights from the copies in it. */
export function keepFolderPrivate(path: string): void {
  makePrivateFolder(path);
  for (const name of readdirSync(path).filter((one) => KEPT.test(one))) {
    if (SENT.test(name)) keepFolderPrivate(join(path, name));
    else keepPrivate(join(path, name));
  }
}

/** One by one: Node's `recursive` tries for ever where the system makes no folders, as in /proc. */
function makeFolder(path: string): void {
  if (existsSync(path)) return;
  if (dirname(path) !== path) makeFolder(dirname(path));
  try {
    mkdirSync(path, { mode: 0o700 });
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== "EEXIST") throw error;
  }
}

/** Leaves files of other accounts, and folders that all share such as the system's temporary one. */
function keepPrivate(path: string): void {
  const stats = statSync(path, { throwIfNoEntry: false });
  if (!stats || (stats.mode & 0o077) === 0) return;
  const isOurs = stats.uid === process.getuid?.() && (stats.mode & 0o1000) === 0;
  if (isOurs) chmodSync(path, stats.mode & 0o700);
}
