/**
 * Runs as a separate process, because the image library is native. Reads a picture from standard
 * input; writes it in each width as JSON to standard output, or null if it is not a picture.
 */
import { buffer } from "node:stream/consumers";
import sharp, { type ResizeOptions } from "sharp";
import { LOGO_PNG_WIDTH, PORTRAIT_WIDTHS } from "#app/model/catalogue.ts";

export type MadePortrait = { width: number; base64: string }[] | null;

const MOST_PIXELS = 24_000_000;
const QUALITY = 82;
const READERS = ["Jpeg", "Png", "Webp"].map((kind) => `VipsForeignLoad${kind}Buffer`);

sharp.cache(false);
sharp.concurrency(1);
sharp.block({ operation: ["VipsForeignLoad"] });
sharp.unblock({ operation: READERS });

const IS_LOGO = process.argv.includes("logo");
/** A portrait is cropped to a square around what draws the eye; a logo is padded with transparency. */
const FIT: ResizeOptions = IS_LOGO
  ? { fit: "contain", background: { r: 0, g: 0, b: 0, alpha: 0 } }
  : { fit: "cover", position: sharp.strategy.attention };

process.stdout.write(JSON.stringify(await make(await buffer(process.stdin))));

/** WebP of the first frame, without metadata; of a logo a PNG too. */
async function make(picture: Buffer): Promise<MadePortrait> {
  const [largest = 0, ...smaller] = PORTRAIT_WIDTHS.toSorted((a, b) => b - a);
  try {
    const whole = await sharp(picture, { limitInputPixels: MOST_PIXELS })
      .autoOrient()
      .resize(largest, largest, FIT)
      .png({ compressionLevel: 0 })
      .toBuffer();
    const made = await Promise.all(
      [largest, ...smaller].map(async (width) => {
        const webp = await sharp(whole).resize(width).webp({ quality: QUALITY }).toBuffer();
        return { width, base64: webp.toString("base64") };
      }),
    );
    if (!IS_LOGO) return made;
    const png = await sharp(whole).resize(LOGO_PNG_WIDTH).png({ palette: true }).toBuffer();
    return [...made, { width: LOGO_PNG_WIDTH, base64: png.toString("base64") }];
  } catch {
    return null;
  }
}
