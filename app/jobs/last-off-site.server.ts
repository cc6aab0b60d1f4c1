/** The last good copy off the machine: what is noted of it, and whether it should be newer. */
import type { Deps } from "#app/core/deps.server.ts";
import { keyIdOf } from "#app/core/sealed-stream.server.ts";
import { HOUR } from "#app/model/duration.ts";
import { readSetting, writeSetting } from "#db/queries/documents.server.ts";
import type { OffSite } from "./copy-store.server.ts";

const LAST_GOOD = "last_off_site";

export interface LastOffSite {
  name: string;
  /** When the copy was made, milliseconds UTC. */
  at: number;
  /** Sealed. */
  bytes: number;
}

export function readLastOffSite({ db }: Pick<Deps, "db">): LastOffSite | null {
  const last = readLast(db);
  return last && { name: last.name, at: last.at, bytes: last.bytes };
}

/** False also where none is, and where its key is not noted. */
export function isLastUnderKey({ db }: Pick<Deps, "db">, { encryptionKey }: OffSite): boolean {
  return readLast(db)?.key === keyIdOf(encryptionKey);
}

function readLast(db: Deps["db"]): (LastOffSite & { key?: string }) | null {
  return JSON.parse(readSetting(db, LAST_GOOD) || "null");
}

/** True once one was due and has not come: two intervals and the time of sending. */
export function isOffSiteLate({ everyHours }: OffSite, lastGood: number, now: number): boolean {
  return now - lastGood > (2 * everyHours + 1) * HOUR;
}

/** `key` as `keyIdOf` names it. */
export function noteOffSite({ db }: Pick<Deps, "db">, last: LastOffSite, key?: string): void {
  writeSetting(db, LAST_GOOD, JSON.stringify({ ...last, key }));
}
