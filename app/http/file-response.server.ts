/** Files as answers: a PDF that is shown, a workbook that is saved. */
import type { Deps } from "#app/core/deps.server.ts";
import type { PrintableDocument } from "#db/ledger-document.ts";

/** Browsers show a PDF by a plugin of theirs, with a style: neither may be forbidden to it. */
const PDF_POLICY = "script-src 'none'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'";

/**
 * The PDF of a ledger row, shown in the browser, with its number as the name of the file. Who asks
 * for the head alone has nothing rendered. Throws QueueFull.
 */
export function pdfResponse(
  { documents }: Pick<Deps, "documents">,
  request: Pick<Request, "method">,
  document: PrintableDocument,
): Promise<Response> {
  const name = document.number.replaceAll("/", "-");
  return shownPdf(request, name, () => documents.renderDocument(document));
}

/** A PDF with a plain name, shown in the browser; `render` is called only for who wants more than the head. */
export async function shownPdf(
  { method }: Pick<Request, "method">,
  name: string,
  render: () => Promise<Buffer>,
): Promise<Response> {
  const headers = new Headers({
    "Content-Type": "application/pdf",
    "Content-Disposition": `inline; filename="${name}.pdf"`,
    "Content-Security-Policy": PDF_POLICY,
  });
  if (method === "HEAD") return new Response(null, { headers });
  const bytes = await render();
  headers.set("Content-Length", String(bytes.length));
  return new Response(new Uint8Array(bytes), { headers });
}

const XLSX = "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet";

/** A workbook, or a table as CSV, as a download; the head alone for who asks for no more. */
export function workbookResponse(file: { fileName: string; bytes?: Uint8Array } | null): Response {
  const isCsv = file?.fileName.endsWith(".csv");
  const headers = new Headers({ "Content-Type": isCsv ? "text/csv; charset=utf-8" : XLSX });
  if (!file?.bytes) return new Response(null, { headers });
  headers.set("Content-Disposition", `attachment; filename="${file.fileName}"`);
  headers.set("Content-Length", String(file.bytes.length));
  return new Response(new Uint8Array(file.bytes), { headers });
}
