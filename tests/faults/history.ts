/** One history, chosen as it goes: the visitor, the bank behind, and the admin who steps in. */
import { setTimeout as pause } from "node:timers/promises";
import type { Outcome, PayRequest, Proof } from "#scripts/sandbox/razorpay/payer.ts";
import { ASHA, dayAhead, PRICES, ROHAN } from "#tests/support/bookings.ts";
import type { AdminDesk, Caller } from "./caller.ts";
import type { Dice } from "./dice.ts";
import { HOLD_MS, type World } from "./world.ts";

/** What a history leaves behind for the audit. */
export interface Trail {
  /** In the trace. */
  who: string;
  email: string;
  appointmentId: string | null;
  orderIds: Set<string>;
  paymentIds: string[];
  /** The app answered once that this appointment is confirmed. */
  answeredConfirmed: boolean;
  /** The app answered the admin once that it is deleted. */
  answeredDeleted: boolean;
  /** Idempotency keys under which staff asked for a refund. */
  refundKeys: number;
  /** Refunds that staff asked for and the app answered. */
  answeredRefunds: Set<string>;
}

/** What the histories of a round share. */
export interface Stage {
  seed: number;
  world: World;
  caller: Caller;
  desk: AdminDesk;
  /** Proofs of every history, for those that bring another's. */
  proofs: Proof[];
  /** Free times for moves, given one after another. */
  nextMove: () => { date: string; newTimeSlot: string };
}

/** `other_order`: rightly signed, but of another booking. */
type ProofKind = "own" | "wrong_signature" | "other_order";

/** Few times for many people, so that they meet; two start half an hour apart. */
const TIMES = ["09:00", "10:00", "11:00", "14:00", "15:00", "16:00"];
const DATES = 3;

/** Times of days of their own, half of them taken twice so that moves meet too. */
export function moveTimes(): Stage["nextMove"] {
  let count = 0;
  return () => {
    const place = Math.floor(count / 2);
    count += 1;
    return {
      date: dayAhead(30 + Math.floor(place / TIMES.length)),
      newTimeSlot: TIMES[place % TIMES.length]!,
    };
  };
}

export class History {
  readonly #stage: Stage;
  readonly #dice: Dice;
  readonly #number: number;
  readonly #trail: Trail;
  #orderId: string | null = null;
  #proof: Proof | null = null;

