/** The stored portraits, each in its widths. */
import { type Db, sqlite } from "#db/connection.server.ts";

interface PortraitVersion {
  id: string;
  width: number;
  bytes: Uint8Array;
}

export function findPortrait(db: Db, id: string, width: number): Uint8Array | null {
  const ofId = sqlite.selectFrom("portrait").select("bytes").where("id", "=", id);
  return db.first(ofId.where("width", "=", width))?.bytes ?? null;
}

/** The same bytes have the same id: once is enough. */
export function savePortrait(tx: Db, version: PortraitVersion): void {
  tx.run(
    sqlite
      .insertInto("portrait")
      .values(version)
      .onConflict((conflict) => conflict.doNothing()),
  );
}

export function deleteUnusedPortraits(tx: Db): void {
  const used = sqlite.selectFrom("counselor").select("portrait").where("portrait", "is not", null);
  tx.run(sqlite.deleteFrom("portrait").where("id", "not in", used.$castTo<{ portrait: string }>()));
}
