import { getDocument } from "pdfjs-dist/legacy/build/pdf.mjs";

/** The text of every page, as a reader that did not write it sees it. */
export async function pdfText(bytes: Uint8Array): Promise<string> {
  return (await pagesOf(bytes)).join(" ").replace(/\s+/g, " ");
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
