/** Random ids as the outside world makes them, and random faults that a seed repeats. */
import { randomBytes } from "node:crypto";

const ALPHABET = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789";

/** 14 letters or digits. */
export function newToken(): string {
  return [...randomBytes(14)].map((byte) => ALPHABET[byte % ALPHABET.length]).join("");
}

/** The provider's ids are a prefix and 14 letters or digits. */
export function newId(prefix: string): string {
  return `${prefix}_${newToken()}`;
}

/** A seeded generator (mulberry32): the same seed gives the same faults. */
export class SeededRandom {
  #state: number;

  constructor(seed: number) {
    this.#state = seed >>> 0;
  }

  /** In [0, 1). */
  next(): number {
    this.#state = (this.#state + 0x6d2b79f5) >>> 0;
    let t = this.#state;
    t = Math.imul(t ^ (t >>> 15), t | 1);
    t ^= t + Math.imul(t ^ (t >>> 7), t | 61);
    return ((t ^ (t >>> 14)) >>> 0) / 4294967296;
  }
}
