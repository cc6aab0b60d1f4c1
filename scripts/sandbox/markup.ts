/** HTML of the sandbox's pages. */
const ENTITIES: Record<string, string> = { "&": "amp", "<": "lt", ">": "gt", '"': "quot" };

export function html(value: unknown): string {
  return String(value ?? "").replace(/[&<>"]/g, (sign) => `&${ENTITIES[sign]};`);
}

export function hiddenInputs(fields: Iterable<[string, unknown]>): string {
  const input = ([name, value]: [string, unknown]) =>
    `<input type="hidden" name="${html(name)}" value="${html(value)}">`;
  return Array.from(fields, input).join("");
}

export function rupees(paise: number): string {
  return (paise / 100).toLocaleString("en-IN", { style: "currency", currency: "INR" });
}

export function htmlDocument(title: string, body: string, script?: string): string {
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>${html(title)}</title>
<link rel="icon" href="data:,">
<link rel="stylesheet" href="/__sandbox/sandbox.css">
${script ? `<script src="${script}" defer></script>` : ""}
</head>
<body>
${body}
</body>
</html>
`;
}

export function noticePage(title: string, words: string): string {
  return htmlDocument(
    `${title} (sandbox)`,
    `<main class="pay"><h1>${html(title)}</h1><p>${html(words)}</p></main>`,
  );
}
