/** The body of a provider's event without what it says of a person. */

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

interface EventBody {
  event?: unknown;
  payload?: Record<string, { entity?: Record<string, unknown> } | undefined>;
}

/** `body` is JSON; what it holds beside the fields above is left out, whatever its name. */
export function withoutPersonalData(body: string): string {
  const { event, payload = {} } = JSON.parse(body) as EventBody;
  const kept = Object.entries(payload).map(([name, part]) => {
    const fields = Object.entries(part?.entity ?? {}).filter(
      ([key, value]) => KEPT_FIELDS.has(key) && (value === null || typeof value !== "object"),
    );
    return [name, { entity: Object.fromEntries(fields) }];
  });
  return JSON.stringify({ event, payload: Object.fromEntries(kept) });
}
