/** Reads single variables and gathers one sentence per fault, each beginning with the name. */
export class Reader {
  readonly faults: string[] = [];
  readonly warnings: string[] = [];
  readonly #source: Record<string, string | undefined>;

  constructor(source: Record<string, string | undefined>) {
    this.#source = source;
  }

  has(name: string): boolean {
    return this.optional(name) !== null;
  }

  /** Empty and blank values count as not set. */
  optional(name: string): string | null {
    const value = this.#source[name]?.trim();
    return value ? value : null;
  }

  text(name: string, fallback: string): string {
    return this.optional(name) ?? fallback;
  }

  /** Empty text, with a fault if it is demanded, when not set. */
  demanded(name: string, isDemanded: boolean, pattern?: RegExp): string {
    const value = this.optional(name);
    if (value === null) return isDemanded ? this.fault(name, "is missing", "") : "";
    if (pattern && !pattern.test(value)) return this.fault(name, "has a wrong form", value);
    return value;
  }

  number(name: string, fallback: number, range: { min?: number; max?: number } = {}): number {
    const text = this.optional(name);
    if (text === null) return fallback;
    const value = Number(text);
    const min = range.min ?? Number.MIN_VALUE;
    if (!Number.isFinite(value) || value < min || value > (range.max ?? Number.MAX_VALUE)) {
      return this.fault(
        name,
        `must be a number ${range.min === undefined ? "above 0" : `of at least ${range.min}`}`,
        fallback,
      );
    }
    return value;
  }

  integer(name: string, fallback: number, range: { min?: number; max?: number } = {}): number {
    const value = this.number(name, fallback, range);
    return Number.isInteger(value) ? value : this.fault(name, "must be a whole number", fallback);
  }

  flag(name: string, fallback: boolean): boolean {
    const text = this.optional(name);
    if (text === null) return fallback;
    if (text === "1" || text === "true") return true;
    if (text === "0" || text === "false") return false;
    return this.fault(name, "must be 1 or 0", fallback);
  }

  oneOf(name: string, fallback: string, values: readonly string[]): string {
    const text = this.optional(name) ?? fallback;
    return values.includes(text)
      ? text
      : this.fault(name, `must be one of ${values.join(", ")}`, fallback);
  }

  fault<T>(name: string, sentence: string, value: T): T {
    this.faults.push(`${name} ${sentence}`);
    return value;
  }
}
