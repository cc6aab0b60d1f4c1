/** The logos that stand on documents, read by the thread that writes them. */
import { LOGO_PNG_WIDTH } from "#app/model/catalogue.ts";
import { findPortrait } from "#db/queries/catalogue.server.ts";
import { readApart } from "./read-apart.server.ts";

/** By their ids, as `data:` addresses: the PDF library reads no other. */
export type Logos = ReadonlyMap<string, string>;

/** An empty id is none, and one whose picture is not there is left out. */
export function readLogos(databasePath: string, ids: readonly string[]): Logos {
  const wanted = [...new Set(ids)].filter(Boolean);
  return readApart(databasePath, (db) => {
    const found = wanted.map((id) => [id, findPortrait(db, id, LOGO_PNG_WIDTH)] as const);
    return new Map(found.flatMap(([id, png]) => (png ? [[id, addressOf(png)]] : [])));
  });
}

function addressOf(png: Uint8Array): string {
  return `data:image/png;base64,${Buffer.from(png).toString("base64")}`;
}