  constructor(stage: Stage, dice: Dice, number: number) {
    const trait = dice.weighted({ plain: 90, "550": 4, "451once": 6 });
    const name = `s${stage.seed}.h${number}`;
    this.#stage = stage;
    this.#dice = dice;
    this.#number = number;
    this.#trail = {
      who: `history ${number}`,
      email: trait === "plain" ? `${name}@example.in` : `${name}+${trait}@example.in`,
      appointmentId: null,
      orderIds: new Set(),
      paymentIds: [],
      answeredConfirmed: false,
      answeredDeleted: false,
      refundKeys: 0,
      answeredRefunds: new Set(),
    };
  }

  async play(): Promise<Trail> {
    const dice = this.#dice;
    await this.#wait(0, 4_500);
    if (!(await this.#book()) || dice.often(0.06)) return this.#trail;
    if (dice.often(0.1)) await this.#wait(0, HOLD_MS + 1_000);
    await this.#order(dice.often(0.15) ? 2 : 1);
    if (dice.often(0.3)) {
      await this.#wait(HOLD_MS + 100, HOLD_MS + 1_500);
      if (dice.often(0.3)) await this.#order();
    } else await this.#wait(0, 200);
    await this.#payments();
    const more = Number(dice.weighted({ "0": 20, "1": 35, "2": 30, "3": 15 }));
    for (let i = 0; i < more; i++) {
      await this.#wait(0, 900);
      await this.#afterwards();
    }
    return this.#trail;
  }

  #wait(least: number, most: number): Promise<void> {
    return pause(this.#dice.between(least, most));
  }

  /** The same key on every try, as a client that never saw the answer does. */
  async #book(): Promise<boolean> {
    const dice = this.#dice;
    const sentTwice = dice.often(0.3);
    const minutes = dice.pick([30, 45, 60]);
    const request = {
      name: `Meera Pillai ${this.#number}`,
      email: this.#trail.email,
      phone: this.#phone(),
      counselor: dice.pick([ASHA, ROHAN]),
      package: minutes,
      date: dayAhead(10 + dice.between(0, DATES - 1)),
      packagePrice: PRICES[minutes],
      ...(dice.often(0.2) ? { notes: "अभिषेक asks: which medical first? – “Class 2”" } : {}),
    };
    // One after another while the time is taken.
    for (let tries = 0; tries < 4; tries++) {
      const timeSlot = dice.pick(TIMES);
      const submit = () =>
        this.#call("/api/appointments", {
          json: { ...request, timeSlot },
          headers: { "Idempotency-Key": `key-${this.#number}-${tries}` },
        });
      const answers = await Promise.all(sentTwice ? [submit(), submit()] : [submit()]);
      const [id, ...more] = answers
        .filter((answer) => answer?.status === 201)
        .map((answer) => answer?.data.id as string);
      if (more.some((other) => other !== id)) this.#fault("one key made two bookings");
      if (id !== undefined) {
        this.#trail.appointmentId = id;
        return true;
      }
      if (!answers.every((answer) => answer?.code === "slot_taken")) return false;
    }
    return false;
  }

  /** Mostly a number of one's own; some that WhatsApp refuses at once, later, or for good. */
  #phone(): string {
    const trait = this.#dice.weighted({
      plain: 90,
      "9000131026": 4,
      "9100131026": 4,
      "9000130429": 2,
    });
    return trait === "plain" ? `98450${String(10_000 + this.#number)}` : trait;
  }

  async #order(times = 1): Promise<void> {
    const once = async () => {
      const answer = await this.#call("/api/payments/create-order", {
        json: { appointmentId: this.#trail.appointmentId },
      });
      if (answer?.status !== 200) return;
      this.#orderId = answer.data.orderId as string;
      this.#trail.orderIds.add(this.#orderId);
    };
    await Promise.all(Array.from({ length: times }, once));
  }

  async #payments(): Promise<void> {
    const dice = this.#dice;
    // The provider sends no webhook about these payments, ever.
    const webhooks = !dice.often(0.15);
    const pay = (outcome: Outcome, more: PayRequest = {}) =>
      this.#pay({ outcome, webhooks, ...more });
    const course = dice.weighted({
      plain: 42,
      failed: 8,
      held: 8,
      late: 12,
      twice: 10,
      other: 8,
      silence: 4,
      never: 8,
    });
    if (course === "never") return;
    if (course === "held") pay("authorized");
    else if (course === "late") pay("late");
    else if (course === "silence") pay("created");
    else if (course === "failed") pay("failed");
    else if (course === "other") pay("captured", { amount: dice.pick([100, 50_000]) });
    else pay("captured");
    if (course !== "failed" && (course !== "twice" || dice.often(0.5))) await this.#prove();
    if (course === "plain" || course === "late" || course === "silence") return;
    if (course === "held" && !dice.often(0.7)) return;
    if (course === "other" && !dice.often(0.6)) return;
    if (course !== "twice") await this.#wait(0, 600);
    if (course === "held") this.#capture();
    else pay("captured", { force: course === "twice" });
    await this.#prove();
  }

  #pay(request: PayRequest): void {
    if (!this.#orderId) return;
    const { sandbox, note } = this.#stage.world;
    const lateMs = this.#dice.between(300, HOLD_MS + 1_500);
    const afterSeconds = (lateMs * sandbox.clock.scale) / 1000;
    const asked = JSON.stringify(request);
    try {
      const { payment, ...proof } = sandbox.pay(this.#orderId, { ...request, afterSeconds });
      this.#proof = proof;
      this.#stage.proofs.push(proof);
      this.#trail.paymentIds.push(payment.id);
      note(this.#trail.who, `pays: ${asked} ${payment.id}`);
    } catch (error) {
      note(this.#trail.who, `cannot pay ${asked}: ${(error as Error).message}`);
    }
  }

  /** At the provider, without a call of the app. */
  #capture(): void {
    const { sandbox, note } = this.#stage.world;
    const payment = sandbox.ledger.payments.get(this.#proof?.razorpay_payment_id ?? "");
    if (!payment) return;
    try {
      sandbox.ledger.capture(payment, payment.amount);
      note(this.#trail.who, `at the provider: capture ${payment.id}`);
    } catch (error) {
      note(this.#trail.who, `capture refused: ${(error as Error).message}`);
    }
  }

  /** The browser comes back from paying, or does not. */
  async #prove(): Promise<void> {
    const dice = this.#dice;
    if (dice.often(0.08)) {
      const forged = dice.pick<ProofKind>(["wrong_signature", "other_order"]);
      await this.#bring(dice.pick(["verify", "callback"]), 1, forged);
    }
    const way = dice.weighted({ verify: 40, twice: 14, callback: 14, both: 8, never: 24 });
    if (way === "verify" || way === "both") await this.#bring("verify", 1);
    if (way === "twice") await this.#bring("verify", 2);
    if (way === "callback") await this.#bring("callback", dice.between(1, 2));
    if (way === "both") await this.#bring("callback", 1);
  }

  async #bring(over: "verify" | "callback", times: number, kind: ProofKind = "own") {
    const proof = this.#proofOf(kind);
    if (!proof) return;
    const once = () => (over === "verify" ? this.#verify(proof, kind) : this.#callback(proof));
    if (this.#dice.often(0.5)) await Promise.all(Array.from({ length: times }, once));
    else for (let i = 0; i < times; i++) await once();
  }

  #proofOf(kind: ProofKind): Proof | null {
    const own = this.#proof;
    if (!own || kind === "own") return own;
    if (kind === "wrong_signature") return { ...own, razorpay_signature: "0".repeat(64) };
    const isOther = (one: Proof) => one.razorpay_order_id !== own.razorpay_order_id;
    return this.#stage.proofs.find(isOther) ?? null;
  }

  async #verify(proof: Proof, kind: ProofKind): Promise<void> {
    const json = { ...proof, appointmentId: this.#trail.appointmentId };
    const answer = await this.#call("/api/payments/verify", { json });
    if (answer?.status !== 200) return;
    if (kind !== "own") this.#fault(`a proof with ${kind} was taken`);
    if (answer.data.status === "confirmed") this.#trail.answeredConfirmed = true;
  }

  #callback(proof: Proof): Promise<void> {
    const fromAway = { Origin: "https://api.razorpay.com", "Sec-Fetch-Site": "cross-site" };
    return this.#post(`/payments/callback?booking=${this.#trail.appointmentId}`, proof, fromAway);
  }

  async #post(path: string, form: Record<string, string>, headers = {}): Promise<void> {
    await this.#call(path, { form, headers: { Accept: "text/html", ...headers } });
  }

  async #afterwards(): Promise<void> {
    const dice = this.#dice;
    const { desk, nextMove } = this.#stage;
    const { who, email, appointmentId } = this.#trail;
    const id = appointmentId!;
    const page = `/booking/${id}`;
    const what = dice.weighted({
      order: 8,
      move: 14,
      cancel: 22,
      own_move: 8,
      own_cancel: 10,
      delete: 12,
      resend: 6,
      pay_again: 8,
      prove_again: 6,
      refund: 24,
    });
    if (what === "order") await this.#order();
    if (what === "move") await desk.move(who, id, nextMove());
    if (what === "cancel") await desk.cancel(who, id);
    if (what === "own_move") await this.#post(`${page}/reschedule`, { email, ...nextMove() });
    if (what === "own_cancel") await this.#post(`${page}/cancel`, { email });
    if (what === "resend") await desk.resend(who, id);
    if (what === "delete" && (await desk.delete(who, id))?.status === 200) {
      this.#trail.answeredDeleted = true;
    }
    if (what === "pay_again") {
      this.#pay({ outcome: "captured", webhooks: !dice.often(0.3), force: true });
    }
    if (what === "pay_again" || what === "prove_again") await this.#prove();
    if (what === "refund") {
      await this.#refund(id);
      if (dice.often(0.4)) await this.#refund(id);
    }
    if (!["cancel", "own_cancel", "refund"].includes(what)) return;
    // A person looks at the refunds that need one, now and again, and tries them again.
    for (let left = dice.between(0, 3); left > 0; left--) {
      await this.#wait(0, 900);
      await desk.retryRefunds(who, id);
    }
  }

  /** A part of the money, asked for several times at once under one key. */
  async #refund(id: string): Promise<void> {
    const trail = this.#trail;
    trail.refundKeys += 1;
    const key = `refund-${this.#number}-${trail.refundKeys}`;
    const rupees = this.#dice.pick([100, 250.5, 400]);
    const submit = () => this.#stage.desk.refund(trail.who, id, rupees, key);
    const length = this.#dice.often(0.4) ? 2 : 1;
    const answers = await Promise.all(Array.from({ length }, submit));
    const ids = answers.map((answer) => answer?.data?.refund?.refundId).filter(Boolean);
    if (new Set(ids).size > 1) this.#fault(`one key made two refunds: ${ids.join(", ")}`);
    for (const refundId of ids) trail.answeredRefunds.add(refundId);
  }

  #fault(what: string): void {
    this.#stage.caller.faults.push(`${this.#trail.who}: ${what}`);
  }

  #call(path: string, init: Parameters<Caller["call"]>[2]) {
    return this.#stage.caller.call(this.#trail.who, path, init);
  }
}
