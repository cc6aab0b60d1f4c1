/** Browsers show a PDF by a plugin of theirs, with a style: neither may be forbidden to it. */
const PDF_POLICY = "script-src 'none'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'";

/** A PDF shown in the browser, with its document number as the name of the file. */
export function pdfResponse(bytes: Buffer, number: string): Response {
  return new Response(new Uint8Array(bytes), {
    headers: {
      "Content-Type": "application/pdf",
      "Content-Disposition": `inline; filename="${number.replaceAll("/", "-")}.pdf"`,
      "Content-Length": String(bytes.length),
      "Content-Security-Policy": PDF_POLICY,
    },
  });
}
