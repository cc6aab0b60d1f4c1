import { api, failureJson } from "#app/http/json.server.ts";
import { pdfResponse } from "#app/http/pdf-response.server.ts";
import { isId } from "#app/model/ids.ts";
import { failure } from "#app/model/outcome.ts";
import { findAppointment } from "#db/queries/appointments.server.ts";
import { findInvoiceOf } from "#db/queries/documents.server.ts";

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
