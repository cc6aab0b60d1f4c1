/** Online copies of the database file, verified before they count. */
import { once } from "node:events";
import {
  existsSync,
  readdirSync,
  renameSync,
  rmSync,
  statfsSync,
  statSync,
  writeFileSync,
} from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { Worker } from "node:worker_threads";
import Database from "better-sqlite3";
import { type OpenDb, openDb } from "./connection.server.ts";
import { makePrivateFolder, PRIVATE_FILE, SIDE_FILES, stampOf } from "./copy-files.ts";

/** Pages copied between two turns of the event loop: about a millisecond of work. */
const PAGES_PER_TURN = 200;
/** The pages of the largest file that SQLite makes. */
const ALL_PAGES = 2 ** 31 - 1;
const NAME_PATTERN = /^bookings-\d{8}T\d{6}Z(-\d+)?\.db$/;
const PARTIAL = ".partial";
/**
 * A partial file that was not written to for this long (milliseconds) is abandoned: a running backup
 * writes at every turn, and the check at the end takes a second for each 100 MB. It goes by age,
 * because after a restart another process may have the id.
 */
const ABANDONED_MS = 3_600_000;
/** Tables whose rows are compared: what is bought, paid, owed and printed. */
const COUNTED = ["appointment", "payment", "refund", "document", "message"] as const;

export interface Backup {
  path: string;
  bytes: number;
  /** Milliseconds the copy and its check took. */
  ms: number;
}

export class BadCopy extends Error {
  override name = "BadCopy";
}

export class NoRoom extends Error {
  override name = "NoRoom";

  constructor(folder: string, wanted: number, free: number) {
    const [needs, has] = [Math.ceil(wanted / 2 ** 20), Math.floor(free / 2 ** 20)];
    super(`A copy needs ${needs} MB free in ${folder}, and ${has} MB are.`);
  }
}

interface CopyOptions {
  folder: string;
  keep: number;
  now: number;
}

/**
 * Copies the open file into `folder` while it is in use, checks the copy, gives it its name, and
 * keeps the newest `keep`. Removes what killed backups left. Throws NoRoom, BadCopy or the file
 * system's error, and then leaves nothing new.
 */
export async function makeBackup(db: OpenDb, options: CopyOptions): Promise<Backup> {
  const startedAt = performance.now();
  const before = countRows(db);
  const copied = await copyInto(db, options, PAGES_PER_TURN, async (partial) => {
    const after = countRows(db);
    const copy = await checkInThread(partial);
    for (const table of COUNTED) {
      const low = Math.min(before[table], after[table]);
      const high = Math.max(before[table], after[table]);
      if (copy[table] < low || copy[table] > high) throw new BadCopy(`${table}: rows are missing`);
    }
  });
  rotate(options.folder, options.keep, copied.path);
  return { ...copied, ms: Math.round(performance.now() - startedAt) };
}

/**
 * The same copy of a file that nobody else uses yet, such as before its schema is changed: made in
 * one step, named at once, and checked while the caller goes on. No older copy goes for it. `checked`
 * rejects with BadCopy; the other errors are those of `makeBackup`.
 */
export async function copyAtOnce(db: OpenDb, options: Pick<CopyOptions, "folder" | "now">) {
  const copied = await copyInto(db, options, ALL_PAGES, async () => {});
  return { ...copied, checked: checkInThread(copied.path) };
}

async function copyInto(
  db: OpenDb,
  { folder, now }: Pick<CopyOptions, "folder" | "now">,
  pagesPerTurn: number,
  check: (partial: string) => Promise<void>,
): Promise<Omit<Backup, "ms">> {
  makePrivateFolder(folder);
  // Before the free space is checked, because abandoned files may take it.
  sweep(folder);
  requireRoom(folder, bytesOf(db));
  const path = takeName(folder, now);
  const partial = partialOf(path);
  try {
    await db.driver.backup(partial, { progress: () => pagesPerTurn });
    await check(partial);
    renameSync(partial, path);
  } finally {
    removePartial(partial);
  }
  return { path, bytes: statSync(path).size };
}

/** Removes what killed backups left. A backup that is running, here or by hand, keeps its file. */
function sweep(folder: string): void {
  // By the system's clock, which dates the files.
  const before = Date.now() - ABANDONED_MS;
  for (const name of readdirSync(folder)) {
    if (!name.endsWith(PARTIAL) || !NAME_PATTERN.test(name.slice(0, -PARTIAL.length))) continue;
    const path = join(folder, name);
    const touched = statSync(path, { throwIfNoEntry: false })?.mtimeMs;
    if (touched !== undefined && touched < before) removePartial(path);
  }
}

