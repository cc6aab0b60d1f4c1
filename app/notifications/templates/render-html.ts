/**
 * The HTML of a message. Tables and inline styles, because Outlook renders with Word. The only image
 * is the logo beside the brand's name, so nothing is missing without it. Light colours are inline and
 * dark ones in a media query: clients that cannot read the query show a complete light mail.
 */
import { telLink } from "#app/model/tel-link.ts";
import type { TextBlock, TextRun } from "#app/model/text-blocks.ts";
import type { Block, Fact, Footer, MailContent, Pass, Tone } from "./content.ts";

const FONT =
  "-apple-system,BlinkMacSystemFont,'Segoe UI',Roboto,'Helvetica Neue',Arial,'Noto Sans Devanagari',sans-serif";

const INK = "#13213c";
const MUTED = "#52607a";
const LINE = "#cfd8e6";
const SKY = "#0b63ce";
const NAVY = "#10203f";

const TONES: Readonly<Record<Tone, { ink: string; ground: string }>> = {
  good: { ink: "#116b3b", ground: "#e5f5ec" },
  waiting: { ink: "#8a4b00", ground: "#fff1d9" },
  bad: { ink: "#a3201b", ground: "#fdeaea" },
};

/** Class → its dark colours. Outlook's app rewrites colours itself and needs a prefix. */
const DARK: Readonly<Record<string, string>> = {
  ground: "background-color:#0a1222 !important",
  sheet: "background-color:#131f38 !important;border-color:#2b3b5c !important",
  stub: "background-color:#182746 !important;border-color:#4a5d85 !important",
  head: "background-color:#1d3157 !important",
  ink: "color:#eef3fb !important",
  muted: "color:#aab8d0 !important",
  link: "color:#86bdff !important",
  button: "background-color:#1a6fdc !important",
  code: "background-color:#1b2a4a !important;border-color:#4a5d85 !important;color:#eef3fb !important",
  good: "color:#8ce0b0 !important;background-color:#10351f !important;border-color:#8ce0b0 !important",
  waiting:
    "color:#ffcf87 !important;background-color:#3d2a08 !important;border-color:#ffcf87 !important",
  bad: "color:#ffb0ab !important;background-color:#431a1a !important;border-color:#ffb0ab !important",
};

/** The Content-ID of the attached logo. */
export const LOGO_CID = "logo";
const LOGO_PIXELS = 48;

/** `hasLogo`: the logo is attached. */
export function renderHtml(content: MailContent, hasLogo = false): string {
  return `<!doctype html>
<html lang="en-IN" xmlns:v="urn:schemas-microsoft-com:vml" xmlns:o="urn:schemas-microsoft-com:office:office">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<meta name="supported-color-schemes" content="light dark">
<meta name="x-apple-disable-message-reformatting">
<meta name="format-detection" content="telephone=no, date=no, address=no, email=no">
<title>${escapeHtml(content.subject)}</title>
<!--[if mso]><xml><o:OfficeDocumentSettings><o:PixelsPerInch>96</o:PixelsPerInch></o:OfficeDocumentSettings></xml><style>table,td,p,a,h1,h2{font-family:Arial,sans-serif !important}</style><![endif]-->
<style>${stylesheet()}</style>
</head>
<body class="ground" style="margin:0;padding:0;background-color:#eaf0f8;-webkit-text-size-adjust:100%">
<div style="display:none;max-height:0;overflow:hidden;mso-hide:all">${escapeHtml(content.preview)}${"&#8199;&#65279;".repeat(60)}</div>
<table role="presentation" class="ground" width="100%" cellpadding="0" cellspacing="0" border="0" style="background-color:#eaf0f8">
<tr><td align="center" class="outer" style="padding:24px 12px;word-break:break-word">
<!--[if mso]><table role="presentation" width="600" cellpadding="0" cellspacing="0" border="0"><tr><td><![endif]-->
<table role="presentation" width="100%" cellpadding="0" cellspacing="0" border="0" style="max-width:600px;margin:0 auto">
<tr><td style="padding:0 4px 16px">
${brandHead(content.footer, hasLogo)}
</td></tr>
<tr><td class="sheet pad" bgcolor="#ffffff" style="background-color:#ffffff;border:1px solid ${LINE};border-radius:14px;padding:32px 32px 12px">
<h1 class="ink" style="margin:0 0 20px;font-family:${FONT};font-size:26px;line-height:33px;font-weight:700;color:${INK}">${escapeHtml(content.heading)}</h1>
${content.blocks.map(block).join("\n")}
</td></tr>
<tr><td style="padding:20px 4px 8px">
${footer(content.footer)}
</td></tr>
</table>
<!--[if mso]></td></tr></table><![endif]-->
</td></tr>
</table>
</body>
</html>
`;
}

