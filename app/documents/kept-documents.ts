/**
 * Finished PDFs of ledger rows, one or a month of them. A row never changes and gives the same bytes
 * whenever it is rendered, so each file is kept while there is room.
 */
import { createHash } from "node:crypto";
import type { PrintableDocument } from "#db/ledger-document.ts";

type Printed = PrintableDocument | readonly PrintableDocument[];

/** About 120 invoices. */
const MOST_BYTES = 4 * 2 ** 20;

export class KeptDocuments {
  readonly #render: (printed: Printed, key: string) => Promise<Buffer>;
  readonly #mostBytes: number;
  /** By what is printed, in the order of last use. */
  readonly #kept = new Map<string, Buffer>();
  #bytes = 0;

  /** `render` is given the key under which those who ask at the same time are one. */
  constructor(render: (printed: Printed, key: string) => Promise<Buffer>, mostBytes = MOST_BYTES) {
    this.#render = render;
    this.#mostBytes = mostBytes;
  }

  /** Rejects with what rendering rejects with; the next to ask tries again. */
  async read(printed: Printed): Promise<Buffer> {
    const key = createHash("sha256").update(JSON.stringify(printed)).digest("base64");
    const known = this.#kept.get(key);
    if (known) {
      this.#kept.delete(key);
      this.#kept.set(key, known);
      return known;
    }
    const bytes = await this.#render(printed, key);
    // One large file would push out all the others.
    if (bytes.length > this.#mostBytes / 2 || this.#kept.has(key)) return bytes;
    this.#kept.set(key, bytes);
    this.#bytes += bytes.length;
    for (const [oldest, { length }] of this.#kept) {
      if (this.#bytes <= this.#mostBytes) break;
      this.#kept.delete(oldest);
      this.#bytes -= length;
    }
    return bytes;
  }
}
