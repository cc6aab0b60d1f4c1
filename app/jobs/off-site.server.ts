/**
 * Off-site copies: made separately from the local ones, compressed, sealed, sent in parts, and read
 * back whole before they count. After a failure or a restart, an upload resumes where it stopped.
 */
import { createHash } from "node:crypto";
import { createReadStream, createWriteStream, rmSync, statSync } from "node:fs";
import { open } from "node:fs/promises";
import { join } from "node:path";
import { pipeline } from "node:stream/promises";
import { createZstdCompress } from "node:zlib";
import { z } from "zod";
import type { Deps, ReadDeps } from "#app/core/deps.server.ts";
import { keyIdOf, sealing } from "#app/core/sealed-stream.server.ts";
import { DAY, HOUR, MINUTE, past, SECOND } from "#app/model/dates.ts";
import { storedJson } from "#app/model/stored-json.ts";
import { queueMessages } from "#app/notifications/queue.server.ts";
import { makeBackup } from "#db/backup.server.ts";
import { inTransaction } from "#db/connection.server.ts";
import { makePrivateFolder, PRIVATE_FILE } from "#db/copy-files.ts";
import { readMoneyMark } from "#db/queries/health.server.ts";
import { readSetting, writeSetting } from "#db/queries/settings.server.ts";
import {
  type CopyStore,
  copiesToRemove,
  copyName,
  madeAtOf,
  type OffSite,
  openStore,
  StoreFailed,
} from "./copy-store.server.ts";
import {
  isLastUnderKey,
  isMoneyDue,
  type LastOffSite,
  noteOffSite,
  readLastOffSite,
} from "./off-site-copies.server.ts";

const LAST_TRY = "last_off_site_try";
const LAST_NOTIFIED = "last_off_site_told";
const UNDER_WAY = "off_site_under_way";
/** A failed copy is tried again after this long, or after its interval if that is shorter. */
const RETRY_MS = 10 * MINUTE;

/**
 * Sends a copy if the last good one is an interval old or under another key, or soon after money
 * moved. Mails the owner about a failure.
 */
export async function runOffSite(deps: Deps, signal: AbortSignal): Promise<void> {
  const { offSite } = deps.env.backup;
  if (!offSite) return;
  const now = deps.now();
  const every = offSite.everyHours * HOUR;
  const last = past(readLastOffSite(deps)?.at, now);
  const lastTry = past(readSetting(deps.db, LAST_TRY), now);
  const isKeyNew = !isLastUnderKey(deps, offSite);
  const soon = offSite.afterSeconds * SECOND;
  const isDue = now - last >= every || isKeyNew || (soon > 0 && isMoneyDue(deps, soon));
  const again = Math.min(RETRY_MS, every, soon || every);
  if (!isDue || (lastTry > last && now - lastTry < again)) return;
  writeSetting(deps.db, LAST_TRY, String(now));
  try {
    const { name, bytes } = await sendScheduled(deps, signal);
    deps.log.info({ name, bytes }, "copy sent off the machine");
    writeSetting(deps.db, LAST_TRY, "");
    // The list of erasures can then be sent under the new key.
    if (isKeyNew) deps.wake();
  } catch (error) {
    if (signal.aborted) {
      // A shutdown is not a failed try: the next start resumes at once.
      writeSetting(deps.db, LAST_TRY, "");
      return;
    }
    deps.log.error({ err: error }, "the copy did not leave the machine");
    notify(deps, error);
  }
}

/** Mails a failure once a day at most; after a good copy, the next failure is mailed at once. */
function notify(deps: Deps, error: unknown): void {
  const now = deps.now();
  const lastNotified = past(readSetting(deps.db, LAST_NOTIFIED), now);
  if (lastNotified > 0 && now - lastNotified < DAY) return;
  const words = error instanceof Error ? error.message : String(error);
  inTransaction(deps.db, (tx) => {
    writeSetting(tx, LAST_NOTIFIED, String(now));
    queueMessages(tx, deps.env, now, { type: "off_site_failed", at: now, error: words });
  });
  deps.wake();
}

