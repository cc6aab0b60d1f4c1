import { existsSync, mkdirSync, readFileSync, renameSync, writeFileSync } from "node:fs";
import { dirname } from "node:path";

const WAIT = 500;

/** One JSON file, written to a neighbour and renamed, so that a stop at any moment leaves a whole file. */
export class StateFile<T> {
  readonly #path: string;
  readonly #take: () => T;
  #timer: NodeJS.Timeout | undefined;

  constructor(path: string, take: () => T) {
    this.#path = path;
    this.#take = take;
  }

  /** undefined when there is no file yet, or none that can be read. */
  read(): T | undefined {
    if (!existsSync(this.#path)) return undefined;
    try {
      return JSON.parse(readFileSync(this.#path, "utf8")) as T;
    } catch {
      return undefined;
    }
  }

  soon(): void {
    if (this.#timer) return;
    this.#timer = setTimeout(() => {
      try {
        this.write();
      } catch (error) {
        console.error(`the sandbox's state is not saved: ${(error as Error).message}`);
      }
    }, WAIT);
    this.#timer.unref();
  }

  write(): void {
    clearTimeout(this.#timer);
    this.#timer = undefined;
    mkdirSync(dirname(this.#path), { recursive: true });
    const next = `${this.#path}.next`;
    writeFileSync(next, JSON.stringify(this.#take()), { mode: 0o600 });
    renameSync(next, this.#path);
  }
}