function brandHead({ brand, tagline }: Footer, hasLogo: boolean): string {
  const name = paragraph(
    `<strong class="ink" style="color:${INK};font-size:18px">${escapeHtml(brand)}</strong><br><span class="muted" style="color:${MUTED};font-size:14px">${escapeHtml(tagline)}</span>`,
    0,
  );
  if (!hasLogo) return name;
  // Without alternative text, because the name stands beside it.
  const logo = `<img src="cid:${LOGO_CID}" width="${LOGO_PIXELS}" height="${LOGO_PIXELS}" alt="" style="display:block;border:0">`;
  return `<table role="presentation" cellpadding="0" cellspacing="0" border="0"><tr><td width="${LOGO_PIXELS}" style="padding:0 12px 0 0">${logo}</td><td>${name}</td></tr></table>`;
}

function escapeHtml(text: string): string {
  return text
    .replaceAll("&", "&amp;")
    .replaceAll("<", "&lt;")
    .replaceAll(">", "&gt;")
    .replaceAll('"', "&quot;")
    .replaceAll("'", "&#39;");
}

function stylesheet(): string {
  const dark = Object.entries(DARK);
  const media = dark.map(([name, rule]) => `.${name}{${rule}}`).join("");
  const outlook = dark.map(([name, rule]) => `[data-ogsc] .${name}{${rule}}`).join("");
  return `:root{color-scheme:light dark;supported-color-schemes:light dark}@media (max-width:480px){.outer{padding:12px 8px !important}.pad{padding:24px 18px 8px !important}.cell{padding-left:16px !important;padding-right:16px !important}.big{font-size:19px !important;line-height:25px !important}}@media (prefers-color-scheme:dark){${media}}${outlook}`;
}

function block(part: Block): string {
  switch (part.type) {
    case "paragraph":
      return paragraph(escapeHtml(part.text));
    case "heading":
      return `<h2 class="ink" style="margin:24px 0 8px;font-family:${FONT};font-size:18px;line-height:24px;font-weight:700;color:${INK}">${escapeHtml(part.text)}</h2>`;
    case "list":
      return list(part.items.map(escapeHtml));
    case "facts":
      return factTable(part.facts);
    case "button":
      return button(part.label, part.url);
    case "link":
      return paragraph(
        `${escapeHtml(part.before)}${anchor(part.label, part.url)}${escapeHtml(part.after)}`,
      );
    case "code":
      return `<table role="presentation" cellpadding="0" cellspacing="0" border="0" style="margin:8px 0 24px"><tr><td class="code" style="border:1px solid ${LINE};border-radius:8px;background-color:#f3f6fb;padding:16px 24px;font-family:Consolas,Menlo,monospace;font-size:32px;line-height:40px;letter-spacing:6px;font-weight:700;color:${INK}">${escapeHtml(part.code)}</td></tr></table>`;
    case "text":
      return part.blocks.map(written).join("\n");
    case "pass":
      return passTable(part.pass);
  }
}

function paragraph(html: string, below = 16): string {
  return `<p class="ink" style="margin:0 0 ${below}px;font-family:${FONT};font-size:16px;line-height:25px;color:${INK}">${html}</p>`;
}

/** `isForeign`: the link comes from text that a person has written. */
function anchor(label: string, url: string, isForeign = false): string {
  const rel = isForeign ? ' rel="noopener nofollow"' : "";
  return `<a class="link" href="${escapeHtml(url)}"${rel} style="color:${SKY};text-decoration:underline">${escapeHtml(label)}</a>`;
}

function written(block: TextBlock): string {
  if (block.type === "paragraph") return paragraph(runsOf(block.runs));
  return list(block.items.map(runsOf), block.start);
}

function runsOf(runs: readonly TextRun[]): string {
  const html = runs.map(({ text, url }) => (url ? anchor(text, url, true) : escapeHtml(text)));
  return html.join("").replaceAll("\n", "<br>");
}

/** `items` are HTML. A real list keeps its bullets in every client; Outlook honours the padding. */
function list(items: readonly string[], start: number | null = null): string {
  const rows = items.map(
    (item) =>
      `<li class="ink" style="margin:0 0 8px;font-family:${FONT};font-size:16px;line-height:25px;color:${INK}">${item}</li>`,
  );
  const [open, close] = start === null ? ["ul", "ul"] : [`ol start="${start}"`, "ol"];
  return `<${open} style="margin:0 0 16px;padding:0 0 0 22px">${rows.join("")}</${close}>`;
}

/** The colour is on the cell, so that the button shows even if the client removes CSS. */
function button(label: string, url: string): string {
  return `<table role="presentation" cellpadding="0" cellspacing="0" border="0" style="margin:8px 0 20px"><tr><td class="button" bgcolor="${SKY}" style="background-color:${SKY};border-radius:8px"><a href="${escapeHtml(url)}" style="display:inline-block;padding:14px 24px;font-family:${FONT};font-size:16px;line-height:22px;font-weight:700;color:#ffffff;text-decoration:none">${escapeHtml(label)}</a></td></tr></table>`;
}

