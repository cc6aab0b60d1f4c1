/** Invoices and credit notes of an appointment, as PDF. */
import { readSession } from "#app/auth/session.server.ts";
import { refuseErased } from "#app/booking/change-rules.ts";
import type { Deps } from "#app/core/deps.server.ts";
import { pdfResponse } from "#app/http/file-response.server.ts";
import { type Call, calls, failureJson } from "#app/http/json.server.ts";
import { isId } from "#app/model/ids.ts";
import { failure } from "#app/model/outcome.ts";
import { mayDo } from "#app/model/roles.ts";
import type { PrintableDocument } from "#db/ledger-document.ts";
import { findAppointment } from "#db/queries/appointments.server.ts";
import {
  findCreditNoteOf,
  findCreditNoteOfRefund,
  findInvoiceOf,
} from "#db/queries/documents.server.ts";

const route = calls({
  "api/invoice/:id": {
    GET: documentCall(
      (id, { deps }) => findInvoiceOf(deps.db, id),
      "Invoice is not available for this appointment.",
    ),
  },
  "api/credit-note/:id": {
    GET: documentCall(findCreditNote, "Credit note is not available for this appointment."),
  },
});

/**
 * The document of an appointment, else 404 with the message `missing`. Once its customer is erased
 * it is for owners and staff alone, who keep the ledger.
 */
function documentCall(
  find: (appointmentId: string, call: Call) => PrintableDocument | null,
  missing: string,
) {
  return async (call: Call) => {
    const { deps, params, request } = call;
    const appointment = isId(params.id) ? findAppointment(deps.db, params.id) : null;
    const isOpen = appointment && (!refuseErased(appointment) || (await isStaff(deps, request)));
    const document = isOpen ? find(appointment.id, call) : null;
    if (!document) return failureJson(failure("not_found", missing));
    return pdfResponse(deps, request, document);
  };
}

async function isStaff(deps: Deps, request: Request): Promise<boolean> {
  const session = await readSession(deps, request);
  return session !== null && mayDo(session.admin.role, "bookings");
}

/** The credit note of the refund in the query, else the appointment's newest. */
function findCreditNote(appointmentId: string, { deps, url }: Call) {
  const refundId = url.searchParams.get("refund");
  if (refundId === null) return findCreditNoteOf(deps.db, appointmentId);
  const note = findCreditNoteOfRefund(deps.db, refundId);
  return note?.appointmentId === appointmentId ? note : null;
}

export { route as action, route as loader };
