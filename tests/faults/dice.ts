import { SeededRandom } from "#scripts/sandbox/random.ts";

/** Seeded choices: the same seed makes the same plan. */
export class Dice {
  readonly #random: SeededRandom;

  constructor(seed: number) {
    // Neighbouring seeds must not give neighbouring plans.
    this.#random = new SeededRandom(Math.imul(seed + 1, 0x9e3779b1));
  }

  /** A whole number from `least` to `most`, both inclusive. */
  between(least: number, most: number): number {
    return least + Math.floor(this.#random.next() * (most - least + 1));
  }

  often(probability: number): boolean {
    return this.#random.next() < probability;
  }

  pick<T>(items: readonly T[]): T {
    return items[this.between(0, items.length - 1)] as T;
  }

  /** One of the keys, as often as its weight says. */
  weighted<K extends string>(weights: Record<K, number>): K {
    const entries = Object.entries(weights) as [K, number][];
    let left = this.#random.next() * entries.reduce((sum, [, weight]) => sum + weight, 0);
    for (const [key, weight] of entries) {
      left -= weight;
      if (left < 0) return key;
    }
    return entries[0]![0];
  }
}
