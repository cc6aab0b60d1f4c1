/** A PDF shown in the browser, with its document number as the name of the file. */
export function pdfResponse(bytes: Buffer, number: string): Response {
  return new Response(new Uint8Array(bytes), {
    headers: {
      "Content-Type": "application/pdf",
      "Content-Disposition": `inline; filename="${number.replaceAll("/", "-")}.pdf"`,
      "Content-Length": String(bytes.length),
    },
  });
}
