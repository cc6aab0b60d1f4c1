/**
 * `npm run restore -- FILE`, `s3:latest` or `s3:NAME`: puts a copy back; refused while the app runs
 * or for a bad copy. With `--rehearse` it is fetched, opened and counted, and nothing is replaced.
 * From the store the list of erasures comes with it.
 */
import { rmSync, statSync } from "node:fs";
import { constants } from "node:os";
import { basename, dirname } from "node:path";
import { parseArgs } from "node:util";
import { type Env, parseEnv } from "#app/core/env.server.ts";
import { BadSeal } from "#app/core/sealed-stream.server.ts";
import { StoreFailed } from "#app/jobs/copy-store.server.ts";
import { fetchOffSite, readSentErasures } from "#app/jobs/off-site-copies.server.ts";
import { formatRupees } from "#app/model/money.ts";
import { NoRoom } from "#db/backup.server.ts";
import { makePrivateFolder } from "#db/copy-files.ts";
import { keepErasures } from "#db/erasure-list.server.ts";
import { RestoreRefused, rehearse, restoreBackup } from "#db/restore.server.ts";

const { env, faults } = parseEnv({ ...process.env, NODE_ENV: "development" });
const { asked, isRehearsal } = readArguments();
const fetched = `${env.databasePath}.fetched`;
const removeFetched = () => rmSync(fetched, { force: true });
// It holds everything in plain text, so it goes even if this is ended or its terminal is lost.
for (const signal of ["SIGINT", "SIGTERM", "SIGHUP"] as const) {
  process.on(signal, () => {
    removeFetched();
    process.exit(128 + constants.signals[signal]);
  });
}
try {
  const copy = asked.startsWith("s3:") ? await fetchCopy(env, asked.slice(3)) : { file: asked };
  if (isRehearsal) printRehearsal(copy.file);
  else await putBack(copy);
} catch (error) {
  const said = reasonOf(error);
  if (said === null) throw error;
  console.error(`${asked}: ${said} Nothing was changed.`);
  process.exitCode = 1;
} finally {
  removeFetched();
}

/** A misspelt option must not put a copy back, nor one that npm took for its own. */
function readArguments(): { asked: string; isRehearsal: boolean } {
  try {
    const options = { rehearse: { type: "boolean" } } as const;
    const { values, positionals } = parseArgs({ options, allowPositionals: true });
    const [asked, ...more] = positionals;
    if (!asked || more.length > 0) throw new Error("Which copy?");
    return { asked, isRehearsal: Boolean(values.rehearse ?? process.env.npm_config_rehearse) };
  } catch (error) {
    console.error(
      `${(error as Error).message}\nUsage: npm run restore -- [--rehearse] FILE, s3:latest or s3:NAME`,
    );
    return process.exit(1);
  }
}

/** Null for an error of our own. */
function reasonOf(error: unknown): string | null {
  if (!(error instanceof Error)) return null;
  if ("code" in error && error.code === "ENOSPC") return "The disk is full.";
  if ("syscall" in error) return `${error.message}.`;
  const refusals = [RestoreRefused, BadSeal, StoreFailed, NoRoom];
  return refusals.some((refusal) => error instanceof refusal) ? error.message : null;
}

interface Copy {
  file: string;
  /** When it was made, milliseconds UTC, where its name does not say so. */
  takenAt?: number;
}

async function fetchCopy({ backup, databasePath }: Env, name: string): Promise<Copy> {
  const wrong = faults.filter((fault) => fault.startsWith("BACKUP_"));
  if (wrong.length > 0) throw new StoreFailed(`${wrong.join(". ")}.`);
  if (!backup.offSite) throw new StoreFailed("The BACKUP_S3 variables are not set.");
  makePrivateFolder(dirname(databasePath), basename(databasePath));
  // It may be left over from a run that was killed.
  removeFetched();
  const stands = statSync(databasePath, { throwIfNoEntry: false })?.size;
  const copy = await fetchOffSite(backup.offSite, name, fetched, stands);
  const erasures = await readSentErasures(backup.offSite);
  if (!isRehearsal) keepErasures(backup.dir, erasures);
  console.log(`Fetched ${copy.name}: ${copy.bytes} bytes.`);
  console.log(`The list of erasures holds ${erasures.length}.`);
  return { file: fetched, takenAt: copy.at };
}

async function putBack({ file, takenAt }: Copy): Promise<void> {
  const { databasePath, backup } = env;
  const restored = await restoreBackup(file, databasePath, Date.now(), backup.dir, takenAt);
  const { replaced, seriesLetter, erasures } = restored;
  console.log(`Restored ${asked} to ${env.databasePath}.`);
  if (replaced) console.log(`What stood there is kept as ${replaced}.`);
  console.log("All sessions are ended: sign in again.");
  console.log("Passwords and access are those of the backup: look at the page Team.");
  console.log(`Invoices go on in the new series ${seriesLetter}.`);
  if (erasures.repeated > 0) {
    console.log(
      `Customers erased and bookings deleted since then are erased and deleted again (${erasures.repeated} listed).`,
    );
  }
  if (erasures.unknown > 0) {
    console.log(
      `${erasures.unknown} listed erasures could not be: their key is in neither file. Erase those customers and delete those bookings again.`,
    );
  }
  console.log("At the next start what the provider did since the backup is read.");
}

function printRehearsal(file: string): void {
  const { rows, ledger } = rehearse(file);
  for (const [table, count] of Object.entries(rows)) console.log(`${table}: ${count} rows`);
  for (const { kind, count, paise } of ledger) {
    console.log(`${kind}: ${count}, together ${formatRupees(paise)}`);
  }
  console.log("The copy is whole and opens. Nothing was replaced.");
}
