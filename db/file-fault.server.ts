/** Why the database or its folders cannot be used, in one line; a bug is left to be shown with its stack. */
import { statfsSync } from "node:fs";
import { dirname } from "node:path";
import { NoRoom } from "./backup.server.ts";
import { NewerSchema } from "./connection.server.ts";

const OF_THE_FILE = /^SQLITE_(BUSY|LOCKED|FULL|IOERR|READONLY|CANTOPEN|NOMEM|CORRUPT|NOTADB)/;
/** Bytes. With less free, the files that SQLite makes to open another cannot be made. */
const NEXT_TO_NOTHING = 2 ** 20;

/** `variable` names the path. Null for what is no fault of files. */
export function fileFault(variable: string, path: string, error: unknown): string | null {
  const { code = "", syscall, message } = error as NodeJS.ErrnoException;
  if (error instanceof NewerSchema) return `${variable} ${path} ${message}`;
  if (!(error instanceof NoRoom || syscall || OF_THE_FILE.test(code))) return null;
  const isFull =
    /^(ENOSPC|SQLITE_FULL)/.test(code) || (/^SQLITE_IOERR/.test(code) && isPacked(path));
  const why = isFull ? "the disk is full: make room, then try again." : message;
  return `${variable} ${path} cannot be opened: ${why}`;
}

function isPacked(path: string): boolean {
  const { bavail, bsize } = statfsSync(dirname(path));
  return bavail * bsize < NEXT_TO_NOTHING;
}
