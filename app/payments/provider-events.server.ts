/** The provider's webhooks: recorded at once, processed by the background worker. */
import { z } from "zod";
import { BACKOFF } from "#app/core/backoff.ts";
import type { ChangeDeps, Deps } from "#app/core/deps.server.ts";
import { type Failed, LEASE_MS, type Queue, runQueue } from "#app/core/queue.server.ts";
import { ProviderError, parseJson } from "#app/core/services.ts";
import { DAY } from "#app/model/dates.ts";
import { failure, type Outcome, success } from "#app/model/outcome.ts";
import { queueMessages } from "#app/notifications/queue.server.ts";
import type { Db } from "#db/connection.server.ts";
import { OWN_EVENTS } from "#db/queries/health.server.ts";
import {
  insertEvent,
  leaseDueEvents,
  type ProviderEvent,
  retakeEvent,
  updateEvent,
} from "#db/queries/payments.server.ts";
import { withoutPersonalData } from "#db/queries/provider-event-body.ts";
import {
  applyReports,
  type PaymentReport,
  readDispute,
  readPayment,
} from "./payment-report.server.ts";
import { DISPUTE_ID, PAYMENT_ID, REFUND_ID } from "./razorpay-shapes.ts";
import { isWebhookSignature } from "./signature.server.ts";

/** An event that the provider cannot confirm is retried for this long, then left to a person. */
const GIVE_UP_MS = 5 * DAY;
/** The same for an event that the provider refuses: the keys may be changing. */
const REFUSED_MS = DAY;

const entityOf = <T extends z.ZodType>(entity: T) =>
  z.object({ entity }).optional().catch(undefined);

/** Read tolerantly: the fields of one event vary, and a hook whose events are refused is switched off. */
const eventSchema = z.object({
  event: z.string().max(100),
  payload: z
    .object({
      payment: entityOf(z.object({ id: z.string() })),
      order: entityOf(z.object({ id: z.string() })),
      refund: entityOf(z.object({ id: z.string(), payment_id: z.string().nullish() })),
      dispute: entityOf(z.object({ id: z.string() })),
    })
    .catch({}),
});

type Event = z.output<typeof eventSchema>;

/**
 * Records a webhook without personal data; a repeat is recorded once, and one that was given up is
 * taken anew. Refusals: `invalid_signature`, `malformed_json` (signed, but not an event).
 */
export function recordEvent(
  deps: ChangeDeps,
  webhook: { body: Uint8Array; signature: string | null; eventId: string | null },
): Outcome<{ isNew: boolean }> {
  if (!isWebhookSignature(webhook.body, webhook.signature, deps.env.razorpay.webhookSecrets)) {
    return failure("invalid_signature", "The signature of this event is wrong.");
  }
  const text = Buffer.from(webhook.body).toString("utf8");
  const event = eventSchema.safeParse(parseJson(text));
  if (!event.success) return failure("malformed_json", "This is not an event.");
  const now = deps.now();
  // Without the header the signature identifies the body; equal bodies are one event.
  const eventId = (webhook.eventId || `body-${webhook.signature}`).slice(0, 200);
  const { event: kind } = event.data;
  const recorded = insertEvent(deps.db, { eventId, kind, body: withoutPersonalData(text) }, now);
  const isNew = recorded || retakeEvent(deps.db, eventId, now);
  if (isNew) deps.wake();
  return success({ isNew });
}

/** Queues a payment or dispute as if a webhook had reported it; once per `eventId`. */
export function queueEvent(
  db: Db,
  eventId: string,
  { paymentId, disputeId }: { paymentId: string; disputeId?: string },
  now: number,
): void {
  const kind = disputeId ? OWN_EVENTS.dispute : OWN_EVENTS.payment;
  const payload = {
    payment: { entity: { id: paymentId } },
    ...(disputeId && { dispute: { entity: { id: disputeId } } }),
  };
  insertEvent(db, { eventId, kind, body: JSON.stringify({ event: kind, payload }) }, now);
}

/** Processes due events; returns how many are done. */
export function runProviderEvents(deps: Deps, signal?: AbortSignal): Promise<number> {
  const events: Queue<ProviderEvent> = {
    name: "provider events",
    keyOf: ({ eventId }) => eventId,
    attemptsOf: ({ attempts }) => attempts,
    backoff: BACKOFF.providerEvent,
    leaseMs: LEASE_MS,
    most: 20,
    take: (due) => leaseDueEvents(deps.db, due),
    work: (event) => workOn(deps, event),
    givesUp: ({ receivedAt }, { now, fault }) =>
      now - receivedAt > (fault === "rejected" ? REFUSED_MS : GIVE_UP_MS),
    putOff: (tx, event, failed) => putOff(tx, deps, event, failed),
  };
  return runQueue(deps, events, signal);
}

async function workOn(deps: Deps, stored: ProviderEvent): Promise<void> {
  const { data: event } = eventSchema.safeParse(parseJson(stored.body));
  if (!event) throw new ProviderError("rejected", 0, "an event that cannot be read");
  const report = await reportOf(deps, event);
  applyReports(deps, report ? [report] : [], (tx, now) =>
    updateEvent(tx, stored.eventId, { state: "done", doneAt: now, nextTryAt: null }),
  );
}

/** What the provider says now about an event's payment; null for other kinds of events. */
async function reportOf(deps: Deps, { event, payload }: Event): Promise<PaymentReport | null> {
  const { payment, refund, dispute } = payload;
  if (event.startsWith("payment.dispute.")) {
    return dispute && DISPUTE_ID.test(dispute.entity.id)
      ? readDispute(deps, dispute.entity.id)
      : null;
  }
  if (event.startsWith("refund.") && refund && REFUND_ID.test(refund.entity.id)) {
    const { paymentId } = await deps.provider.fetchRefund(refund.entity.id);
    return readPayment(deps, paymentId);
  }
  return payment && PAYMENT_ID.test(payment.entity.id)
    ? readPayment(deps, payment.entity.id)
    : null;
}

function putOff(
  tx: Db,
  { env }: Pick<Deps, "env">,
  { eventId, kind, receivedAt }: ProviderEvent,
  { now, attempts, nextTryAt, lastError }: Failed,
): void {
  const state = nextTryAt === null ? "parked" : "new";
  updateEvent(tx, eventId, { state, attempts, nextTryAt, lastError });
  if (nextTryAt !== null) return;
  queueMessages(tx, env, now, {
    type: "given_up",
    queue: "event",
    key: eventId,
    since: receivedAt,
    appointmentId: null,
    error: `${kind}: ${lastError}`,
  });
}
