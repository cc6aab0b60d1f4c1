import { expect, it } from "vitest";
import { accentStyles, contrast, LEAST_CONTRAST, shadesOf } from "./accent.ts";

/** The grounds of `app/tokens.css` and `app/app.css` on which text in the accent stands, as sRGB. */
const GROUNDS = {
  light: ["#ffffff", "#f6f9fc", "#eaf0f7"],
  dark: ["#0a101d", "#0b111f", "#121a2a", "#111c3c", "#1c2948"],
};

/** Every corner, grey and many colours between. */
const COLOURS = Array.from({ length: 9 ** 3 }, (_, i) => {
  const part = (n: number) =>
    Math.min((n % 9) * 32, 255)
      .toString(16)
      .padStart(2, "0");
  return `#${part(i)}${part(Math.floor(i / 9))}${part(Math.floor(i / 81))}`;
});

it.each(["light", "dark"] as const)("has shades that can be read in the %s theme", (theme) => {
  for (const colour of COLOURS) {
    const { action, actionHover, actionSoft, onAction } = shadesOf(colour, theme);
    for (const text of [action, actionHover]) {
      for (const ground of [...GROUNDS[theme], actionSoft, onAction]) {
        const is = contrast(text, ground);
        expect(is, `${colour}: ${text} on ${ground}`).toBeGreaterThanOrEqual(LEAST_CONTRAST);
      }
    }
  }
});

it("keeps a colour that can be read as it is, and the hue of another", () => {
  expect(shadesOf("#7a1f5c", "light").action).toBe("#7a1f5c");
  expect(shadesOf("#ffd400", "light").action).toMatch(/^#[5-9]\w[4-7]\w0\w$/);
  expect(shadesOf("#0000ff", "dark").action).toBe("#6c9bfe");
  expect(contrast("#000000", "#ffffff")).toBeCloseTo(21);
});

it("is written as styles that win over the tokens", () => {
  expect(accentStyles("#7a1f5c")).toContain(":root:root{--color-action:#7a1f5c;");
});
