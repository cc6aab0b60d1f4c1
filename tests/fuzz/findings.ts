/** What a storm has found, each kind once, printed as soon as it is found. */
import { mkdirSync, writeFileSync } from "node:fs";
import { bytesOf, describeShot, type Shot } from "./shot.ts";
import { clock } from "./watch.ts";

const FOLDER = "test-results/fuzz";

export class Findings {
  readonly #times = new Map<string, number>();
  readonly #seed: number;
  #startedAt = clock();

  constructor(seed: number) {
    this.#seed = seed;
  }

  begin(): void {
    this.#startedAt = clock();
  }

  get size(): number {
    return this.#times.size;
  }

  /** Each with how often it was seen. */
  list(): string[] {
    return [...this.#times].map(([what, times]) => `${what} (${times} times)`);
  }

  has(what: string, shot: Shot | null): boolean {
    return this.#times.has(signature(what, shot));
  }

  /** `shots`: how many were sent until it was seen, `at` that moment. Null: no single request does it. */
  add(what: string, shot: Shot | null, shots: number, at = clock()): void {
    const key = signature(what, shot);
    const times = (this.#times.get(key) ?? 0) + 1;
    this.#times.set(key, times);
    if (times > 1) return;
    const seconds = ((at - this.#startedAt) / 1000).toFixed(1);
    const head = `FOUND after ${seconds} s and ${shots} requests (seed ${this.#seed}): ${what}`;
    if (!shot) {
      console.log(head);
      return;
    }
    mkdirSync(FOLDER, { recursive: true });
    const file = `${FOLDER}/${this.#seed}-${this.size}.http`;
    writeFileSync(file, bytesOf(shot));
    console.log(`${head}\n${describeShot(shot)}\nIts bytes stand in ${file}.`);
  }
}

/** Two findings of one signature are one. */
export function signature(what: string, shot: Shot | null): string {
  const plain = what
    .split("\n")[0]!
    .replace(/\d+ (ms|MB).*?(?=, and|$)/, "…")
    .replace(/of \d+ /, "");
  return shot ? `${plain}: ${shot.kind} ${shot.method} ${shot.target}` : plain;
}
