/** Delivers the provider's webhooks to the app: soon, late, twice, out of order or never. */
import { createHmac } from "node:crypto";
import { DAY, HOUR, MINUTE, SECOND } from "#app/model/duration.ts";
import type { Dice } from "./dice.ts";
import type { Webhook } from "./money-entries.ts";

export const HOOK_SECRET = "hook-secret-of-the-money-world";

export interface Delivery {
  at: number;
  name: string;
  eventId: string;
  body: Uint8Array;
  signature: string;
}

type Way = "soon" | "in_minutes" | "late" | "twice" | "never";

const WAYS: Record<Way, number> = { soon: 42, in_minutes: 12, late: 16, twice: 10, never: 20 };
/** The share of payments without any webhook about paying. */
const UNREPORTED = 0.3;
const OF_PAYING = /^(payment\.(authorized|captured|failed)|order\.)/;

export class Webhooks {
  readonly #clock: { now: number };
  readonly #dice: Dice;
  readonly #waiting: Delivery[] = [];
  readonly #unreported = new Map<string, boolean>();
  #serial = 0;

  constructor(clock: { now: number }, dice: Dice) {
    this.#clock = clock;
    this.#dice = dice;
  }

  /** `mayBeLost`: the app finds out without a webhook. Returns how it is delivered. */
  send(webhook: Webhook, mayBeLost: boolean): Way {
    const isLost = OF_PAYING.test(webhook.name) && this.#isUnreported(webhook.payment.paymentId);
    const wanted = isLost ? "never" : this.#dice.weighted(WAYS);
    const way = wanted === "never" && !mayBeLost ? "late" : wanted;
    if (way === "never") return way;
    this.#serial += 1;
    const body = Buffer.from(JSON.stringify(bodyOf(webhook)));
    const signature = createHmac("sha256", HOOK_SECRET).update(body).digest("hex");
    const delivery = { name: webhook.name, eventId: `evt_${this.#serial}`, body, signature };
    this.#waiting.push({ ...delivery, at: this.#clock.now + this.#delay(way) });
    if (way === "twice") {
      const eventId = this.#dice.often(0.5) ? delivery.eventId : `${delivery.eventId}b`;
      this.#waiting.push({ ...delivery, eventId, at: this.#clock.now + this.#delay("late") });
    }
    return way;
  }

  next(): number | null {
    return this.#waiting.length === 0 ? null : Math.min(...this.#waiting.map(({ at }) => at));
  }

  /** What arrives now. */
  take(): Delivery[] {
    const due = this.#waiting.filter(({ at }) => at <= this.#clock.now);
    for (const delivery of due) this.#waiting.splice(this.#waiting.indexOf(delivery), 1);
    return due.sort((one, other) => one.at - other.at);
  }

  #isUnreported(paymentId: string): boolean {
    const known = this.#unreported.get(paymentId) ?? this.#dice.often(UNREPORTED);
    this.#unreported.set(paymentId, known);
    return known;
  }

  #delay(way: Way): number {
    if (way === "late") return this.#dice.between(HOUR, 4 * DAY);
    if (way === "in_minutes") return this.#dice.between(MINUTE, 30 * MINUTE);
    return this.#dice.between(SECOND, 20 * SECOND);
  }
}

/** The fields that samples of the provider's events have. */
function bodyOf({ name, order, payment, refund, dispute }: Webhook) {
  const entities = {
    payment: {
      ...{ id: payment.paymentId, order_id: payment.orderId, amount: payment.amountPaise },
      ...{ currency: "INR", status: payment.status, amount_refunded: payment.refundedPaise },
      ...{ email: payment.payer.email, contact: payment.payer.phone },
    },
    ...(name === "order.paid" && {
      order: { id: order.orderId, amount: order.amountPaise, receipt: order.receipt },
    }),
    ...(refund && {
      refund: {
        ...{ id: refund.refundId, payment_id: refund.paymentId, amount: refund.amountPaise },
        ...{ receipt: refund.receipt, status: refund.status },
      },
    }),
    ...(dispute && {
      dispute: {
        ...{ id: dispute.disputeId, payment_id: dispute.paymentId, amount: dispute.amountPaise },
        ...{ amount_deducted: dispute.deductedPaise, phase: dispute.phase },
        status: dispute.status,
        respond_by: dispute.respondBy && Math.floor(dispute.respondBy / 1000),
      },
    }),
  };
  const payload = Object.entries(entities).map(([kind, entity]) => [kind, { entity }]);
  return { entity: "event", event: name, payload: Object.fromEntries(payload) };
}