/** Makes and sends a copy, or resumes the one under way. Throws errors of the disk or the store. */
async function sendScheduled(deps: ReadDeps, signal: AbortSignal): Promise<LastOffSite> {
  const byHand = byHandFolder(deps);
  // A killed command may have left an unsealed copy. A folder's age is by the system's clock.
  const touched = statSync(byHand, { throwIfNoEntry: false })?.mtimeMs ?? Number.POSITIVE_INFINITY;
  if (Date.now() - touched > DAY) rmSync(byHand, { recursive: true, force: true });
  const place: Place = {
    folder: join(deps.env.backup.dir, "off-site"),
    keep: (upload) => writeSetting(deps.db, UNDER_WAY, upload ? JSON.stringify(upload) : ""),
  };
  return sendFrom(deps, place, (store) => resumable(deps, place, store), signal);
}

/**
 * Makes and sends a copy at once, independently of a scheduled one; after a failure it is not
 * resumed. Throws errors of the disk or the store.
 */
export async function sendCopy(deps: ReadDeps): Promise<LastOffSite> {
  const place = { folder: byHandFolder(deps), keep() {} };
  try {
    return await sendFrom(deps, place, async () => null);
  } finally {
    rmSync(place.folder, { recursive: true, force: true });
  }
}

const byHandFolder = ({ env }: ReadDeps) => join(env.backup.dir, "off-site-by-hand");

/** The folder of a sealed copy while it is sent, and a function that stores its progress. */
interface Place {
  folder: string;
  keep(upload: Upload | null): void;
}

async function sendFrom(
  deps: ReadDeps,
  place: Place,
  resume: (store: CopyStore) => Promise<Upload | null>,
  signal?: AbortSignal,
): Promise<LastOffSite> {
  const { offSite } = deps.env.backup;
  if (!offSite) throw new Error("The BACKUP_S3 variables are not set.");
  const store = openStore(offSite, signal);
  const upload = (await resume(store)) ?? (await beginUpload(deps, place, offSite));
  const refusal = await send(place, store, upload, signal);
  const isSame = await readsBack(store, upload);
  // All parts were sent, so the next run completes the upload.
  if (!isSame && refusal && !refusal.isFinal) throw refusal;
  forget(place, upload);
  if (!isSame) {
    await abandon(store, upload);
    const otherBytes = `The store gives back other bytes for ${upload.name} than were sent.`;
    throw refusal ?? new StoreFailed(otherBytes);
  }
  const { name, at, bytes, moneyMark, key } = upload;
  const last = { name, at, bytes };
  noteOffSite(deps, { ...last, key, moneyMark });
  writeSetting(deps.db, LAST_NOTIFIED, "");
  await thin(deps, store, offSite);
  return last;
}

const uploadSchema = z.object({
  name: z.string(),
  at: z.number(),
  bytes: z.number(),
  moneyMark: z.string().default(""),
  sha256: z.string(),
  /** From `keyIdOf`; without it, another key was used. */
  key: z.string().optional(),
  /** The store's id; null for a copy that fits in a single part. */
  id: z.string().nullable(),
  parts: z.array(z.object({ partNumber: z.number(), etag: z.string() })),
});

type Upload = z.output<typeof uploadSchema>;

/** The interrupted upload, if its file exists, is sealed under the current key and not too old. */
async function resumable(deps: ReadDeps, place: Place, store: CopyStore): Promise<Upload | null> {
  const text = readSetting(deps.db, UNDER_WAY) || null;
  const upload = storedJson(UNDER_WAY, text, uploadSchema.nullable(), null);
  if (!upload) return null;
  const { size } = statSync(join(place.folder, upload.name), { throwIfNoEntry: false }) ?? {};
  const { offSite } = deps.env.backup;
  const isValid = offSite && size === upload.bytes && upload.key === keyIdOf(offSite.encryptionKey);
  const longest = Math.max((offSite?.everyHours ?? 1) * HOUR, HOUR);
  if (isValid && deps.now() - upload.at < longest) return upload;
  forget(place, upload);
  await abandon(store, upload);
  return null;
}

function forget({ folder, keep }: Place, { name }: Upload): void {
  keep(null);
  rmSync(join(folder, name), { force: true });
}

