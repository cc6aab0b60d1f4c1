/**
 * Off-site copies in the store: the last good one, listing and fetching them, and the list of
 * erasures beside them. `copy-store.server.ts` decides which are removed.
 */
import { createWriteStream, rmSync } from "node:fs";
import { dirname } from "node:path";
import { Readable } from "node:stream";
import { buffer } from "node:stream/consumers";
import { pipeline } from "node:stream/promises";
import { createZstdDecompress } from "node:zlib";
import { z } from "zod";
import type { Deps, ReadDeps } from "#app/core/deps.server.ts";
import { BadSeal, keyIdOf, opening, sealing } from "#app/core/sealed-stream.server.ts";
import { past } from "#app/model/dates.ts";
import { storedJson } from "#app/model/stored-json.ts";
import { requireRoom } from "#db/backup.server.ts";
import { PRIVATE_FILE } from "#db/copy-files.ts";
import {
  erasureLines,
  keepErasures,
  mergeErasures,
  parseErasures,
  readErasureList,
} from "#db/erasure-list.server.ts";
import type { Erasure } from "#db/queries/erasures.server.ts";
import { readMoneyMark } from "#db/queries/health.server.ts";
import { readSetting, writeSetting } from "#db/queries/settings.server.ts";
import { madeAtOf, type OffSite, openStore, StoreFailed } from "./copy-store.server.ts";

const LAST_GOOD = "last_off_site";
/** When it was first seen that money has moved since the last good copy. */
const MOVED_AT = "off_site_money_moved_at";

export interface LastOffSite {
  name: string;
  /** When the copy was made. */
  at: number;
  /** Size of the sealed file. */
  bytes: number;
}

export function readLastOffSite({ db }: Pick<Deps, "db">): LastOffSite | null {
  const last = readLast(db);
  return last && { name: last.name, at: last.at, bytes: last.bytes };
}

/** False also without a copy, or if its key was not stored. */
export function isLastUnderKey({ db }: Pick<Deps, "db">, { encryptionKey }: OffSite): boolean {
  return readLast(db)?.key === keyIdOf(encryptionKey);
}

/**
 * True once money has moved since the last good copy and half of `soon` (milliseconds) has passed; the
 * other half is for making and sending the copy.
 */
export function isMoneyDue(deps: ReadDeps, soon: number): boolean {
  const isCovered = readLast(deps.db)?.moneyMark === readMoneyMark(deps.db);
  const noted = readSetting(deps.db, MOVED_AT) ?? "";
  if (isCovered === (noted !== "")) {
    writeSetting(deps.db, MOVED_AT, isCovered ? "" : String(deps.now()));
    return false;
  }
  return !isCovered && deps.now() - past(noted, deps.now()) >= soon / 2;
}

/** `key` from `keyIdOf`; `moneyMark` from `readMoneyMark`, before the copy was made. */
type NotedOffSite = LastOffSite & { key?: string | undefined; moneyMark?: string | undefined };

function readLast(db: Deps["db"]): NotedOffSite | null {
  return JSON.parse(readSetting(db, LAST_GOOD) || "null");
}

/** Stores the last good copy. Money that moved since it was made is due from that time. */
export function noteOffSite({ db }: Pick<Deps, "db">, last: NotedOffSite): void {
  writeSetting(db, LAST_GOOD, JSON.stringify(last));
  const isCovered = last.moneyMark === readMoneyMark(db);
  writeSetting(db, MOVED_AT, isCovered ? "" : String(last.at));
}

/** Newest first. Throws StoreFailed. */
export async function listOffSite(offSite: OffSite): Promise<LastOffSite[]> {
  const found = await openStore(offSite).list();
  return found
    .flatMap(({ name, bytes }) => {
      const at = madeAtOf(name);
      return at === null ? [] : [{ name, bytes, at }];
    })
    .reverse();
}

/**
 * Fetches, opens and unpacks a copy into `path`; `latest` is the newest. Its unpacked size is not
 * known before, so room is needed for its sealed size or `likely` bytes, whichever is more. Throws
 * StoreFailed, NoRoom, or BadSeal for a copy that was changed, cut short, or sealed under another key.
 */
export async function fetchOffSite(
  offSite: OffSite,
  wanted: string,
  path: string,
  likely = 0,
): Promise<LastOffSite> {
  const copies = await listOffSite(offSite);
  const copy = wanted === "latest" ? copies[0] : copies.find(({ name }) => name === wanted);
  if (copy) requireRoom(dirname(path), Math.max(copy.bytes, likely));
  const source = copy && (await openStore(offSite).read(copy.name));
  if (!source) {
    throw new StoreFailed(`The store has no copy${wanted === "latest" ? "" : ` ${wanted}`}.`);
  }
  try {
    await pipeline(
      source,
      opening(offSite.encryptionKey, copy.name),
      createZstdDecompress(),
      createWriteStream(path, PRIVATE_FILE),
    );
  } catch (error) {
    rmSync(path, { force: true });
    throw error;
  }
  return copy;
}

const NAME = "erasures.jsonl.sealed";
/** Setting: how many erasures the store has, and under which key; a bare number means another key. */
const SENT = "off_site_erasures";
const sentSchema = z
  .object({ count: z.number(), key: z.string() })
  .or(z.number().transform((count) => ({ count, key: "" })));

/**
 * Sends the local list when it has grown. After a change of key, sends it once a good copy is under
 * the new key: until then the previous key opens both. Throws StoreFailed or BadSeal.
 */
export async function sendErasures({ db, env }: ReadDeps, signal?: AbortSignal): Promise<void> {
  const { offSite, dir } = env.backup;
  if (!offSite || !isLastUnderKey({ db }, offSite)) return;
  const known = readErasureList(dir);
  const key = keyIdOf(offSite.encryptionKey);
  const sent = storedJson(SENT, readSetting(db, SENT) || null, sentSchema, { count: 0, key });
  if (known.length === sent.count && sent.key === key) return;
  const there = await readSentErasures(offSite, signal).catch((error) => {
    // Sealed under the previous key, and all of it is known here. Under the current key, BadSeal
    // means damage.
    const isUnderPreviousKey = error instanceof BadSeal && error.isOtherKey && sent.key !== key;
    if (isUnderPreviousKey && known.length >= sent.count) return [];
    throw error;
  });
  const all = mergeErasures(known, there);
  const text = Readable.from([Buffer.from(erasureLines(all))]);
  const sealed = await buffer(Readable.from(sealing(offSite.encryptionKey, NAME)(text)));
  await openStore(offSite, signal).put(NAME, sealed);
  keepErasures(dir, all);
  writeSetting(db, SENT, JSON.stringify({ count: all.length, key }));
}

/** The list in the store, empty if there is none. Throws StoreFailed or BadSeal. */
export async function readSentErasures(offSite: OffSite, signal?: AbortSignal): Promise<Erasure[]> {
  const sealed = await openStore(offSite, signal).read(NAME);
  if (!sealed) return [];
  try {
    const text = await buffer(Readable.from(opening(offSite.encryptionKey, NAME)(sealed)));
    return parseErasures(text.toString("utf8"));
  } catch (error) {
    if (!(error instanceof BadSeal)) throw error;
    throw new BadSeal(`The list of erasures ${NAME}: ${error.message}`, error.isOtherKey);
  }
}
