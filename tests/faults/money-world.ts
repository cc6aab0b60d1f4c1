/**
 * A world around the app in one process of the test, with a clock of its own: the provider's books,
 * its webhooks, the people, one or two of the app's processes over one file, and a plain account of what
 * was done.
 */
import type { Selectable } from "kysely";
import type { SendResult } from "#app/core/services.ts";
import { DAY, HOUR, SECOND } from "#app/model/dates.ts";
import type { MessageData } from "#app/model/messages.ts";
import { recordEvent } from "#app/payments/provider-events.server.ts";
import type { Db } from "#db/connection.server.ts";
import type { MessageTable } from "#db/tables.ts";
import { Dice } from "./dice.ts";
import type { Books } from "./money-books.ts";
import type { BookingFacts, HandedBack, Person, Sent, Violation } from "./money-facts.ts";
import { MoneyProcess, type Store, type Surroundings } from "./money-process.ts";
import type { CallFate, CallKind } from "./money-provider-calls.ts";
import { ProviderSide } from "./money-provider-side.ts";

/** A Monday morning in India. */
const BEGIN = Date.parse("2027-01-04T03:30:00Z");
interface Plan {
  seed: number;
  processes: 1 | 2;
  /** A copy of its file may be made, and put back. */
  mayRestore: boolean;
}

/** The end of a hold; a day and an hour before a session. */
const NEXT_HOUR = `SELECT min(at) AS at FROM (
  SELECT min(hold_until) AS at FROM appointment WHERE status = 'pending_payment' AND hold_until > @now
  UNION ALL SELECT min(starts_at) - ${DAY} FROM appointment WHERE starts_at > @now + ${DAY}
  UNION ALL SELECT min(starts_at) - ${HOUR} FROM appointment WHERE starts_at > @now + ${HOUR})`;

export class MoneyWorld implements Surroundings {
  readonly clock = { now: BEGIN };
  readonly store: Store;
  readonly mayRestore: boolean;
  readonly provider: ProviderSide;
  readonly people: Person[] = [];
  readonly bookings = new Map<string, BookingFacts>();
  readonly handedBack: HandedBack[] = [];
  /** What staff received themselves, by the id of its payment, in paise. */
  readonly received = new Map<string, number>();
  readonly sent: Sent[] = [];
  /** Ids of refunds that a person had to see to at some moment. */
  readonly forPerson = new Set<string>();
  readonly copies: { path: string; at: number }[] = [];
  /** When jobs that look at the clock ran last. */
  byClockAt = 0;
  /** From then on the app may have forgotten what it did before. */
  restoredAt: number | null = null;
  readonly trace: string[] = [];
  readonly violations: Violation[] = [];
  readonly processes: MoneyProcess[];
  /** Of the move that is being made. */
  dice: Dice;
  readonly weather = new Weather(this);
  /** So far, by name. */
  readonly calls: Record<string, number> = {};
  /** What others do while a call of a process is under way. */
  meanwhileActs: (process: MoneyProcess) => Promise<void> = async () => {};
  /** What another process commits before a transaction begins; makes no call. */
  betweenTransactions: (process: MoneyProcess) => void = () => {};
  onSent: (sent: Sent) => void = () => {};
  readonly #unfinished: Promise<void>[] = [];
  #isBetween = false;
  #depth = 0;

  constructor(store: Store, { seed, processes, mayRestore }: Plan) {
    this.store = store;
    this.mayRestore = mayRestore;
    this.dice = new Dice(seed);
    this.provider = new ProviderSide(this, seed);
    const names = ["A", "B"].slice(0, processes);
    this.processes = names.map((name) => new MoneyProcess(name, this));
  }

  get books(): Books {
    return this.provider.books;
  }

  get db(): Db {
    return this.processes[0]!.deps.db;
  }

  note(text: string): void {
    const at = new Date(this.clock.now).toISOString().slice(5, 19).replace("T", " ");
    this.trace.push(`${at}  ${text}`);
  }

  wrong(rule: string, what: string): void {
    if (this.violations.some((one) => one.rule === rule && one.what === what)) return;
    this.note(`✗ ${rule}: ${what}`);
    this.violations.push({ rule, what });
  }