/** The file itself last: the others are found by it if this is interrupted. */
export function removePartial(path: string): void {
  for (const suffix of [...SIDE_FILES, ""]) rmSync(path + suffix, { force: true });
}

/**
 * Throws NoRoom unless twice the file's size and a little more is free: bookings need room beside the
 * copy, and so does its upload.
 */
export function requireRoom(folder: string, bytes: number): void {
  const wanted = 2 * bytes + 2 ** 20;
  const { bavail, bsize } = statfsSync(folder);
  if (bavail * bsize < wanted) throw new NoRoom(folder, wanted, bavail * bsize);
}

function bytesOf(db: OpenDb): number {
  const pragma = (name: string) => db.driver.pragma(name, { simple: true }) as number;
  return pragma("page_count") * pragma("page_size");
}

type Rows = Record<(typeof COUNTED)[number], number>;

export type CheckedCopy = { rows: Rows } | { fault: string };

/** In a thread, because the check reads every page, a second for each 100 MB. */
async function checkInThread(path: string): Promise<Rows> {
  const thread = new Worker(threadFile(), { workerData: path });
  const [checked] = (await once(thread, "message")) as [CheckedCopy];
  if ("fault" in checked) throw new BadCopy(checked.fault);
  return checked.rows;
}

/** Opens a copy, makes it a single file without a log, and checks all of it. */
export function checkCopy(path: string): CheckedCopy {
  try {
    using copy = openDb(path);
    copy.driver.pragma("journal_mode = DELETE");
    requireIntact(copy);
    return { rows: countRows(copy) };
  } catch (error) {
    return { fault: error instanceof Error ? error.message : String(error) };
  }
}

/** Beside the bundle, or one folder up when this module is in a shared chunk; else the source. */
function threadFile(): string {
  const places = ["./backup-check.js", "../backup-check.js", "./backup-check.server.ts"];
  const paths = places.map((place) => fileURLToPath(new URL(place, import.meta.url)));
  const path = paths.find((candidate) => existsSync(candidate));
  if (path === undefined) throw new Error(`no backup check at ${paths.join(", ")}`);
  return path;
}

/** Throws BadCopy unless the file is a whole database of this program. */
export function requireIntact(db: OpenDb): void {
  let faults: unknown[];
  try {
    faults = db.driver.pragma("integrity_check") as unknown[];
  } catch (error) {
    throw new BadCopy(error instanceof Database.SqliteError ? error.message : String(error));
  }
  const [first] = faults as { integrity_check: string }[];
  if (first?.integrity_check !== "ok")
    throw new BadCopy(`integrity_check: ${first?.integrity_check}`);
  if ((db.driver.pragma("foreign_key_check") as unknown[]).length > 0) {
    throw new BadCopy("foreign_key_check: rows point nowhere");
  }
  // By hand: the builder does not know SQLite's own table.
  const known = db.allRaw<{ name: string }>(`SELECT name FROM sqlite_master WHERE type = 'table'`);
  const names = new Set(known.map((table) => table.name));
  const missing = COUNTED.filter((table) => !names.has(table));
  if (missing.length > 0) throw new BadCopy(`it has no table ${missing.join(", ")}`);
}

export function countRows(db: OpenDb): Rows {
  const columns = COUNTED.map((table) => `(SELECT count(*) FROM ${table}) AS ${table}`);
  // By hand: all tables are counted at one moment.
  return db.firstRaw(`SELECT ${columns.join(", ")}`)!;
}

/** Newest last. */
export function listBackups(folder: string): string[] {
  try {
    return readdirSync(folder)
      .filter((name) => NAME_PATTERN.test(name))
      .sort()
      .map((name) => join(folder, name));
  } catch {
    return [];
  }
}

/** Always keeps the one just made: its name may sort before others after the clock was set back. */
function rotate(folder: string, keep: number, made: string): void {
  const others = listBackups(folder).filter((path) => path !== made);
  for (const path of others.slice(0, Math.max(0, others.length + 1 - keep)))
    rmSync(path, { force: true });
}

const partialOf = (path: string) => path + PARTIAL;

/** A path of its own, reserved by an empty partial file: two backups may start in one second. */
function takeName(folder: string, now: number): string {
  for (let n = 1; ; n++) {
    const name = `bookings-${stampOf(now)}${n === 1 ? "" : `-${n}`}.db`;
    const path = join(folder, name);
    if (!makeFile(partialOf(path))) continue;
    // Checked last: another backup's partial file becomes the file of this name.
    if (!existsSync(path)) return path;
    rmSync(partialOf(path));
  }
}

function makeFile(path: string): boolean {
  try {
    writeFileSync(path, "", { ...PRIVATE_FILE, flag: "wx" });
    return true;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === "EEXIST") return false;
    throw error;
  }
}
