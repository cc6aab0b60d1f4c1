/** What the owner is to look through after a restore: numbers that may have gone out since the copy. */
import { z } from "zod";
import type { Deps } from "#app/core/deps.server.ts";
import { storedJson } from "#app/model/stored-json.ts";
import type { Db } from "#db/connection.server.ts";
import { readSetting, writeSetting } from "#db/queries/settings.server.ts";
import { RESTORED_SETTING } from "#db/restore.server.ts";

const schema = z.object({
  /** Of the copy, milliseconds UTC. */
  takenAt: z.number(),
  /** The invoice and the credit note that are the last in it. */
  last: z.array(z.string()),
  seriesLetter: z.string(),
});

export type RestoredCopy = z.output<typeof schema>;

/** Null: no restore, or it was looked through. */
export function readRestored(db: Db): RestoredCopy | null {
  const text = readSetting(db, RESTORED_SETTING);
  return text ? storedJson(RESTORED_SETTING, text, schema.nullable(), null) : null;
}

export function dismissRestored({ db }: Pick<Deps, "db">): void {
  writeSetting(db, RESTORED_SETTING, "");
}
