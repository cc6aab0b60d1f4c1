import { findCreditNoteOf, findCreditNoteOfRefund } from "#db/queries/documents.server.ts";
import { documentCall } from "./document-call.server.ts";

/** With `refund` that of one refund of the appointment, else the newest. */
const route = documentCall((db, appointmentId, query) => {
  const refundId = query.get("refund");
  if (refundId === null) return findCreditNoteOf(db, appointmentId);
  const note = findCreditNoteOfRefund(db, refundId);
  return note?.appointmentId === appointmentId ? note : null;
}, "Credit note is not available for this appointment.");

export { route as action, route as loader };
