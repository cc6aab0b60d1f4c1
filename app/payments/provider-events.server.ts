/** The provider's webhooks: recorded at once, worked on by the background worker. */
import { z } from "zod";
import { BACKOFF, delay } from "#app/core/backoff.ts";
import type { Deps } from "#app/core/deps.server.ts";
import { ProviderError } from "#app/core/payment-provider.ts";
import { failure, type Outcome, success } from "#app/model/outcome.ts";
import { inTransaction } from "#db/connection.server.ts";
import {
  insertEvent,
  listDueEvents,
  type ProviderEvent,
  updateEvent,
} from "#db/queries/payments.server.ts";
import { withoutPersonalData } from "#db/queries/provider-event-body.ts";
import { applyPayment } from "./apply-payment.server.ts";
import { applyDispute } from "./disputes.server.ts";
import { isPaymentId, isRefundId } from "./razorpay.server.ts";
import { applyRefund, readUntoldRefunds } from "./refunds.server.ts";
import { isWebhookSignature } from "./signature.server.ts";

const BATCH = 20;
/** An event that the provider cannot confirm is tried for this long, then parked for a person. */
const GIVE_UP_MS = 5 * 86_400_000;

const entityOf = <T extends z.ZodType>(entity: T) => z.object({ entity }).optional();

/** Read tolerantly: samples of one event differ in what they carry. */
const eventSchema = z.object({
  event: z.string().max(100),
  payload: z
    .object({
      payment: entityOf(z.object({ id: z.string() })),
      order: entityOf(z.object({ id: z.string() })),
      refund: entityOf(z.object({ id: z.string(), payment_id: z.string().nullish() })),
      dispute: entityOf(
        z.object({
          id: z.string().max(100),
          payment_id: z.string(),
          amount: z.coerce.number().int().nullish(),
          status: z.string().nullish(),
        }),
      ),
    })
    .default({}),
});

/**
 * Records a webhook without what it says of a person; a repeat is recorded once. Refusals:
 * `invalid_signature`, `malformed_json` (a signed body that is no event).
 */
export function recordEvent(
  deps: Pick<Deps, "db" | "env" | "now" | "wake">,
  webhook: { body: Uint8Array; signature: string | null; eventId: string | null },
): Outcome<{ isNew: boolean }> {
  if (!isWebhookSignature(webhook.body, webhook.signature, deps.env.razorpay.webhookSecrets)) {
    return failure("invalid_signature", "The signature of this event is wrong.");
  }
  const text = Buffer.from(webhook.body).toString("utf8");
  const event = eventSchema.safeParse(parseJson(text));
  if (!event.success) return failure("malformed_json", "This is not an event.");
  const now = deps.now();
  const isNew = insertEvent(deps.db, {
    // Without the header the signature names the body, and equal bodies are one event.
    eventId: (webhook.eventId ?? `body-${webhook.signature}`).slice(0, 200),
    kind: event.data.event,
    body: withoutPersonalData(text),
    state: "new",
    nextTryAt: now,
    receivedAt: now,
  });
  if (isNew) deps.wake();
  return success({ isNew });
}

/** Works on what is due; answers the number of events done. */
export async function runProviderEvents(deps: Deps, signal?: AbortSignal): Promise<number> {
  let done = 0;
  for (const stored of listDueEvents(deps.db, deps.now(), BATCH)) {
    if (signal?.aborted) break;
    try {
      await workOn(deps, stored);
      done += 1;
    } catch (error) {
      if (!(error instanceof ProviderError)) throw error;
      postpone(deps, stored, error);
    }
  }
  return done;
}

async function workOn(deps: Deps, stored: ProviderEvent): Promise<void> {
  const { data: event } = eventSchema.safeParse(parseJson(stored.body));
  if (!event) throw new ProviderError("rejected", 0, "an event that cannot be read");
  const { payment, refund, dispute } = event.payload;
  const finish = (effect: (tx: Deps["db"], now: number) => void) =>
    inTransaction(deps.db, (tx) => {
      const now = deps.now();
      effect(tx as Deps["db"], now);
      updateEvent(tx, stored.eventId, { state: "done", doneAt: now, nextTryAt: null });
    });
  if (event.event.startsWith("refund.") && refund && isRefundId(refund.entity.id)) {
    const current = await deps.provider.fetchRefund(refund.entity.id);
    const owner = await deps.provider.fetchPayment(current.paymentId);
    finish((tx, now) => {
      applyPayment(tx, deps, owner, now);
      applyRefund(tx, deps, current, now);
    });
  } else if (event.event.startsWith("payment.dispute.") && dispute) {
    const { id, payment_id, amount } = dispute.entity;
    const phase = event.event.slice("payment.dispute.".length);
    finish((tx, now) =>
      applyDispute(
        tx,
        deps,
        { disputeId: id, paymentId: payment_id, amountPaise: amount ?? 0, phase },
        now,
      ),
    );
  } else if (payment && isPaymentId(payment.entity.id)) {
    const current = await deps.provider.fetchPayment(payment.entity.id);
    const untold = await readUntoldRefunds(deps, current);
    finish((tx, now) => {
      applyPayment(tx, deps, current, now);
      for (const told of untold) applyRefund(tx, deps, told, now);
    });
  } else finish(() => {});
  deps.wake();
}

/** A provider that does not answer is asked again; what it refuses for good is parked. */
function postpone(
  deps: Pick<Deps, "db" | "now" | "log">,
  stored: ProviderEvent,
  error: ProviderError,
): void {
  const now = deps.now();
  const final = error.fault === "rejected" || now - stored.receivedAt > GIVE_UP_MS;
  const attempts = stored.attempts + 1;
  deps.log.warn({ event: stored.kind, fault: error.fault, final }, "event not worked on yet");
  updateEvent(deps.db, stored.eventId, {
    state: final ? "parked" : "new",
    attempts,
    nextTryAt: final ? null : now + delay(attempts, BACKOFF.providerEvent),
    lastError: `${error.fault}: ${error.message}`,
  });
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
}
