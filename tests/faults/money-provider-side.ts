/** The provider's side of a money world: its books, what its bank makes of a refund, its webhooks. */
import { DAY, HOUR, SECOND } from "#app/model/duration.ts";
import type { Db } from "#db/connection.server.ts";
import { Dice } from "./dice.ts";
import { Books } from "./money-books.ts";
import type { BookedOrder, BookedRefund, Webhook } from "./money-entries.ts";
import type { BookingFacts } from "./money-facts.ts";
import { Webhooks } from "./money-webhooks.ts";

/** Orders are read until five days after they could last be paid; the next look may be half a day off. */
const WATCHED = 5 * DAY - 12 * HOUR;

/** While a payment is authorised its order is read daily for so long. */
const AUTHORISED = 175 * DAY;

interface Surroundings {
  clock: { now: number };
  db: Db;
  bookings: ReadonlyMap<string, BookingFacts>;
  restoredAt: number | null;
  weather: { isStormy: boolean };
  note(text: string): void;
  count(name: string): void;
}

export class ProviderSide {
  readonly books: Books;
  readonly webhooks: Webhooks;
  readonly #bank: Dice;
  readonly #world: Surroundings;

  constructor(world: Surroundings, seed: number) {
    this.#world = world;
    this.webhooks = new Webhooks(world.clock, new Dice(seed + 7_000_003));
    this.#bank = new Dice(seed + 9_000_011);
    this.books = new Books(
      world.clock,
      (webhook) => this.#deliver(webhook),
      (refund) => this.#planRefund(refund),
    );
  }

  #deliver(webhook: Webhook): void {
    const { name, order, payment } = webhook;
    const way = this.webhooks.send(webhook, this.#mayBeLost(webhook));
    this.#world.note(
      `provider: ${name} ${payment.paymentId} of ${payment.amountPaise} (${order.orderId}); webhook ${way}`,
    );
    this.#world.count(`webhook ${way}`);
  }

  /** What the bank makes of a refund of ours. */
  #planRefund(refund: BookedRefund): void {
    const fate = this.#bank.weighted({ soon: 45, days: 30, fails: 15, fails_late: 10 });
    const process = () => this.books.processRefund(refund);
    const fail = () => this.books.failRefund(refund);
    if (fate === "soon") this.books.plan(this.#bank.between(1, 300) * SECOND, process);
    if (fate === "days") this.books.plan(this.#bank.between(1, 12) * HOUR, process);
    if (fate === "fails") this.books.plan(this.#bank.between(1, 12) * HOUR, fail);
    if (fate === "fails_late") {
      this.books.plan(this.#bank.between(1, 5) * HOUR, process);
      this.books.plan(this.#bank.between(1, 6) * DAY, () => this.#world.weather.isStormy && fail());
    }
    this.#world.count(`refund of ours ${fate}`);
  }

  /** False for an order made since the restored copy, which is not read again and again. */
  #knows({ receipt }: BookedOrder): boolean {
    const row = "SELECT 1 FROM payment_order WHERE receipt = ?";
    return this.#world.db.firstRaw(row, [receipt]) !== undefined;
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
}
