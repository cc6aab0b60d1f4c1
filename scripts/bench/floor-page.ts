/** The finished page as a plain tree of elements, for a floor that renders the same tree. */

export type PageNode =
  | string
  | { tag: string; attributes: Record<string, unknown>; children: PageNode[] };

const VOID = new Set(["area", "br", "col", "hr", "img", "input", "link", "meta", "source", "wbr"]);
/** True or absent in HTML, where React wants true. */
const FLAGS = new Set(
  "checked disabled hidden multiple open readonly required selected".split(" "),
);

/** The body without scripts and comments. React's own output is well formed. */
export function readPageTree(html: string): PageNode[] {
  const body = html.slice(html.indexOf(">", html.indexOf("<body")) + 1, html.indexOf("</body>"));
  const plain = body.replace(/<!--.*?-->/g, "").replace(/<script[^>]*>.*?<\/script>/gs, "");
  const root: PageNode[] = [];
  const open: PageNode[][] = [root];
  for (const [token] of plain.matchAll(/<[^>]*>|[^<]+/g)) {
    const here = open.at(-1)!;
    if (token.startsWith("</")) open.pop();
    else if (!token.startsWith("<")) here.push(plainText(token));
    else {
      const tag = /^<([^\s/>]+)/.exec(token)![1]!;
      const node = { tag, attributes: readAttributes(token), children: [] };
      here.push(node);
      if (!VOID.has(tag) && !token.endsWith("/>")) open.push(node.children);
    }
  }
  return root;
}

function readAttributes(token: string): Record<string, unknown> {
  const attributes: Record<string, unknown> = {};
  for (const [, name = "", value = ""] of token.matchAll(/\s([^\s=/>]+)="([^"]*)"/g)) {
    if (name === "style") attributes.style = readStyle(value);
    else if (name === "class") attributes.className = plainText(value);
    else attributes[name] = FLAGS.has(name.toLowerCase()) ? true : plainText(value);
  }
  return attributes;
}

function readStyle(value: string): Record<string, string> {
  const entries = value.split(";").map((one) => {
    const [name = "", ...rest] = one.split(":");
    return [
      name.trim().replace(/-([a-z])/g, (_, letter) => letter.toUpperCase()),
      rest.join(":").trim(),
    ];
  });
  return Object.fromEntries(entries.filter(([name]) => name !== ""));
}

const ENTITIES: Record<string, string> = { amp: "&", lt: "<", gt: ">", quot: '"' };

function plainText(text: string): string {
  return text
    .replace(/&#x([0-9a-f]+);/gi, (_, code) => String.fromCodePoint(Number.parseInt(code, 16)))
    .replace(/&(amp|lt|gt|quot);/g, (_, name) => ENTITIES[name]!);
}
