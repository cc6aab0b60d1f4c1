import { api, failureJson } from "#app/api-contract/api.server.ts";
import { isId } from "#app/lib/ids.ts";
import { failure } from "#app/lib/outcome.ts";
import { findAppointment } from "#db/queries/appointments.server.ts";
import { findInvoiceOf } from "#db/queries/documents.server.ts";
import { pdfResponse } from "./pdf-response.server.ts";

const NOT_AVAILABLE = "Invoice is not available for this appointment.";

const route = api({
  async GET({ deps, params, request }) {
    const { id } = params;
    const known = isId(id) && findAppointment(deps.db, id) !== null;
    const invoice = known ? findInvoiceOf(deps.db, id) : null;
    if (!invoice) return failureJson(failure("not_found", NOT_AVAILABLE));
    return pdfResponse(deps, request, invoice);
  },
});

export const loader = route;
export const action = route;
