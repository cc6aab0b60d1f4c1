/**
 * The list of erasures in the store, beside the copies, so that a copy put back on another machine
 * brings nobody back. It only grows, outlives every copy, and is sealed as the newest of them is.
 */
import { Readable } from "node:stream";
import { buffer } from "node:stream/consumers";
import { z } from "zod";
import type { Deps } from "#app/core/deps.server.ts";
import { BadSeal, keyIdOf, opening, sealing } from "#app/core/sealed-stream.server.ts";
import { storedJson } from "#app/model/stored-json.ts";
import {
  erasureLines,
  keepErasures,
  mergeErasures,
  parseErasures,
  readErasureList,
} from "#db/erasure-list.server.ts";
import { readSetting, writeSetting } from "#db/queries/documents.server.ts";
import type { Erasure } from "#db/queries/erasures.server.ts";
import { type OffSite, openStore } from "./copy-store.server.ts";
import { isLastUnderKey } from "./last-off-site.server.ts";

const NAME = "erasures.jsonl.sealed";
/** How many the store is known to have, and under which key; a number alone is of another key. */
const SENT = "off_site_erasures";
const sentSchema = z
  .object({ count: z.number(), key: z.string() })
  .or(z.number().transform((count) => ({ count, key: "" })));

/**
 * Sends the list beside the local copies when it has grown or the copies have another key, once the
 * last good copy has it too: until then the former key opens both. Throws StoreFailed or BadSeal.
 */
export async function sendErasures(
  { db, env }: Pick<Deps, "db" | "env">,
  signal?: AbortSignal,
): Promise<void> {
  const { offSite, dir } = env.backup;
  if (!offSite || !isLastUnderKey({ db }, offSite)) return;
  const known = readErasureList(dir);
  const key = keyIdOf(offSite.encryptionKey);
  const none = { count: 0, key };
  const sent = storedJson(SENT, readSetting(db, SENT) || JSON.stringify(none), sentSchema, none);
  if (known.length === sent.count && sent.key === key) return;
  const there = await readSentErasures(offSite, signal).catch((error) => {
    // The one under the former key, of which all is known here. Under ours it would be a damaged one.
    const isFormer = error instanceof BadSeal && error.isOtherKey && sent.key !== key;
    if (isFormer && known.length >= sent.count) return [];
    throw error;
  });
  const all = mergeErasures(known, there);
  const text = Readable.from([Buffer.from(erasureLines(all))]);
  const sealed = await buffer(Readable.from(sealing(offSite.encryptionKey, NAME)(text)));
  await openStore(offSite, signal).put(NAME, sealed);
  keepErasures(dir, all);
  writeSetting(db, SENT, JSON.stringify({ count: all.length, key }));
}

/** The list in the store; none where there is none. Throws StoreFailed or BadSeal. */
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
