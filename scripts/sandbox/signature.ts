import { createHmac, randomBytes } from "node:crypto";

const ALPHABET = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789";

export function hmacHex(secret: string, message: string | Buffer): string {
  return createHmac("sha256", secret).update(message).digest("hex");
}

/** What the browser brings back after a payment: the order goes first. */
export function checkoutSignature(keySecret: string, orderId: string, paymentId: string): string {
  return hmacHex(keySecret, `${orderId}|${paymentId}`);
}

export function metaSignature(appSecret: string, body: string | Buffer): string {
  return `sha256=${hmacHex(appSecret, body)}`;
}

/** Provider ids are a prefix and 14 letters or digits. */
export function newId(prefix: string): string {
  let id = "";
  for (const byte of randomBytes(14)) id += ALPHABET[byte % ALPHABET.length];
  return `${prefix}_${id}`;
}

export function digits(count: number): string {
  let out = "";
  for (const byte of randomBytes(count)) out += String(byte % 10);
  return out;
}
