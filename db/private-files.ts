/** The database and its copies are files that only this account may read. */
import {
  chmodSync,
  closeSync,
  existsSync,
  mkdirSync,
  openSync,
  readdirSync,
  type Stats,
  statSync,
} from "node:fs";
import { basename, dirname, join } from "node:path";

/** For what makes a file: of this account alone. */
export const PRIVATE_FILE = { mode: 0o600 };

/** Makes the folder, and keeps others out of one that is there. */
export function makePrivateFolder(path: string): void {
  mkdirSync(path, { recursive: true, mode: 0o700 });
  keepPrivate(path);
}

/** Makes the database file, if missing, and keeps others out of all that stands beside it by its name. */
export function makePrivateFile(path: string): void {
  makePrivateFolder(dirname(path));
  if (!existsSync(path)) closeSync(openSync(path, "a", PRIVATE_FILE.mode));
  for (const name of readdirSync(dirname(path))) {
    if (name.startsWith(basename(path))) keepPrivate(join(dirname(path), name));
  }
}

/** The folder with all that is in it, if it is there. */
export function keepFolderPrivate(path: string): void {
  const names = statSync(path, { throwIfNoEntry: false }) ? readdirSync(path) : [];
  for (const name of names) {
    const inside = join(path, name);
    if (statSync(inside, { throwIfNoEntry: false })?.isDirectory()) keepFolderPrivate(inside);
    else keepPrivate(inside);
  }
  keepPrivate(path);
}

/** Another's file or folder, and one that all share as the system's temporary folder, stay theirs. */
function keepPrivate(path: string): void {
  const stats = statSync(path, { throwIfNoEntry: false });
  if (!stats || !isOurs(stats) || (stats.mode & 0o077) === 0) return;
  chmodSync(path, stats.mode & 0o700);
}

function isOurs({ uid, mode }: Stats): boolean {
  return uid === process.getuid?.() && (mode & 0o1000) === 0;
}
