/** One document of the ledger, whatever became of its appointment. */

import { href } from "react-router";
import { depsContext } from "#app/core/deps.server.ts";
import { QueueFull } from "#app/core/work-queue.server.ts";
import { pdfResponse } from "#app/http/file-response.server.ts";
import { goOn } from "#app/routes/admin/parts/forms.server.ts";
import { documentNumber } from "#app/routes/admin/parts/words.ts";
import { findDocument } from "#db/queries/documents.server.ts";
import type { Route } from "./+types/document";

export async function loader({ params, context, request }: Route.LoaderArgs): Promise<Response> {
  const deps = context.get(depsContext);
  const document = findDocument(deps.db, documentNumber(params.number));
  if (!document) throw new Response("Not Found", { status: 404 });
  try {
    return await pdfResponse(deps, request, document);
  } catch (error) {
    if (!(error instanceof QueueFull)) throw error;
    return goOn(deps, href("/admin/documents"), {
      title: "Download Failed",
      description: "Failed to download invoice.",
      variant: "destructive",
    });
  }
}
