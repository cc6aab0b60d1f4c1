/** A ZIP archive that is packed while its texts are made, so that none is ever whole in memory. */
import { Zip, ZipDeflate } from "fflate";

/** Characters packed at a time. */
const PIECE = 2 ** 16;
const NOTHING = new Uint8Array();

/** The texts' pieces are asked for one after the other. */
export function zipOf(files: Iterable<readonly [path: string, text: Iterable<string>]>): Buffer {
  const written: Uint8Array[] = [];
  const zip = new Zip((error, bytes) => {
    if (error) throw error;
    written.push(bytes);
  });
  // The first day that the format knows: the same content gives the same bytes.
  const mtime = new Date(1980, 0, 1);
  for (const [path, text] of files) {
    const file = Object.assign(new ZipDeflate(path), { mtime });
    zip.add(file);
    let waiting = "";
    for (const piece of text) {
      waiting += piece;
      if (waiting.length < PIECE) continue;
      file.push(Buffer.from(waiting));
      waiting = "";
    }
    file.push(Buffer.from(waiting));
    file.push(NOTHING, true);
  }
  zip.end();
  return Buffer.concat(written);
}
