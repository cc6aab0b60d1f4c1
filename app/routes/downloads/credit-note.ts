import { api, failureJson } from "#app/api-contract/api.server.ts";
import { isId } from "#app/lib/ids.ts";
import { failure } from "#app/lib/outcome.ts";
import { findAppointment } from "#db/queries/appointments.server.ts";
import { findCreditNoteOf } from "#db/queries/documents.server.ts";
import { pdfResponse } from "./pdf-response.server.ts";

const NOT_AVAILABLE = "Credit note is not available for this appointment.";

const route = api({
  async GET({ deps, params, request }) {
    const { id } = params;
    const known = isId(id) && findAppointment(deps.db, id) !== null;
    const creditNote = known ? findCreditNoteOf(deps.db, id) : null;
    if (!creditNote) return failureJson(failure("not_found", NOT_AVAILABLE));
    return pdfResponse(deps, request, creditNote);
  },
});

export const loader = route;
export const action = route;