  /** Time passes: what is planned at the provider happens, webhooks arrive, jobs run. */
  async turn(): Promise<void> {
    this.books.act();
    for (const delivery of this.provider.takeDeliveries()) {
      const process = this.dice.pick(this.processes);
      this.note(`webhook: ${delivery.name} ${delivery.eventId}`);
      const recorded = await process.run((deps) => recordEvent(deps, delivery));
      if (recorded?.ok === false) this.wrong("an event is recorded", recorded.code);
    }
    const byClock = this.#hourHasCome();
    for (const process of this.processes) {
      if (process.name === "A" || this.dice.often(0.5)) await process.work(byClock);
    }
    await this.finish();
  }

  /** Of the next session or end of a hold, later than an instant. */
  nextHour(after: number): number {
    return this.db.firstRaw<{ at: number | null }>(NEXT_HOUR, [{ now: after }])?.at ?? Infinity;
  }

  #hourHasCome(): boolean {
    const { now } = this.clock;
    if (this.nextHour(this.byClockAt) > now && now < this.byClockAt + 20 * HOUR) return false;
    this.byClockAt = now;
    return true;
  }

  /** Waits for what was begun during calls, and looks at what is so now. */
  async finish(): Promise<void> {
    while (this.#unfinished.length > 0) await this.#unfinished.shift();
    this.look();
  }

  /** Of a booking: on its orders, received by staff, or given to it. */
  paymentsOf(bookingId: string): string[] {
    const ofOrders = this.books.payments.filter(
      ({ orderId }) => this.books.order(orderId).bookingId === bookingId,
    );
    const stored = this.db.allRaw<{ payment_id: string }>(
      "SELECT payment_id FROM payment WHERE appointment_id = ?",
      [bookingId],
    );
    const ids = [...ofOrders.map(({ paymentId }) => paymentId), ...stored.map((p) => p.payment_id)];
    return [...new Set(ids)];
  }

  nextPlan(): number {
    return Math.min(this.books.nextPlan() ?? Infinity, this.provider.nextDelivery());
  }

  /** Notes what is true only for a while. */
  look(): void {
    const held = "SELECT id, pay_before FROM appointment WHERE pay_before IS NOT NULL";
    for (const { id, pay_before } of this.db.allRaw<{ id: string; pay_before: number }>(held)) {
      const facts = this.bookings.get(id);
      if (facts) facts.payBefore = Math.max(facts.payBefore, pay_before);
    }
    const stuck = "SELECT * FROM refund WHERE state IN ('failed', 'needs_person')";
    for (const { id, way } of this.db.allRaw<{ id: string; way: string }>(stuck)) {
      if (way !== "dashboard") this.forPerson.add(id);
    }
    // It needed nobody any more when the mail about it could go out.
    const withdrawn = `SELECT json_extract(data, '$.refundId') AS id FROM message
      WHERE kind = 'admin_refund_needs_person' AND last_error LIKE 'Not sent: its refund has gone on%'`;
    for (const { id } of this.db.allRaw<{ id: string }>(withdrawn)) this.forPerson.delete(id);
  }

  fate(kind: CallKind): CallFate {
    return this.weather.fate(kind, this.#depth > 0);
  }

  called(process: MoneyProcess, name: string, subject: string, fate: CallFate): void {
    this.calls[name] = (this.calls[name] ?? 0) + 1;
    this.note(
      `  ${process.name} calls ${name} ${subject}${fate === "answered" ? "" : `: ${fate}`}`,
    );
  }

  /** Begins what others do, and does not wait for its end: it may wait for this very call. */
  async meanwhile(process: MoneyProcess): Promise<void> {
    this.#depth += 1;
    this.clock.now += this.dice.between(1, 9) * SECOND;
    this.#unfinished.push(this.meanwhileActs(process));
    for (let i = 0; i < 3; i++) await new Promise((resolve) => setImmediate(resolve));
    this.#depth -= 1;
  }

  beforeTransaction(process: MoneyProcess, isByClock: boolean): void {
    if (!this.weather.isStormy || this.#isBetween || this.processes.length < 2) return;
    if (!this.dice.often(isByClock ? 0.25 : 0.02)) return;
    this.#isBetween = true;
    this.betweenTransactions(process);
    this.#isBetween = false;
  }

  send(process: MoneyProcess, channel: Sent["channel"], messageId: string, text: string) {
    if (channel === "email" && this.clock.now < this.weather.mailDownUntil) return REFUSED;
    const [id = ""] = messageId.split(".");
    const message = "SELECT * FROM message WHERE id = ?";
    const row = process.deps.db.firstRaw<Selectable<MessageTable>>(message, [id]);
    if (row) {
      const { kind, audience, recipient, appointment_id: appointmentId } = row;
      const sent: Sent = {
        at: this.clock.now,
        queuedAt: row.created_at,
        messageId,
        channel,
        kind,
        audience,
        recipient,
        appointmentId,
        data: JSON.parse(row.data) as MessageData,
        text: text.replace(/\s+/g, " "),
      };
      this.note(`  ${channel} ${kind} to ${recipient} ${shown(sent)}`);
      this.sent.push(sent);
      this.onSent(sent);
    }
    return { outcome: "sent" as const, transportId: messageId };
  }

  faultFound(where: string, error: unknown): void {
    const words = error instanceof Error ? error.message : JSON.stringify(error);
    this.wrong("nothing fails inside", `${where}: ${words}`);
  }

  reborn(process: MoneyProcess): void {
    this.note(`${process.name} died and starts again`);
  }

  close(): void {
    for (const process of this.processes) process.stop();
    this.store.end();
  }
}

const REFUSED: SendResult = { outcome: "retry", error: "the mail server is down", code: "421" };

function shown({ data }: Sent): string {
  const { refundId, paymentId, amountPaise } = data;
  return [refundId && `refund ${refundId.slice(-6)}`, paymentId, amountPaise]
    .filter(Boolean)
    .join(" ");
}

const FATES: Record<CallKind, Partial<Record<CallFate, number>>> = {
  read: { down: 30, rate: 8, slow_before: 14, slow_after: 14, dies_before: 3, dies_after: 3 },
  write: {
    down: 10,
    unknown: 14,
    lost: 22,
    rate: 6,
    slow_before: 14,
    slow_after: 14,
    dies_after: 8,
  },
  refund: {
    down: 8,
    unknown: 10,
    lost: 14,
    rate: 4,
    busy: 4,
    balance: 8,
    rejected: 12,
    slow_before: 10,
    slow_after: 10,
    dies_before: 2,
    dies_after: 8,
  },
};

/** The most deaths of processes in one history. */
const MOST_DEATHS = 3;

class Weather {
  /** Calls fail at random. */
  isStormy = true;
  /** Until when, milliseconds UTC: no call comes through; no refund is paid for; no mail goes out. */
  downUntil = 0;
  poorUntil = 0;
  mailDownUntil = 0;
  readonly #world: MoneyWorld;
  #isShaky = false;
  #deaths = 0;

  constructor(world: MoneyWorld) {
    this.#world = world;
  }

  /** From now on nothing fails. */
  calm(): void {
    Object.assign(this, { isStormy: false, downUntil: 0, poorUntil: 0, mailDownUntil: 0 });
  }

  /** `isWithin`: of a call during another. */
  fate(kind: CallKind, isWithin: boolean): CallFate {
    const { dice, clock } = this.#world;
    if (clock.now < this.downUntil) return dice.often(0.7) ? "down" : "unknown";
    if (kind === "refund" && clock.now < this.poorUntil) return "balance";
    // Where one call goes wrong, the next often does too.
    this.#isShaky = this.isStormy && dice.often(this.#isShaky ? 0.5 : 0.11);
    if (!this.#isShaky) return "answered";
    const fate = dice.weighted(FATES[kind] as Record<CallFate, number>);
    if (isWithin && fate.startsWith("slow")) return "answered";
    if (!fate.startsWith("dies")) return fate;
    this.#deaths += 1;
    return this.#deaths > MOST_DEATHS ? "answered" : fate;
  }
}
