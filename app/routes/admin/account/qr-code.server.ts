/** A QR code as the path of an SVG, so that no image leaves the server and no style is inline. */
import { encode } from "uqr";

export interface QrCode {
  /** Width and height in modules, with the quiet zone around. */
  size: number;
  path: string;
}

const QUIET_ZONE = 4;

export function qrCode(text: string): QrCode {
  const { data } = encode(text, { ecc: "M", border: 0 });
  let path = "";
  data.forEach((row, y) => {
    row.forEach((dark, x) => {
      if (dark) path += `M${x + QUIET_ZONE} ${y + QUIET_ZONE}h1v1h-1z`;
    });
  });
  return { size: data.length + 2 * QUIET_ZONE, path };
}
