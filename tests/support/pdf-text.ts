import { getDocument } from "pdfjs-dist/legacy/build/pdf.mjs";

/** The text of every page, as a reader that did not write it sees it. */
export async function pdfText(bytes: Uint8Array): Promise<string> {
  return (await pagesOf(bytes)).join(" ").replace(/\s+/g, " ");
}

/** What stands on the last page below a line, in points from the top of an A4 page. */
export async function footOf(bytes: Uint8Array, top: number): Promise<string> {
  const document = await getDocument({ data: new Uint8Array(bytes), verbosity: 0 }).promise;
  const { items } = await (await document.getPage(document.numPages)).getTextContent();
  await document.destroy();
  const below = items.map((item) =>
    "str" in item && 842 - item.transform[5] > top ? item.str : "",
  );
  return below.join("").replace(/\s+/g, " ");
}

/** The same, page by page. */
export async function pagesOf(bytes: Uint8Array): Promise<string[]> {
  const document = await getDocument({ data: new Uint8Array(bytes), verbosity: 0 }).promise;
  const pages: string[] = [];
  for (let number = 1; number <= document.numPages; number++) {
    const content = await (await document.getPage(number)).getTextContent();
    const text = content.items.map((item) => ("str" in item ? item.str : "")).join(" ");
    pages.push(text.replace(/\s+/g, " "));
  }
  await document.destroy();
  return pages;
}
