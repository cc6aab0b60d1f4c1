import { createHmac } from "node:crypto";
import type { Clock } from "#scripts/sandbox/clock.ts";
import type { Courier } from "#scripts/sandbox/courier.ts";
import { newToken } from "#scripts/sandbox/random.ts";
import type { Switches } from "#scripts/sandbox/switches.ts";
import type { LedgerEvent } from "./entities.ts";

const ACCOUNT_ID = "acc_SBX00000000001";

/**
 * Turns ledger facts into webhook events: raw bytes made once, signed, given to the courier. Of the secrets
 * the first signs; the second is the one that it replaced.
 */
export function makeEvents(
  clock: Clock,
  courier: Courier,
  switches: Switches,
  url: string | undefined,
  [current = "", old = "sandbox_old_hook_secret"]: string[],
) {
  type SentEvent = ReturnType<typeof record>;
  const sent: SentEvent[] = [];
  const muted = new Set<string>();

  function record({ event, payload }: LedgerEvent) {
    const foreign = switches.take("webhook_escaped", event);
    const entities = Object.entries(payload).map(([name, entity]) => {
      return [name, { entity: foreign ? withForeignNotes(entity) : entity }];
    });
    const body = JSON.stringify({
      entity: "event",
      account_id: ACCOUNT_ID,
      event,
      contains: Object.keys(payload),
      payload: Object.fromEntries(entities),
      created_at: clock.seconds(),
    });
    const ofPayment = /^(payment\.(?!dispute)|order\.)/.test(event);
    const isMuted = ofPayment && muted.has(payload.payment.id);
    const isSent = !isMuted && url !== undefined && !switches.take("webhook_off", event);
    const bytes = foreign ? escaped(body, foreign.value === "escaped") : body;
    return { id: newToken(), event, body: bytes, isSent };
  }

  async function dispatch({ id, event, body }: SentEvent): Promise<void> {
    const delay = switches.amount("webhook_delay", event);
    const eventIds = [id];
    if (switches.take("webhook_duplicate", event)) eventIds.push(id);
    if (switches.take("webhook_duplicate_new_id", event)) eventIds.push(newToken());
    for (const eventId of eventIds) await post({ id, event, body }, eventId, delay);
  }

  async function post(what: Omit<SentEvent, "isSent">, eventId: string, delay = 0) {
    if (!url) return;
    const body = Buffer.from(what.body, "utf8");
    const signature = sign(what.event, body);
    const headers: Record<string, string> = {
      "Content-Type": "application/json",
      "User-Agent": "Razorpay-Webhook/v1",
      "x-razorpay-event-id": eventId,
      ...(signature ? { "X-Razorpay-Signature": signature } : {}),
    };
    await courier.post({ about: what.id, url, headers, body }, delay);
  }

  function sign(event: string, body: Buffer): string | undefined {
    if (switches.take("webhook_unsigned", event)) return undefined;
    let secret = current;
    if (switches.take("webhook_old_secret", event)) secret = old;
    else if (switches.take("webhook_wrong_signature", event)) secret = `wrong-${current}`;
    return createHmac("sha256", secret).update(body).digest("hex");
  }

  return {
    sent,
    /** This payment's own events are recorded and not sent; its refunds' and disputes' are. */
    mute: (paymentId: string) => muted.add(paymentId),
    /** One step's events, first attempts one after another in the given order or backwards. */
    publish(batch: LedgerEvent[]): Promise<void> {
      const made = batch.map(record);
      sent.push(...made);
      const names = made.map(({ event }) => event).join(" ");
      const shuffle = made.length > 1 && switches.take("webhook_shuffle", names);
      const dispatchAll = async () => {
        for (const event of shuffle ? made.toReversed() : made) {
          if (event.isSent) await dispatch(event);
        }
      };
      return courier.track(dispatchAll());
    },
    clear(): void {
      sent.length = 0;
      muted.clear();
    },
  };
}

export type Events = ReturnType<typeof makeEvents>;

function withForeignNotes(entity: object): object {
  const notes = "notes" in entity && !Array.isArray(entity.notes) ? (entity.notes as object) : {};
  return { ...entity, notes: { ...notes, sandbox: "अभिषेक é – ₹1,179 / https://example.com/a" } };
}

/** As a PHP back end writes JSON: slashes escaped, other characters raw or as \uXXXX. */
export function escaped(body: string, unicode: boolean): string {
  const slashes = body.replaceAll("/", "\\/");
  if (!unicode) return slashes;
  return slashes.replace(
    /[^\0-~]/g,
    (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, "0")}`,
  );
}
