/** A month of the ledger as one PDF. */
import { href } from "react-router";
import { depsContext } from "#app/core/deps.server.ts";
import { MAX_DOCUMENTS_IN_FILE, TooManyDocuments } from "#app/core/services.ts";
import { QueueFull } from "#app/core/work-queue.server.ts";
import { goOn } from "#app/routes/admin/parts/forms.server.ts";
import { listDocuments } from "#db/queries/documents.server.ts";
import type { Route } from "./+types/documents-of-month";
import { askedMonth } from "./documents-month.server.ts";

const TOO_MANY = `One file holds ${MAX_DOCUMENTS_IN_FILE} documents, and this month has more. Please open them one by one.`;

export async function loader({ url, context, request }: Route.LoaderArgs): Promise<Response> {
  const deps = context.get(depsContext);
  const { month } = askedMonth(url, deps.now());
  const documents = listDocuments(deps.db, month.from, month.to);
  const page = `${href("/admin/documents")}?month=${month.value}`;
  const failed = { title: "Download Failed", variant: "destructive" } as const;
  if (documents.length === 0) {
    return goOn(deps, page, { ...failed, description: "This month has no documents." });
  }
  const headers = new Headers({
    "Content-Type": "application/pdf",
    "Content-Disposition": `attachment; filename="documents_${month.value}.pdf"`,
  });
  if (request.method === "HEAD") return new Response(null, { headers });
  try {
    const bytes = await deps.documents.renderMonth(documents);
    headers.set("Content-Length", String(bytes.length));
    return new Response(new Uint8Array(bytes), { headers });
  } catch (error) {
    if (error instanceof TooManyDocuments)
      return goOn(deps, page, { ...failed, description: TOO_MANY });
    if (!(error instanceof QueueFull)) throw error;
    return goOn(deps, page, { ...failed, description: "Please try again in a moment." });
  }
}
