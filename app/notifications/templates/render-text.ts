/**
 * The plain text of a message: as complete as the HTML, 72 characters wide. Nothing is drawn with
 * characters, because screen readers read it aloud.
 */
import { plainLines } from "#app/model/text-blocks.ts";
import type { Block, Fact, Footer, MailContent, Pass } from "./content.ts";

const WIDTH = 72;

export function renderText(content: MailContent): string {
  const parts = [wrap(content.heading), ...content.blocks.map(block), footer(content.footer)];
  return `${parts.join("\n\n")}\n`;
}

function block(part: Block): string {
  switch (part.type) {
    case "paragraph":
    case "heading":
      return wrap(part.text);
    case "list":
      return part.items.map((item) => wrap(item, "- ", "  ")).join("\n");
    case "facts":
      return facts(part.facts);
    case "button":
      return `${part.label}:\n${part.url}`;
    case "link":
      return part.label === part.url
        ? wrap(`${part.before}${part.label}${part.after}`)
        : `${wrap(`${part.before}${part.label}${part.after}`)}\n${part.url}`;
    case "code":
      return `    ${part.code}`;
    case "text":
      return plainLines(part.blocks)
        .map(({ first, text }) => wrap(text, first, " ".repeat(first.length)))
        .join("\n\n");
    case "pass":
      return pass(part.pass);
  }
}

function pass({ stamp, name, session, price }: Pass): string {
  const lines = [...(name ? [name] : []), ...Object.values(session)];
  return [`SESSION PASS: ${stamp}`, facts(lines), facts(price)].filter(Boolean).join("\n\n");
}

function facts(list: readonly Fact[]): string {
  const width = Math.max(0, ...list.map((fact) => fact.label.length)) + 2;
  return list
    .map((fact) => {
      const isMore = fact.url?.startsWith("http") && fact.url !== fact.value;
      return wrap(
        isMore ? `${fact.value} ${fact.url}` : fact.value,
        `${fact.label}:`.padEnd(width),
        " ".repeat(width),
      );
    })
    .join("\n");
}

function footer(f: Footer): string {
  return [
    `${f.brand}: ${f.tagline}`,
    wrap(`${f.business}, ${f.address}`),
    ...(f.email ? [`Write: ${f.email} (or simply reply)`] : []),
    ...(f.phone ? [`Call:  ${f.phone}`] : []),
    ...(f.grievance ? [wrap(`Grievances: ${f.grievance}`)] : []),
    "",
    wrap(f.reason),
  ].join("\n");
}

/** Breaks lines only at blanks: a longer address stays in one piece. */
function wrap(text: string, first = "", rest = ""): string {
  const lines: string[] = [];
  for (const paragraph of text.split("\n")) {
    let line = lines.length === 0 ? first : rest;
    let empty = true;
    for (const word of paragraph.split(" ").filter(Boolean)) {
      if (!empty && line.length + 1 + word.length > WIDTH) {
        lines.push(line);
        line = rest;
        empty = true;
      }
      line += empty ? word : ` ${word}`;
      empty = false;
    }
    lines.push(line);
  }
  return lines.join("\n");
}
