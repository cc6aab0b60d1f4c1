/**
 * The provider's side of a money world: its books, what its bank makes of a refund, and its webhooks,
 * which come soon, late, twice, out of order or never.
 */
import { DAY, HOUR, MINUTE, SECOND } from "#app/model/dates.ts";
import type { Db } from "#db/connection.server.ts";
import { signedBy } from "#tests/support/signed-by.ts";
import { Dice } from "./dice.ts";
import { type BookedOrder, type BookedRefund, Books, type Webhook } from "./money-books.ts";
import type { BookingFacts } from "./money-facts.ts";
import { HOOK_SECRET } from "./money-process.ts";

/** Orders are read until five days after they could last be paid; the next look may be half a day off. */
const WATCHED = 5 * DAY - 12 * HOUR;
/** While a payment is authorised its order is read daily for so long. */
const AUTHORISED = 175 * DAY;
/** The share of payments without any webhook about paying. */
const UNREPORTED = 0.3;
const OF_PAYING = /^(payment\.(authorized|captured|failed)|order\.)/;

interface Surroundings {
  clock: { now: number };
  db: Db;
  bookings: ReadonlyMap<string, BookingFacts>;
  restoredAt: number | null;
  weather: { isStormy: boolean };
  note(text: string): void;
}

interface Delivery {
  at: number;
  name: string;
  eventId: string;
  body: Uint8Array;
  signature: string;
}

export class ProviderSide {
  readonly books: Books;
  readonly #world: Surroundings;
  readonly #bank: Dice;
  readonly #post: Dice;
  readonly #waiting: Delivery[] = [];
  readonly #unreported = new Map<string, boolean>();
  #serial = 0;

  constructor(world: Surroundings, seed: number) {
    this.#world = world;
    this.#post = new Dice(seed + 7_000_003);
    this.#bank = new Dice(seed + 9_000_011);
    this.books = new Books(
      world.clock,
      (webhook) => this.#send(webhook),
      (refund) => this.#planRefund(refund),
    );
  }

  /** When the next webhook arrives. */
  nextDelivery(): number {
    return Math.min(Infinity, ...this.#waiting.map(({ at }) => at));
  }

  /** What arrives now. */
  takeDeliveries(): Delivery[] {
    const due = this.#waiting.filter(({ at }) => at <= this.#world.clock.now);
    for (const delivery of due) this.#waiting.splice(this.#waiting.indexOf(delivery), 1);
    return due.sort((one, other) => one.at - other.at);
  }

  #send(webhook: Webhook): void {
    const { name, order, payment } = webhook;
    const dice = this.#post;
    const isLost = OF_PAYING.test(name) && this.#isUnreported(payment.paymentId);
    const wanted = dice.weighted({ soon: 42, in_minutes: 12, late: 16, twice: 10, never: 20 });
    const isNever = isLost || wanted === "never";
    const way = isNever ? (this.#mayBeLost(webhook) ? "never" : "late") : wanted;
    const what = `${name} ${payment.paymentId} of ${payment.amountPaise} (${order.orderId})`;
    this.#world.note(`provider: ${what}; webhook ${way}`);
    if (way === "never") return;
    this.#serial += 1;
    const body = Buffer.from(JSON.stringify(bodyOf(webhook)));
    const signature = signedBy(HOOK_SECRET, body);
    const delays = {
      soon: dice.between(SECOND, 20 * SECOND),
      in_minutes: dice.between(MINUTE, 30 * MINUTE),
      late: dice.between(HOUR, 4 * DAY),
    };
    const deliver = (eventId: string, delay: number) =>
      this.#waiting.push({ name, eventId, body, signature, at: this.#world.clock.now + delay });
    const eventId = `evt_${this.#serial}`;
    deliver(eventId, delays[way === "twice" ? "soon" : way]);
    if (way === "twice") deliver(dice.often(0.5) ? eventId : `${eventId}b`, delays.late);
  }

  #isUnreported(paymentId: string): boolean {
    const known = this.#unreported.get(paymentId) ?? this.#post.often(UNREPORTED);
    this.#unreported.set(paymentId, known);
    return known;
  }

  /** What is read anyway is found without a webhook. */
  #mayBeLost({ name, order, payment, refund }: Webhook): boolean {
    const { now } = this.#world.clock;
    if (refund || name.startsWith("payment.dispute.")) return true;
    const watchedUntil = (this.#world.bookings.get(order.bookingId)?.payBefore ?? 0) + WATCHED;
    if (this.#world.restoredAt !== null && !this.#knows(order)) return false;
    if (now < watchedUntil) return true;
    const { authorizedAt } = payment;
    const isOfPaying = name === "payment.captured" || name === "order.paid";
    if (authorizedAt === null || !isOfPaying) return false;
    return authorizedAt < Math.min(watchedUntil, now - DAY) && now < authorizedAt + AUTHORISED;
  }

  /** False for an order made since the restored copy, which is not read again and again. */
  #knows({ receipt }: BookedOrder): boolean {
    const row = "SELECT 1 FROM payment_order WHERE receipt = ?";
    return this.#world.db.firstRaw(row, [receipt]) !== undefined;
  }

  /** What the bank makes of a refund of ours. */
  #planRefund(refund: BookedRefund): void {
    const { books } = this;
    const bank = this.#bank;
    const fate = bank.weighted({ soon: 45, days: 30, fails: 15, fails_late: 10 });
    const process = () => books.processRefund(refund);
    const fail = () => books.failRefund(refund);
    if (fate === "soon") books.plan(bank.between(1, 300) * SECOND, process);
    if (fate === "days") books.plan(bank.between(1, 12) * HOUR, process);
    if (fate === "fails") books.plan(bank.between(1, 12) * HOUR, fail);
    if (fate === "fails_late") {
      books.plan(bank.between(1, 5) * HOUR, process);
      books.plan(bank.between(1, 6) * DAY, () => this.#world.weather.isStormy && fail());
    }
  }
}

/** The fields that samples of the provider's events have. */
function bodyOf({ name, order, payment, refund, dispute }: Webhook) {
  const entities = {
    payment: {
      id: payment.paymentId,
      order_id: payment.orderId,
      amount: payment.amountPaise,
      currency: "INR",
      status: payment.status,
      amount_refunded: payment.refundedPaise,
      email: payment.payer.email,
      contact: payment.payer.phone,
    },
    ...(name === "order.paid" && {
      order: { id: order.orderId, amount: order.amountPaise, receipt: order.receipt },
    }),
    ...(refund && {
      refund: {
        id: refund.refundId,
        payment_id: refund.paymentId,
        amount: refund.amountPaise,
        receipt: refund.receipt,
        status: refund.status,
      },
    }),
    ...(dispute && {
      dispute: {
        id: dispute.disputeId,
        payment_id: dispute.paymentId,
        amount: dispute.amountPaise,
        amount_deducted: dispute.deductedPaise,
        phase: dispute.phase,
        status: dispute.status,
        respond_by: dispute.respondBy && Math.floor(dispute.respondBy / 1000),
      },
    }),
  };
  const payload = Object.entries(entities).map(([kind, entity]) => [kind, { entity }]);
  return { entity: "event", event: name, payload: Object.fromEntries(payload) };
}
