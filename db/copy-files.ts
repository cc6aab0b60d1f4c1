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

/** Makes the folder, or takes others' rights from an existing one. */
export function makePrivateFolder(path: string): void {
  mkdirSync(path, { recursive: true, mode: 0o700 });
  keepPrivate(path);
}

/** Makes the database file if it is missing, and takes others' rights from it and the files beside it. */
export function makePrivateFile(path: string): void {
  makePrivateFolder(dirname(path));
  if (!existsSync(path)) closeSync(openSync(path, "a", PRIVATE_FILE.mode));
  for (const name of readdirSync(dirname(path))) {
    if (name.startsWith(basename(path))) keepPrivate(join(dirname(path), name));
  }
}

/** The folder with all that is in it, if it is there. */
export function keepFolderPrivate(path: string): void {
  const inside = existsSync(path) ? readdirSync(path, { recursive: true, encoding: "utf8" }) : [];
  for (const name of ["", ...inside]) keepPrivate(join(path, name));
}

/** Leaves files of other accounts, and folders that all share such as the system's temporary one. */
function keepPrivate(path: string): void {
  const stats = statSync(path, { throwIfNoEntry: false });
  if (!stats || (stats.mode & 0o077) === 0) return;
  const isOurs = stats.uid === process.getuid?.() && (stats.mode & 0o1000) === 0;
  if (isOurs) chmodSync(path, stats.mode & 0o700);
}
