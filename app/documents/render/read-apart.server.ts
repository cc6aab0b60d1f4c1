/** What a worker thread reads from the database. */
import { LOGO_PNG_WIDTH } from "#app/model/catalogue.ts";
import { type Db, inSnapshot, openDb } from "#db/connection.server.ts";
import { findPortrait } from "#db/queries/catalogue.server.ts";

/** Reads one snapshot of the database on a connection of its own, because threads cannot share one. */
export function readApart<T>(databasePath: string, read: (snapshot: Db) => T): T {
  using db = openDb(databasePath, { readonly: true });
  return inSnapshot(db, read);
}

/** Logos as `data:` URLs, by id: the PDF library may load no other URLs. */
export type Logos = ReadonlyMap<string, string>;

/** Leaves out empty ids, and ids without a picture. */
export function readLogos(databasePath: string, ids: readonly string[]): Logos {
  const wanted = [...new Set(ids)].filter(Boolean);
  return readApart(databasePath, (db) => {
    const found = wanted.map((id) => [id, findPortrait(db, id, LOGO_PNG_WIDTH)] as const);
    return new Map(found.flatMap(([id, png]) => (png ? [[id, dataUrl(png)]] : [])));
  });
}

function dataUrl(png: Uint8Array): string {
  return `data:image/png;base64,${Buffer.from(png).toString("base64")}`;
}
