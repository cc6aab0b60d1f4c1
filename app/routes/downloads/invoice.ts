import { findInvoiceOf } from "#db/queries/documents.server.ts";
import { documentCall } from "./document-call.server.ts";

const route = documentCall(findInvoiceOf, "Invoice is not available for this appointment.");

export { route as action, route as loader };
