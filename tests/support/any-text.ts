import fc from "fast-check";

const character = fc
  .integer({ min: 0, max: 0x10ffff })
  .filter((point) => point < 0xd800 || point > 0xdfff)
  .map((point) => String.fromCodePoint(point));

/** Of whole characters, whichever; the unit `binary` of fast-check takes a second to be made. */
export const anyText = (maxLength: number) => fc.string({ unit: character, maxLength });
