/** The body of a provider's event without what it says of a person. */
import { anyObject, storedJson } from "#app/model/stored-json.ts";

/** What working on an event needs: which things it is about, sums in paise, states, error codes. */
const KEPT_FIELDS = new Set([
  "id",
  "payment_id",
  "order_id",
  "amount",
  "currency",
  "status",
  "amount_refunded",
  "refund_status",
  "error_code",
  "error_source",
  "error_step",
  "error_reason",
  "reason_code",
]);

/** What the body holds beside the fields above is left out, whatever its name. */
export function withoutPersonalData(body: string): string {
  const { event, payload } = storedJson("provider_event.body", body, anyObject, {});
  const kept = Object.entries(Object(payload)).map(([name, part]) => {
    const fields = Object.entries(Object(Object(part).entity)).filter(
      ([key, value]) => KEPT_FIELDS.has(key) && (value === null || typeof value !== "object"),
    );
    return [name, { entity: Object.fromEntries(fields) }];
  });
  return JSON.stringify({ event, payload: Object.fromEntries(kept) });
}
