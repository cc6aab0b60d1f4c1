/** Copies that left the machine: which there are, and how one comes back. */
import { createWriteStream, rmSync } from "node:fs";
import { dirname } from "node:path";
import { pipeline } from "node:stream/promises";
import { createZstdDecompress } from "node:zlib";
import { opening } from "#app/core/sealed-stream.server.ts";
import { requireRoom } from "#db/backup.server.ts";
import { PRIVATE_FILE } from "#db/private-files.ts";
import { madeAtOf } from "./copy-names.ts";
import { type OffSite, openStore, StoreFailed } from "./copy-store.server.ts";
import type { LastOffSite } from "./last-off-site.server.ts";

/** Copies in the store, the newest first. Throws StoreFailed. */
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
 * Fetches, opens and unpacks a copy into `path`; `latest` is the newest. How large it is unpacked
 * nobody knows before: at least as sealed, and most likely `likely` bytes. Throws StoreFailed, NoRoom,
 * or BadSeal for one that was changed, cut short, or sealed under another key.
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
    throw new StoreFailed(
      wanted === "latest" ? "The store has no copy." : `The store has no copy ${wanted}.`,
    );
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