function factTable(facts: readonly Fact[]): string {
  const rows = facts.map(
    (fact) =>
      `<tr><td class="muted" width="1%" valign="top" style="padding:6px 16px 6px 0;font-family:${FONT};font-size:14px;line-height:22px;color:${MUTED};white-space:nowrap">${escapeHtml(fact.label)}</td><td class="ink" valign="top" style="padding:6px 0;font-family:${FONT};font-size:16px;line-height:22px;color:${INK}">${factValue(fact)}</td></tr>`,
  );
  return `<table role="presentation" width="100%" cellpadding="0" cellspacing="0" border="0" style="margin:0 0 20px">${rows.join("")}</table>`;
}

function factValue(fact: Fact): string {
  return fact.url ? anchor(fact.value, fact.url) : escapeHtml(fact.value);
}

function passTable(p: Pass): string {
  const tone = TONES[p.tone];
  const { captain, date, starts, ends, duration, place, id } = p.session;
  const cell = (fact: Fact, big = false, wide = false) =>
    `<td class="cell" width="${wide ? "100%" : "50%"}" ${wide ? 'colspan="2" ' : ""}valign="top" style="padding:0 24px 18px">${label(fact.label)}<div class="ink${big ? " big" : ""}" style="font-family:${FONT};font-size:${big ? 22 : 17}px;line-height:${big ? 28 : 24}px;font-weight:${big ? 700 : 600};color:${INK}">${factValue(fact)}</div></td>`;
  const price = p.price
    .map(
      (fact, i) =>
        `<tr><td class="muted" style="padding:3px 0;font-family:${FONT};font-size:14px;line-height:20px;color:${MUTED}">${escapeHtml(fact.label)}</td><td class="ink" align="right" style="padding:3px 0;font-family:${FONT};font-size:${i === p.price.length - 1 ? 17 : 14}px;line-height:22px;font-weight:${i === p.price.length - 1 ? 700 : 400};color:${INK};white-space:nowrap">${escapeHtml(fact.value)}</td></tr>`,
    )
    .join("");
  return `<table role="presentation" class="sheet" width="100%" cellpadding="0" cellspacing="0" border="0" bgcolor="#ffffff" style="margin:4px 0 24px;background-color:#ffffff;border:1px solid ${LINE};border-radius:14px;border-collapse:separate;overflow:hidden">
<tr><td class="head cell" colspan="2" bgcolor="${NAVY}" style="background-color:${NAVY};padding:14px 24px;border-radius:13px 13px 0 0"><table role="presentation" width="100%" cellpadding="0" cellspacing="0" border="0"><tr><td style="font-family:${FONT};font-size:13px;line-height:18px;letter-spacing:1.5px;font-weight:700;color:#ffffff">SESSION PASS</td><td align="right" style="font-family:Consolas,Menlo,monospace;font-size:14px;line-height:18px;color:#d5e4fb">${escapeHtml(id.value)}</td></tr></table></td></tr>
<tr><td class="cell" colspan="2" style="padding:20px 24px 18px"><table role="presentation" cellpadding="0" cellspacing="0" border="0"><tr><td class="${p.tone}" style="border:2px solid ${tone.ink};border-radius:6px;background-color:${tone.ground};padding:5px 12px;font-family:${FONT};font-size:14px;line-height:20px;letter-spacing:1px;font-weight:700;color:${tone.ink}">${escapeHtml(p.stamp)}</td></tr></table></td></tr>
<tr>${cell(date, true, true)}</tr>
<tr>${cell(starts, true)}${cell(ends, true)}</tr>
<tr>${p.name ? cell(p.name) : ""}${cell(captain, false, p.name === null)}</tr>
<tr>${cell(duration)}${cell(id)}</tr>
<tr>${cell(place, false, true)}</tr>
${price === "" ? "" : `<tr><td class="stub cell" colspan="2" bgcolor="#f3f6fb" style="background-color:#f3f6fb;border-top:2px dashed #9fb0cb;padding:14px 24px 16px;border-radius:0 0 13px 13px"><table role="presentation" width="100%" cellpadding="0" cellspacing="0" border="0">${price}</table></td></tr>`}
</table>`;
}

function label(text: string): string {
  return `<div class="muted" style="font-family:${FONT};font-size:12px;line-height:18px;letter-spacing:0.6px;text-transform:uppercase;color:${MUTED}">${escapeHtml(text)}</div>`;
}

function footer(f: Footer): string {
  const small = (html: string) =>
    `<p class="muted" style="margin:0 0 8px;font-family:${FONT};font-size:14px;line-height:21px;color:${MUTED}">${html}</p>`;
  const grievance = f.grievance ? small(`Grievances: ${escapeHtml(f.grievance)}`) : "";
  const calling = f.phone ? `, or call ${anchor(f.phone, telLink(f.phone))}` : "";
  const questions = f.email
    ? small(
        `Questions? Reply to this mail or write to ${anchor(f.email, `mailto:${f.email}`)}${calling}.`,
      )
    : "";
  return `${questions}
${grievance}
${small(`${escapeHtml(f.business)}, ${escapeHtml(f.address)}`)}
${small(escapeHtml(f.reason))}`;
}
