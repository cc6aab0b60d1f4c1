/**
 * Finished PDFs of ledger rows, one or a month of them. A row never changes and gives the same bytes
 * whenever it is rendered, so each file is made once for all who ask at the same time, and kept
 * while there is room.
 */
import { createHash } from "node:crypto";
import type { PrintableDocument } from "#db/ledger-document.ts";

type Printed = PrintableDocument | readonly PrintableDocument[];

/** About 120 invoices. */
const MOST_BYTES = 4 * 2 ** 20;

export class KeptDocuments {
  readonly #render: (printed: Printed) => Promise<Buffer>;
  readonly #mostBytes: number;
  /** By what is printed, in the order of last use. */
  readonly #kept = new Map<string, Buffer>();
  readonly #making = new Map<string, Promise<Buffer>>();
  #bytes = 0;

  constructor(render: (printed: Printed) => Promise<Buffer>, mostBytes = MOST_BYTES) {
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
    let making = this.#making.get(key);
    if (!making) {
      making = this.#make(key, printed).finally(() => this.#making.delete(key));
      this.#making.set(key, making);
    }
    return making;
  }

  async #make(key: string, printed: Printed): Promise<Buffer> {
    const bytes = await this.#render(printed);
    // One large file would push out all the others.
    if (bytes.length > this.#mostBytes / 2) return bytes;
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
