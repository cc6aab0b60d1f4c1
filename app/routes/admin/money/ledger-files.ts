/** Downloads: one document, a month of them as one PDF, the accountant's files. */
import { href, type LoaderFunctionArgs, redirect } from "react-router";
import { actorOf } from "#app/auth/require-admin.server.ts";
import { type Deps, depsContext } from "#app/core/deps.server.ts";
import { MAX_DOCUMENTS_IN_FILE, TooManyDocuments } from "#app/core/services.ts";
import { QueueFull } from "#app/core/work-queue.server.ts";
import { exportDocuments, exportGstMonth } from "#app/documents/exports.server.ts";
import { pdfResponse, workbookResponse } from "#app/http/file-response.server.ts";
import { check } from "#app/model/fields.ts";
import { papersSchema } from "#app/model/month.ts";
import { goOn } from "#app/routes/admin/parts/forms.server.ts";
import { documentNumber } from "#app/routes/admin/parts/words.ts";
import { findDocument, listDocuments } from "#db/queries/documents.server.ts";
import { askedMonth } from "./documents-month.server.ts";

/** The file, or the reason why there is none. */
type FileOf = (deps: Deps, asked: LoaderFunctionArgs) => Promise<Response | string>;

const LATER = "Please try again in a moment.";

/** With what is said while too many files are being made. */
const FILES: ReadonlyMap<string, readonly [FileOf, busy: string]> = new Map([
  ["admin/documents/:number", [oneDocument, "Failed to download invoice."]],
  ["admin/documents/month", [documentsOfMonth, LATER]],
  ["admin/documents/gst", [gstWorkbook, LATER]],
]);

export async function loader(asked: LoaderFunctionArgs): Promise<Response> {
  const deps = asked.context.get(depsContext);
  const [fileOf, busy] = FILES.get(asked.pattern.replace(/^\//, ""))!;
  const file = await fileOf(deps, asked).catch((error: unknown) => {
    if (error instanceof QueueFull) return busy;
    throw error;
  });
  if (file instanceof Response) return file;
  const failed = { title: "Download Failed", description: file, variant: "destructive" } as const;
  return goOn(deps, pageOf(asked.url.searchParams.get("month")), failed);
}

function pageOf(month: string | null): string {
  return href("/admin/documents") + (month === null ? "" : `?${new URLSearchParams({ month })}`);
}

async function oneDocument(deps: Deps, { params, request }: LoaderFunctionArgs) {
  const document = findDocument(deps.db, documentNumber(params.number ?? ""));
  if (!document) throw new Response("Not Found", { status: 404 });
  return pdfResponse(deps, request, document);
}

const TOO_MANY = `One file holds ${MAX_DOCUMENTS_IN_FILE} documents, and this month has more. Please open them one by one.`;

/** Without a month of the present one. */
async function documentsOfMonth(deps: Deps, { url, context, request }: LoaderFunctionArgs) {
  const { month, errors } = askedMonth(url, deps.now());
  if (errors) return redirect(pageOf(url.searchParams.get("month")), 303);
  const documents = listDocuments(deps.db, month.from, month.to);
  if (documents.length === 0) return "This month has no documents.";
  const headers = new Headers({
    "Content-Type": "application/pdf",
    "Content-Disposition": `attachment; filename="documents_${month.value}.pdf"`,
  });
  if (request.method === "HEAD") return new Response(null, { headers });
  try {
    const file = await exportDocuments(deps, actorOf(context), month, documents);
    if (!file.ok) return file.message;
    headers.set("Content-Length", String(file.value.length));
    return new Response(new Uint8Array(file.value), { headers });
  } catch (error) {
    if (error instanceof TooManyDocuments) return TOO_MANY;
    throw error;
  }
}

/** An invalid month redirects to the page, which shows the error at its field. */
async function gstWorkbook(deps: Deps, { url, context, request }: LoaderFunctionArgs) {
  const month = url.searchParams.get("month") ?? "";
  const format = url.searchParams.get("format") ?? undefined;
  const query = check(papersSchema, { month, format });
  if (!query.ok) return redirect(pageOf(month), 303);
  const { value } = query;
  if (request.method === "HEAD") return workbookResponse({ fileName: `.${value.format}` });
  const file = await exportGstMonth(deps, actorOf(context), value.month, value.format);
  return file.ok ? workbookResponse(file.value) : file.message;
}
