/** Files as responses: a PDF shown in the browser, a workbook as a download. */
import type { Deps } from "#app/core/deps.server.ts";
import type { PrintableDocument } from "#db/ledger-document.ts";

/** Forbids neither plugins nor styles: browsers show a PDF with their own viewer. */
const PDF_POLICY = "script-src 'none'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'";

/** The PDF of a ledger row, named by its number. Throws QueueFull. */
export function pdfResponse(
  { documents }: Pick<Deps, "documents">,
  request: Pick<Request, "method">,
  document: PrintableDocument,
): Promise<Response> {
  const name = document.number.replaceAll("/", "-");
  return inlinePdf(request, name, () => documents.renderDocument(document));
}

/** A PDF shown in the browser; a HEAD request renders nothing. `name` needs no escaping. */
export async function inlinePdf(
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

/** A workbook or CSV as a download; the headers alone without `bytes`. */
export function workbookResponse(file: { fileName: string; bytes?: Uint8Array } | null): Response {
  const isCsv = file?.fileName.endsWith(".csv");
  const headers = new Headers({ "Content-Type": isCsv ? "text/csv; charset=utf-8" : XLSX });
  if (!file?.bytes) return new Response(null, { headers });
  headers.set("Content-Disposition", `attachment; filename="${file.fileName}"`);
  headers.set("Content-Length", String(file.bytes.length));
  return new Response(new Uint8Array(file.bytes), { headers });
}
