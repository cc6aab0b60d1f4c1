/** One document of the ledger, whatever became of its appointment. */

import { href } from "react-router";
import { RendererBusy } from "#app/documents/renderer.server.ts";
import { depsContext } from "#app/lib/deps.server.ts";
import { pdfResponse } from "#app/routes/downloads/pdf-response.server.ts";
import { findDocument } from "#db/queries/documents.server.ts";
import type { Route } from "./+types/document";
import { documentNumber } from "./documents-month.server.ts";
import { goOn } from "./forms.server.ts";

export async function loader({ params, context, request }: Route.LoaderArgs): Promise<Response> {
  const deps = context.get(depsContext);
  const document = findDocument(deps.db, documentNumber(params.number));
  if (!document) throw new Response("Not Found", { status: 404 });
  try {
    return await pdfResponse(deps, request, document);
  } catch (error) {
    if (!(error instanceof RendererBusy)) throw error;
    return goOn(deps, href("/admin/documents"), {
      title: "Download Failed",
      description: "Failed to download invoice.",
      variant: "destructive",
    });
  }
}
