import type { Chance } from "./chance.ts";
import type { Clock } from "./clock.ts";
import type { Courier, Delivery } from "./courier.ts";
import type { LedgerEvent } from "./entities.ts";
import { hmacHex, newId } from "./signature.ts";
import { amountOf, type Switches } from "./switches.ts";

const ACCOUNT_ID = "acc_SBX00000000001";

export interface SentEvent {
  id: string;
  event: string;
  createdAt: number;
  body: string;
  /** Why nothing was sent, if so. */
  unsent: null | "no webhook address" | "switched off" | "muted" | "deactivated";
}

export interface EventSettings {
  webhookUrl: string | undefined;
  /** The first signs; the second is the secret of before a change. */
  webhookSecrets: string[];
}

/** Turns ledger facts into webhook events: raw bytes made once, signed, handed to the courier. */
export class Events {
  readonly sent: SentEvent[] = [];
  readonly #muted = new Set<string>();
  readonly #clock: Clock;
  readonly #courier: Courier;
  readonly #switches: Switches;
  readonly #chance: Chance;
  readonly #settings: EventSettings;
  /** Turned off after 24 hours of failure, until turned on by hand. */
  active = true;
  #lastSuccess = 0;

  constructor(
    clock: Clock,
    courier: Courier,
    switches: Switches,
    chance: Chance,
    settings: EventSettings,
  ) {
    this.#clock = clock;
    this.#courier = courier;
    this.#switches = switches;
    this.#chance = chance;
    this.#settings = settings;
  }

  setUrl(url: string | undefined): void {
    this.#settings.webhookUrl = url;
    this.active = true;
  }

  get url(): string | undefined {
    return this.#settings.webhookUrl;
  }

  /** This payment's own events are recorded and not sent; its refunds and disputes are. */
  mute(paymentId: string): void {
    this.#muted.add(paymentId);
  }

  noteDelivered(): void {
    this.#lastSuccess = this.#clock.tick();
  }

  noteGivenUp(delivery: Delivery): void {
    if (this.#lastSuccess < delivery.createdTick) this.active = false;
  }

  /** One step's events, first attempts one after another in the given (or shuffled) order. */
  publish(batch: LedgerEvent[]): Promise<void> {
    const prepared = batch.map((fact) => this.#prepare(fact));
    for (const { record } of prepared) this.sent.push(record);
    const subject = prepared.map(({ record }) => record.event).join(" ");
    const shuffle = prepared.length > 1 && this.#switches.take("webhook_shuffle", subject);
    const ordered = shuffle ? this.#chance.shuffled(prepared) : prepared;
    const work = (async () => {
      for (const { record } of ordered) if (record.unsent === null) await this.#dispatch(record);
    })();
    return this.#courier.track(work);
  }

  /** Sends a recorded event again, as a replay from the dashboard does. */
  resend(eventId: string, newId_ = false): Promise<void> {
    const record = this.sent.find((event) => event.id === eventId);
    if (!record || !this.url) return Promise.resolve();
    return this.#courier.track(this.#hand(record, newId_ ? newEventId() : record.id, 0));
  }

  restore(saved: SentEvent[], muted: string[]): void {
    this.sent.push(...saved);
    for (const id of muted) this.#muted.add(id);
  }

  muted(): string[] {
    return [...this.#muted];
  }

  clear(): void {
    this.sent.length = 0;
    this.#muted.clear();
    this.active = true;
  }

  #prepare(fact: LedgerEvent): { record: SentEvent } {
    const foreign = this.#switches.take("webhook_escaped", fact.event);
    const payload = Object.fromEntries(
      Object.entries(fact.payload).map(([name, entity]) => [
        name,
        { entity: foreign ? withForeignNotes(entity) : entity },
      ]),
    );
    const envelope = {
      entity: "event",
      account_id: ACCOUNT_ID,
      event: fact.event,
      contains: Object.keys(fact.payload),
      payload,
      created_at: this.#clock.seconds(),
    };
    let body = JSON.stringify(envelope);
    if (foreign) body = escaped(body, foreign.value === "escaped");
    return {
      record: {
        id: newEventId(),
        event: fact.event,
        createdAt: Date.now(),
        body,
        unsent: this.#reasonNotToSend(fact),
      },
    };
  }

  #reasonNotToSend(fact: LedgerEvent): SentEvent["unsent"] {
    const ofPayment = /^(payment\.(?!dispute)|order\.)/.test(fact.event);
    if (ofPayment && this.#muted.has(fact.payload.payment?.id ?? "")) return "muted";
    if (!this.url) return "no webhook address";
    if (!this.active) return "deactivated";
    return this.#switches.take("webhook_off", fact.event) ? "switched off" : null;
  }

  async #dispatch(record: SentEvent): Promise<void> {
    const delay = this.#switches.take("webhook_delay", record.event);
    const wait = delay ? amountOf(delay) * 1000 : 0;
    const again = this.#switches.take("webhook_duplicate", record.event);
    const other = this.#switches.take("webhook_duplicate_new_id", record.event);
    await this.#hand(record, record.id, wait);
    if (again) await this.#hand(record, record.id, wait);
    if (other) await this.#hand(record, newEventId(), wait);
  }

  #hand(record: SentEvent, eventId: string, wait: number): Promise<void> {
    const url = this.url;
    if (!url) return Promise.resolve();
    const body = Buffer.from(record.body, "utf8");
    const signature = this.#signature(record.event, body);
    const headers: Record<string, string> = {
      "Content-Type": "application/json",
      "User-Agent": "Razorpay-Webhook/v1",
      "x-razorpay-event-id": eventId,
      ...(signature ? { "X-Razorpay-Signature": signature } : {}),
    };
    return this.#courier.post(record.id, url, headers, body, wait);
  }

  #signature(event: string, body: Buffer): string | undefined {
    const [current = "", old = "sandbox_old_hook_secret"] = this.#settings.webhookSecrets;
    if (this.#switches.take("webhook_unsigned", event)) return undefined;
    if (this.#switches.take("webhook_old_secret", event)) return hmacHex(old, body);
    if (this.#switches.take("webhook_wrong_signature", event)) {
      return hmacHex(`wrong-${current}`, body);
    }
    return hmacHex(current, body);
  }
}

function newEventId(): string {
  return newId("ev").slice(3);
}

function withForeignNotes(entity: object): object {
  const notes = "notes" in entity ? entity.notes : undefined;
  const kept = notes && !Array.isArray(notes) ? notes : {};
  return { ...entity, notes: { ...kept, sandbox: "अभिषेक é – ₹1,179 / https://example.com/a" } };
}

/** As a PHP back end writes JSON: slashes escaped, other characters raw or as \uXXXX. */
function escaped(body: string, unicode: boolean): string {
  const slashes = body.replaceAll("/", "\\/");
  if (!unicode) return slashes;
  return slashes.replace(
    /[^\0-~]/g,
    (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, "0")}`,
  );
}
