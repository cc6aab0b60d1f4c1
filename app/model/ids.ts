import { randomBytes, randomInt } from "node:crypto";

/** 32 letters and digits, without four that are easily misread. */
const ALPHABET = "abcdefghijkmnpqrstuvwxyz23456789";

/** 26 characters of 5 random bits each: the last 6 or 8 are worth showing. */
export function newId(length = 26): string {
  return Array.from(randomBytes(length), (byte) => ALPHABET[byte & 31]).join("");
}

/** The secret in the address of a captain's calendar. */
export function newFeedSecret(): string {
  return newId(32);
}

const LETTERS = "abcdefghijklmnopqrstuvwxyz";

/** 20 random letters: the name of a room. */
export function newRoomCode(): string {
  return Array.from({ length: 20 }, () => LETTERS[randomInt(LETTERS.length)]).join("");
}

const ID_PATTERN = /^[a-z0-9]{26}$/;

export function isId(text: unknown): text is string {
  return typeof text === "string" && ID_PATTERN.test(text);
}

/** The last 8 characters, which a person can read out. */
export function shortId(id: string): string {
  return id.slice(-8);
}

/** The last 6 characters after a hash sign, for the admin's tables. */
export function tableId(id: string): string {
  return `#${id.slice(-6)}`;
}

const OFFLINE_PREFIX = "offline_";

/** The id of an offline payment; no provider's id begins like it. */
export function newOfflinePaymentId(): string {
  return `${OFFLINE_PREFIX}${newId()}`;
}

export function isOfflinePayment(paymentId: string): boolean {
  return paymentId.startsWith(OFFLINE_PREFIX);
}
