/**
 * Files that leave the machine: sealed piece by piece with AES-256-GCM (NIST SP 800-38D), so that
 * any size takes the same memory. Each file has a key of its own, which HKDF (RFC 5869) makes of the
 * owner's and a random salt; the number of a piece, and whether it is the last, are in its nonce
 * (the STREAM construction), so that none can be changed, left out, moved or cut off unseen.
 */
import { createCipheriv, createDecipheriv, hkdfSync, randomBytes } from "node:crypto";

const CIPHER = "aes-256-gcm";
const MAGIC = Buffer.from("SEALED1\n");
const SALT_BYTES = 32;
const MARK_BYTES = 8;
const HEAD_BYTES = MAGIC.length + SALT_BYTES + MARK_BYTES;
const TAG_BYTES = 16;
const PIECE_BYTES = 64 * 1024;

/** What is wrong with a sealed file, as a sentence. */
export class BadSeal extends Error {
  override name = "BadSeal";
  /** True if it was sealed under another key: the file itself may be whole. */
  readonly isOtherKey: boolean;

  constructor(message: string, isOtherKey = false) {
    super(message);
    this.isOtherKey = isOtherKey;
  }
}

type Bytes = AsyncIterable<Buffer>;

/** For `pipeline`: seals with a key of 32 bytes. It opens only under the same name. */
export function sealing(key: Buffer, name: string) {
  return async function* (source: Bytes): AsyncGenerator<Buffer> {
    const salt = randomBytes(SALT_BYTES);
    const head = Buffer.concat([MAGIC, salt, markOf(key, salt)]);
    const ownKey = keyOf(key, salt, name);
    yield head;
    for await (const { bytes, nonce } of pieces(source, PIECE_BYTES)) {
      const cipher = createCipheriv(CIPHER, ownKey, nonce);
      yield Buffer.concat([cipher.update(bytes), cipher.final(), cipher.getAuthTag()]);
    }
  };
}

/** For `pipeline`: opens what `sealing` made. Throws BadSeal; what it passed on before is incomplete. */
export function opening(key: Buffer, name: string) {
  return async function* (source: Bytes): AsyncGenerator<Buffer> {
    const { head, rest } = await headOf(source);
    const salt = head.subarray(MAGIC.length, MAGIC.length + SALT_BYTES);
    if (!head.subarray(0, MAGIC.length).equals(MAGIC)) throw new BadSeal("It is no sealed copy.");
    if (head.length < HEAD_BYTES) throw new BadSeal("It is cut short.");
    if (!head.subarray(-MARK_BYTES).equals(markOf(key, salt))) {
      throw new BadSeal("It was made under another key.", true);
    }
    const ownKey = keyOf(key, salt, name);
    for await (const { bytes, nonce, isLast } of pieces(rest, PIECE_BYTES + TAG_BYTES)) {
      const text = openPiece(ownKey, nonce, bytes);
      // The last bytes are read as the last piece; if they are another piece, the end is missing.
      if (text === null && isLast)
        throw new BadSeal("It is cut short, changed, or has another name.");
      if (text === null) throw new BadSeal("Bytes of it were changed, or it has another name.");
      yield text;
    }
  };
}

function openPiece(key: Buffer, nonce: Buffer, bytes: Buffer): Buffer | null {
  if (bytes.length < TAG_BYTES) return null;
  const decipher = createDecipheriv(CIPHER, key, nonce, { authTagLength: TAG_BYTES });
  decipher.setAuthTag(bytes.subarray(-TAG_BYTES));
  try {
    return Buffer.concat([decipher.update(bytes.subarray(0, -TAG_BYTES)), decipher.final()]);
  } catch {
    // The authentication tag does not match.
    return null;
  }
}

/** Pieces of `size` bytes; the last one holds what is left, and may be empty. */
async function* pieces(source: Bytes, size: number) {
  let held: Buffer[] = [];
  let length = 0;
  let number = 0;
  for await (const bytes of source) {
    held.push(bytes);
    length += bytes.length;
    if (length <= size) continue;
    let whole = Buffer.concat(held);
    // A full piece is held back until more comes, because it may be the last one.
    for (; whole.length > size; whole = whole.subarray(size)) {
      yield { bytes: whole.subarray(0, size), nonce: nonceOf(number, false), isLast: false };
      number += 1;
    }
    held = [whole];
    length = whole.length;
  }
  yield { bytes: Buffer.concat(held), nonce: nonceOf(number, true), isLast: true };
}

async function headOf(source: Bytes): Promise<{ head: Buffer; rest: Bytes }> {
  const parts = source[Symbol.asyncIterator]();
  let begun = Buffer.alloc(0);
  while (begun.length < HEAD_BYTES) {
    const next = await parts.next();
    if (next.done) break;
    begun = Buffer.concat([begun, next.value]);
  }
  async function* rest() {
    yield begun.subarray(HEAD_BYTES);
    yield* { [Symbol.asyncIterator]: () => parts };
  }
  return { head: begun.subarray(0, HEAD_BYTES), rest: rest() };
}

function nonceOf(number: number, isLast: boolean): Buffer {
  const nonce = Buffer.alloc(12);
  nonce.writeUInt32BE(number, 7);
  nonce.writeUInt8(isLast ? 1 : 0, 11);
  return nonce;
}

function keyOf(key: Buffer, salt: Buffer, name: string): Buffer {
  return Buffer.from(hkdfSync("sha256", key, salt, `sealed file: ${name}`, 32));
}

/** A short name of a key, to notice that the key was changed. */
export const keyIdOf = (key: Buffer) => markOf(key, Buffer.alloc(0)).toString("hex");

/** Distinguishes another key from changed bytes, and reveals nothing of the key. */
function markOf(key: Buffer, salt: Buffer): Buffer {
  return Buffer.from(hkdfSync("sha256", key, salt, "mark of the key", MARK_BYTES));
}
