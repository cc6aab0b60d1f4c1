/** What the owner has saved, what is noted by name, and the key by which contacts are known again. */
import { createHmac } from "node:crypto";
import { z } from "zod";
import type { SavedSettings } from "#app/model/settings-fields.ts";
import { storedJson } from "#app/model/stored-json.ts";
import { type Db, sqlite } from "#db/connection.server.ts";

/** Null: never noted. */
export function readSetting(db: Db, key: string): string | null {
  const settings = sqlite.selectFrom("setting").select("value");
  return db.first(settings.where("key", "=", key))?.value ?? null;
}

export function writeSetting(tx: Db, key: string, value: string): void {
  tx.run(sqlite.replaceInto("setting").values({ key, value }));
}

/** With which keys the provider last made an order, as `providerKeyHashes` knows them again. */
export const ORDER_KEYS = "order_keys";

/**
 * Addresses and numbers are known again without being kept: under a random key that was made once and
 * stays in the database, whatever becomes of the session secrets.
 */
export const CONTACT_KEY_SETTING = "contact_key";

/** 43 characters of base64url. Upper and lower case are one. */
export function contactHash(db: Db, text: string): string {
  return contactHasher(db)(text);
}

/** For many texts: the key is read once. */
export function contactHasher(db: Db): (text: string) => string {
  const key = Buffer.from(readSetting(db, CONTACT_KEY_SETTING)!, "hex");
  return (text) => createHmac("sha256", key).update(text.toLowerCase()).digest("base64url");
}

/** JSON; asked with every request, so it is not built anew. */
export function readSavedText(db: Db): string {
  return db.firstRaw<{ saved: string }>("SELECT saved FROM owner_settings")!.saved;
}

/** Every value was checked when it was saved. */
export function savedSettingsOf(text: string): SavedSettings {
  return storedJson("owner_settings.saved", text, savedSchema, {}) as SavedSettings;
}

const savedSchema = z.record(z.string(), z.unknown());

export function readSavedSettings(db: Db): { saved: SavedSettings; version: number } {
  const row = db.first(sqlite.selectFrom("owner_settings").select(["saved", "version"]))!;
  return { saved: savedSettingsOf(row.saved), version: row.version };
}

/** Raises the version. */
export function writeSavedSettings(tx: Db, saved: SavedSettings): void {
  tx.run(
    sqlite.updateTable("owner_settings").set((eb) => ({
      saved: JSON.stringify(saved),
      version: eb("version", "+", 1),
    })),
  );
}
