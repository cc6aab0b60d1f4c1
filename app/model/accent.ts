/**
 * The shades of the owner's accent. Its hue stays; it is made darker, or in the dark theme lighter,
 * until text in it and text on it has a contrast of 4.5 (WCAG 1.4.3). Pure.
 */

/** OKLCH: lightness 0 to 1, chroma, hue in radians. */
type Colour = readonly [lightness: number, chroma: number, hue: number];
type Rgb = readonly [red: number, green: number, blue: number];

export const LEAST_CONTRAST = 4.5;

export interface Shades {
  action: string;
  actionHover: string;
  actionSoft: string;
  onAction: string;
}

/** Lightness of grounds and of the text on the accent, as in `app/tokens.css` and `app/app.css`. */
const THEMES = {
  light: {
    soft: [0.957, 0.03],
    on: [1, 0],
    grounds: ["#ffffff", "#eaf0f7"],
    step: -0.01,
    from: 0.6,
  },
  dark: {
    soft: [0.285, 0.06],
    on: [0.2, 0.05],
    grounds: ["#111827", "#1b2333", "#1e2c4f"],
    step: 0.01,
    from: 0.7,
  },
} as const;

/** `hex` is `#rrggbb`. */
export function shadesOf(hex: string, theme: keyof typeof THEMES): Shades {
  const { soft, on, grounds, step, from } = THEMES[theme];
  const [lightness, chroma, hue] = colourOf(rgbOf(hex));
  const shade = (l: number, c: number) => hexOf([l, Math.min(c, chroma), hue]);
  const actionSoft = shade(soft[0], soft[1]);
  const onAction = shade(on[0], on[1]);
  const isRead = (text: string) =>
    [...grounds, actionSoft, onAction].every((ground) => contrast(text, ground) >= LEAST_CONTRAST);
  let at = theme === "light" ? Math.min(lightness, from) : Math.max(lightness, from);
  while (at > 0 && at < 1 && !isRead(shade(at, 1))) at += step;
  return {
    action: shade(at, 1),
    // Further from the ground, so it is read all the better.
    actionHover: shade(at + 7 * step, 1),
    actionSoft,
    onAction,
  };
}

/** After the tokens, and stronger than they are. `hex` is `#rrggbb`. */
export function accentStyles(hex: string): string {
  const rule = (theme: keyof typeof THEMES) => {
    const { action, actionHover, actionSoft, onAction } = shadesOf(hex, theme);
    return `:root:root{--color-action:${action};--color-action-hover:${actionHover};--color-action-soft:${actionSoft};--color-on-action:${onAction}}`;
  };
  // The navy of the header and of the first screen is dark in both themes.
  const sky = `:root:root{--color-sky:${shadesOf(hex, "dark").action}}`;
  return `${rule("light")}${sky}\n@media screen and (prefers-color-scheme:dark){${rule("dark")}}\n`;
}

/** WCAG 2's, from 1 to 21. */
export function contrast(one: string, other: string): number {
  const [darker = 0, lighter = 0] = [one, other].map(luminance).sort((a, b) => a - b);
  return (lighter + 0.05) / (darker + 0.05);
}

function luminance(hex: string): number {
  const [red, green, blue] = rgbOf(hex);
  return 0.2126 * red + 0.7152 * green + 0.0722 * blue;
}

/** Linear light, 0 to 1. */
function rgbOf(hex: string): Rgb {
  const part = (at: number) => {
    const value = Number.parseInt(hex.slice(at, at + 2), 16) / 255;
    return value <= 0.04045 ? value / 12.92 : ((value + 0.055) / 1.055) ** 2.4;
  };
  return [part(1), part(3), part(5)];
}

/** Less colourful until a screen can show it. */
function hexOf([lightness, chroma, hue]: Colour): string {
  let rest = chroma;
  let rgb = linearOf([lightness, rest, hue]);
  while (rest > 0 && rgb.some((part) => part < -0.0005 || part > 1.0005)) {
    rest = Math.max(rest - 0.002, 0);
    rgb = linearOf([lightness, rest, hue]);
  }
  const parts = rgb.map((linear) => {
    const part = Math.min(Math.max(linear, 0), 1);
    const value = part <= 0.0031308 ? part * 12.92 : 1.055 * part ** (1 / 2.4) - 0.055;
    return Math.round(value * 255)
      .toString(16)
      .padStart(2, "0");
  });
  return `#${parts.join("")}`;
}

// Björn Ottosson's OKLab, https://bottosson.github.io/posts/oklab/

function colourOf([red, green, blue]: Rgb): Colour {
  const l = Math.cbrt(0.4122214708 * red + 0.5363325363 * green + 0.0514459929 * blue);
  const m = Math.cbrt(0.2119034982 * red + 0.6806995451 * green + 0.1073969566 * blue);
  const s = Math.cbrt(0.0883024619 * red + 0.2817188376 * green + 0.6299787005 * blue);
  const a = 1.9779984951 * l - 2.428592205 * m + 0.4505937099 * s;
  const b = 0.0259040371 * l + 0.7827717662 * m - 0.808675766 * s;
  const lightness = 0.2104542553 * l + 0.793617785 * m - 0.0040720468 * s;
  return [lightness, Math.hypot(a, b), Math.atan2(b, a)];
}

function linearOf([lightness, chroma, hue]: Colour): Rgb {
  const [a, b] = [chroma * Math.cos(hue), chroma * Math.sin(hue)];
  const l = (lightness + 0.3963377774 * a + 0.2158037573 * b) ** 3;
  const m = (lightness - 0.1055613458 * a - 0.0638541728 * b) ** 3;
  const s = (lightness - 0.0894841775 * a - 1.291485548 * b) ** 3;
  return [
    4.0767416621 * l - 3.3077115913 * m + 0.2309699292 * s,
    -1.2684380046 * l + 2.6097574011 * m - 0.3413193965 * s,
    -0.0041960863 * l - 0.7034186147 * m + 1.707614701 * s,
  ];
}
