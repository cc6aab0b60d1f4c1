/**
 * The list of erasures in the store, beside the copies, so that a copy put back on another machine
 * brings nobody back. It only grows, and outlives every copy.
 */
import { Readable } from "node:stream";
import { buffer } from "node:stream/consumers";
import type { Deps } from "#app/core/deps.server.ts";
import type { Env } from "#app/core/env.server.ts";
import { opening, sealing } from "#app/core/sealed-stream.server.ts";
import {
  erasureLines,
  keepErasures,
  mergeErasures,
  parseErasures,
  readErasureList,
} from "#db/erasure-list.server.ts";
import { readSetting, writeSetting } from "#db/queries/documents.server.ts";
import type { Erasure } from "#db/queries/erasures.server.ts";
import { type CopyStore, openStore } from "./copy-store.server.ts";

const NAME = "erasures.jsonl.sealed";
/** How many the store is known to have. */
const SENT = "off_site_erasures";

type OffSite = NonNullable<Env["backup"]["offSite"]>;

/** Sends the list beside the local copies when it has grown. Throws StoreFailed or BadSeal. */
export async function sendErasures(
  { db, env }: Pick<Deps, "db" | "env">,
  signal?: AbortSignal,
): Promise<void> {
  const { offSite, dir } = env.backup;
  const known = offSite ? readErasureList(dir) : [];
  if (!offSite || known.length === Number(readSetting(db, SENT) ?? 0)) return;
  const store = openStore(offSite, signal);
  const all = mergeErasures(known, await listIn(store, offSite));
  const text = Readable.from([Buffer.from(erasureLines(all))]);
  await store.put(NAME, await buffer(Readable.from(sealing(offSite.encryptionKey, NAME)(text))));
  keepErasures(dir, all);
  writeSetting(db, SENT, String(all.length));
}

/** Adds what the store's list has to the one in `folder`. Throws StoreFailed or BadSeal. */
export async function fetchErasures(offSite: OffSite, folder: string): Promise<void> {
  keepErasures(folder, await listIn(openStore(offSite), offSite));
}

async function listIn(store: CopyStore, { encryptionKey }: OffSite): Promise<Erasure[]> {
  const sealed = await store.read(NAME);
  if (!sealed) return [];
  return parseErasures(
    (await buffer(Readable.from(opening(encryptionKey, NAME)(sealed)))).toString("utf8"),
  );
}
