interface File {
  fileName: string;
  bytes: Uint8Array;
}

const XLSX = "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet";

/** The workbook as a download; the head alone for who asks for no more. */
export function workbookResponse(file: File | null): Response {
  const headers = new Headers({ "Content-Type": XLSX });
  if (file === null) return new Response(null, { headers });
  headers.set("Content-Disposition", `attachment; filename="${file.fileName}"`);
  headers.set("Content-Length", String(file.bytes.length));
  return new Response(new Uint8Array(file.bytes), { headers });
}