/** Ignores failures: the bucket's own rule for unfinished uploads then ends it. */
async function abandon(store: CopyStore, { name, id }: Upload): Promise<void> {
  if (id !== null) await store.abandon(name, id).catch(() => undefined);
}

/** Makes a sealed copy; after a failure its files are removed, because the disk may be full. */
async function beginUpload(deps: ReadDeps, place: Place, offSite: OffSite): Promise<Upload> {
  const clear = () => rmSync(place.folder, { recursive: true, force: true });
  clear();
  try {
    const upload = await makeSealedCopy(deps, place, offSite);
    place.keep(upload);
    return upload;
  } catch (error) {
    clear();
    throw error;
  }
}

/** Makes a checked copy, compresses and seals it into another file, and removes the unsealed one. */
async function makeSealedCopy(
  deps: ReadDeps,
  { folder }: Place,
  { encryptionKey }: OffSite,
): Promise<Upload> {
  makePrivateFolder(folder);
  const at = Math.floor(deps.now() / 1000) * 1000;
  const moneyMark = readMoneyMark(deps.db);
  const { path } = await makeBackup(deps.db, { folder, keep: 1, now: at });
  // The newest is found by name, so the name must be later even if the clock was set back.
  const before = madeAtOf(readLastOffSite(deps)?.name ?? "") ?? 0;
  const name = copyName(Math.max(at, before + SECOND));
  const sealed = join(folder, name);
  const hash = createHash("sha256");
  await pipeline(
    createReadStream(path),
    createZstdCompress(),
    sealing(encryptionKey, name),
    async function* (source: AsyncIterable<Buffer>) {
      for await (const bytes of source) {
        hash.update(bytes);
        yield bytes;
      }
    },
    createWriteStream(sealed, PRIVATE_FILE),
  );
  rmSync(path);
  const { size: bytes } = statSync(sealed);
  const [sha256, key] = [hash.digest("hex"), keyIdOf(encryptionKey)];
  return { name, at, bytes, moneyMark, sha256, key, id: null, parts: [] };
}

/**
 * Sends what the store does not have yet. Returns why the store refused to complete a multipart
 * upload, or null.
 */
async function send(
  { folder, keep }: Place,
  store: CopyStore,
  upload: Upload,
  signal: AbortSignal | undefined,
): Promise<StoreFailed | null> {
  const { name, bytes, parts } = upload;
  const { partBytes } = store;
  const file = await open(join(folder, name));
  try {
    const partAt = async (at: number) => {
      const part = Buffer.alloc(Math.min(partBytes, bytes - at));
      await file.read(part, 0, part.length, at);
      return part;
    };
    if (bytes <= partBytes) {
      await store.put(name, await partAt(0));
      return null;
    }
    upload.id ??= await store.begin(name);
    keep(upload);
    for (let at = parts.length * partBytes; at < bytes; at += partBytes) {
      signal?.throwIfAborted();
      parts.push(await store.part(name, upload.id, parts.length + 1, await partAt(at)));
      keep(upload);
    }
    try {
      await store.complete(name, upload.id, parts);
      return null;
    } catch (error) {
      // It may be complete although the response was lost: reading it back shows that.
      if (error instanceof StoreFailed) return error;
      throw error;
    }
  } finally {
    await file.close();
  }
}

/** Reads the whole copy back, because the store's own checksum is not trusted. */
async function readsBack(store: CopyStore, { name, sha256 }: Upload): Promise<boolean> {
  const hash = createHash("sha256");
  for await (const bytes of (await store.read(name)) ?? []) hash.update(bytes);
  return hash.digest("hex") === sha256;
}

/** Removes old copies; a store that does not allow this keeps more, and the new copy counts anyway. */
async function thin(deps: ReadDeps, store: CopyStore, { keepDays }: OffSite): Promise<void> {
  try {
    const names = (await store.list()).map(({ name }) => name);
    for (const name of copiesToRemove(names, deps.now(), keepDays)) await store.remove(name);
  } catch (error) {
    if (!(error instanceof StoreFailed)) throw error;
  }
}
