/** The body of a provider's event without what it says of a person. */

/** What working on an event may still need: which things it is about, and how a dispute stands. */
const KEPT_FIELDS = ["id", "payment_id", "order_id", "amount", "status"];

interface EventBody {
  event?: unknown;
  payload?: Record<string, { entity?: Record<string, unknown> } | undefined>;
}

export function withoutPersonalData(body: string): string {
  const { event, payload = {} } = JSON.parse(body) as EventBody;
  const kept = Object.entries(payload).map(([name, part]) => {
    const fields = Object.entries(part?.entity ?? {}).filter(([key]) => KEPT_FIELDS.includes(key));
    return [name, { entity: Object.fromEntries(fields) }];
  });
  return JSON.stringify({ event, payload: Object.fromEntries(kept) });
}
