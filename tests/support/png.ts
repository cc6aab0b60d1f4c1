/** A picture to be uploaded. */
import sharp from "sharp";

/** A green one of this size. */
export async function png(width: number, height: number): Promise<Uint8Array<ArrayBuffer>> {
  const create = { width, height, channels: 3, background: "#00c800" } as const;
  return new Uint8Array(await sharp({ create }).png().toBuffer());
}
