/** Signatures and ids as the outside world makes them. */
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

/** 14 letters or digits. */
export function newToken(): string {
  return [...randomBytes(14)].map((byte) => ALPHABET[byte % ALPHABET.length]).join("");
}

/** Provider ids are a prefix and 14 letters or digits. */
export function newId(prefix: string): string {
  return `${prefix}_${newToken()}`;
}

export function digits(count: number): string {
  return [...randomBytes(count)].map((byte) => byte % 10).join("");
}
