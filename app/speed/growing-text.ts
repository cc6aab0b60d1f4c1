/** Encodes piece by piece: to join and encode a long text at the end would hold up other requests. */
export class GrowingText {
  #bytes: Buffer;
  #used: number;

  constructor(start: string) {
    this.#bytes = Buffer.from(start);
    this.#used = this.#bytes.length;
  }

  /** Makes room for so many more bytes. The system provides the memory only as it is written to. */
  reserve(length: number): void {
    const larger = Buffer.allocUnsafeSlow(this.#used + length);
    this.#bytes.copy(larger, 0, 0, this.#used);
    this.#bytes = larger;
  }

  add(text: string): void {
    const length = Buffer.byteLength(text);
    if (this.#used + length > this.#bytes.length) this.reserve(2 * (this.#used + length));
    this.#used += this.#bytes.write(text, this.#used);
  }

  bytes(): Buffer {
    return this.#bytes.subarray(0, this.#used);
  }
}
