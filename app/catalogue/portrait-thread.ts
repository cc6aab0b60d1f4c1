/** The thread's entry: a picture in, the portrait in each width out; null for what is no picture. */
import { answerJob } from "#app/core/thread-job.ts";
import { PORTRAIT_WIDTHS } from "#app/model/catalogue.ts";

export interface PortraitVersion {
  width: number;
  /** WebP, square, without metadata. */
  bytes: Uint8Array;
}

const MOST_PIXELS = 24_000_000;
const QUALITY = 82;
/** Seconds. */
const LONGEST = 8;
const READERS = ["Jpeg", "Png", "Webp"].map((kind) => `VipsForeignLoad${kind}Buffer`);

answerJob(make);

/** Cut to the card's square around what draws the eye; of a moving picture the first frame. */
async function make(picture: Uint8Array): Promise<PortraitVersion[] | null> {
  const { default: sharp } = await import("sharp");
  sharp.cache(false);
  sharp.concurrency(1);
  sharp.block({ operation: ["VipsForeignLoad"] });
  sharp.unblock({ operation: READERS });
  const [largest, ...smaller] = PORTRAIT_WIDTHS.toSorted((a, b) => b - a);
  try {
    const whole = await sharp(picture, { limitInputPixels: MOST_PIXELS })
      .autoOrient()
      .resize(largest, largest, { fit: "cover", position: sharp.strategy.attention })
      .timeout({ seconds: LONGEST })
      .png({ compressionLevel: 0 })
      .toBuffer();
    const widths = [largest!, ...smaller];
    return await Promise.all(
      widths.map(async (width) => {
        const bytes = await sharp(whole).resize(width).webp({ quality: QUALITY }).toBuffer();
        return { width, bytes: new Uint8Array(bytes) };
      }),
    );
  } catch {
    return null;
  }
}
