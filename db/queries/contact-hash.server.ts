/**
 * Addresses and numbers that are known again without being kept: under a random key that was made
 * once and stays in the database, whatever becomes of the session secrets.
 */
import { createHmac } from "node:crypto";
import type { Db } from "#db/connection.server.ts";
import { readSetting } from "./documents.server.ts";

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
