import type { Deps } from "#app/core/deps.server.ts";
import { failureJson, methods } from "#app/http/json.server.ts";
import { pdfResponse } from "#app/http/pdf-response.server.ts";
import { isId } from "#app/model/ids.ts";
import { failure } from "#app/model/outcome.ts";
import type { PrintableDocument } from "#db/ledger-document.ts";
import { findAppointment } from "#db/queries/appointments.server.ts";

/** The call for a document of an appointment; `missing` is said where there is none. */
export function documentCall(
  find: (db: Deps["db"], appointmentId: string, query: URLSearchParams) => PrintableDocument | null,
  missing: string,
) {
  return methods({
    GET({ deps, params: { id }, request, url }) {
      const isKnown = isId(id) && findAppointment(deps.db, id);
      const document = isKnown ? find(deps.db, id, url.searchParams) : null;
      if (!document) return failureJson(failure("not_found", missing));
      return pdfResponse(deps, request, document);
    },
  });
}
