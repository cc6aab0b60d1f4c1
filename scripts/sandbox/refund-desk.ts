import { createHash } from "node:crypto";
import {
  ApiError,
  invalidInput,
  KEY_DIFFERENT,
  KEY_IN_PROGRESS,
  LOW_BALANCE,
} from "./api-error.ts";
import type { Clock } from "./clock.ts";
import type { Dispute, DisputeStatus, LedgerEvent, Notes, Payment, Refund } from "./entities.ts";
import type { Ledger } from "./ledger.ts";
import { digits, newId } from "./signature.ts";
import { amountOf, type Switches } from "./switches.ts";

export interface NewRefund {
  amount?: number;
  speed?: "normal" | "optimum";
  notes?: Notes;
  receipt?: string | null;
}

/** The provider's magic amount: an instant refund that falls back to a normal one. */
const FALLS_BACK = 2468;
const INSTANT_SECONDS = 5;
const SIX_MONTHS_IN_SECONDS = 183 * 24 * 3600;

interface KeyRecord {
  fingerprint: string;
  state: "running" | "done";
  status: number;
  body: string;
}

/** Refunds, their idempotency keys, and disputes. */
export class RefundDesk {
  readonly #ledger: Ledger;
  readonly #clock: Clock;
  readonly #switches: Switches;
  readonly #keys = new Map<string, KeyRecord>();

  constructor(ledger: Ledger, clock: Clock, switches: Switches) {
    this.#ledger = ledger;
    this.#clock = clock;
    this.#switches = switches;
    ledger.returnUncaptured = (payment, batch) => this.#returnUncaptured(payment, batch);
  }

  create(payment: Payment, wish: NewRefund): Refund {
    const amount = this.#checkedAmount(payment, wish.amount);
    const subject = payment.order_id ?? payment.id;
    if (this.#switches.take("refund_low_balance", subject)) throw new ApiError(LOW_BALANCE);
    if (this.#switches.take("refund_invalid_request", subject)) {
      throw new ApiError("invalid request sent");
    }
    const stays = this.#switches.take("refund_stays_pending", subject);
    const fails = this.#switches.take("refund_fails_later", subject);
    const starts = this.#switches.take("refund_starts_pending", subject);
    const optimum = wish.speed === "optimum";
    const pending = Boolean(stays || fails || starts || optimum);
    const refund = this.#open(payment, amount, wish, pending);
    const batch: LedgerEvent[] = [];
    if (!this.#switches.take("refund_only_processed_event", subject)) {
      batch.push(this.#ledger.event("refund.created", payment, refund));
    }
    if (!pending) batch.push(this.#ledger.event("refund.processed", payment, refund));
    this.#ledger.publish(batch);
    if (!stays && fails) {
      this.#clock.after(amountOf(fails) * 1000, () => this.#quietly(() => this.fail(refund)));
    } else if (!stays && pending) {
      const seconds = starts ? amountOf(starts) : INSTANT_SECONDS;
      this.#clock.after(seconds * 1000, () => this.#quietly(() => this.process(refund)));
    }
    return refund;
  }

  process(refund: Refund): void {
    if (refund.status !== "pending") throw new ApiError(`The refund is ${refund.status}`);
    const payment = this.#ledger.requirePayment(refund.payment_id);
    const batch: LedgerEvent[] = [];
    const fellBack = refund.speed_requested === "optimum" && refund.amount === FALLS_BACK;
    refund.speed_processed =
      refund.speed_requested === "optimum" && !fellBack ? "instant" : "normal";
    if (fellBack) batch.push(this.#ledger.event("refund.speed_changed", payment, refund));
    refund.status = "processed";
    refund.acquirer_data = { rrn: digits(12) };
    batch.push(this.#ledger.event("refund.processed", payment, refund));
    this.#ledger.publish(batch);
  }

  /** A failed refund gives the amount back to the payment, so that it can be refunded again. */
  fail(refund: Refund): void {
    if (refund.status === "failed") throw new ApiError("The refund is failed");
    const payment = this.#ledger.requirePayment(refund.payment_id);
    refund.status = "failed";
    refund.speed_processed = null;
    payment.amount_refunded -= refund.amount;
    payment.status = "captured";
    payment.refund_status = payment.amount_refunded > 0 ? "partial" : null;
    this.#ledger.publish([this.#ledger.event("refund.failed", payment, refund)]);
  }

  /** Takes the key, or says what the provider says about a key already taken. */
  takeKey(key: string, payload: string): { status: number; body: string } | undefined {
    if (key.length < 10) {
      throw new ApiError("The idempotency key must be at least 10 characters long.");
    }
    if (!/^[A-Za-z0-9_-]+$/.test(key)) {
      throw new ApiError(
        "The idempotency key must only contain alphanumeric characters, underscores, and hyphens",
      );
    }
    if (this.#switches.take("refund_409_in_progress", payload)) {
      throw new ApiError(KEY_IN_PROGRESS, { status: 409 });
    }
    if (this.#switches.take("refund_409_different", payload)) {
      throw new ApiError(KEY_DIFFERENT, { status: 409 });
    }
    const fingerprint = createHash("sha256").update(payload).digest("hex");
    const known = this.#keys.get(key);
    if (known && known.fingerprint !== fingerprint) {
      throw new ApiError(KEY_DIFFERENT, { status: 409 });
    }
    if (known?.state === "running") throw new ApiError(KEY_IN_PROGRESS, { status: 409 });
    if (known) return { status: known.status, body: known.body };
    this.#keys.set(key, { fingerprint, state: "running", status: 0, body: "" });
    return undefined;
  }

  /** Only successes are kept, so that a refund refused for low balance can be tried again with its key. */
  settleKey(key: string, status: number, body: string): void {
    const record = this.#keys.get(key);
    if (!record) return;
    if (status >= 400 && !this.#switches.take("refund_remember_errors", key)) {
      this.#keys.delete(key);
    } else {
      this.#keys.set(key, { ...record, state: "done", status, body });
    }
    this.#ledger.onChange();
  }

  openDispute(payment: Payment, reason = "goods_or_services_not_received"): Dispute {
    if (!payment.captured) throw new ApiError("Only a captured payment can be disputed");
    const now = this.#clock.seconds();
    const dispute: Dispute = {
      id: newId("disp"),
      entity: "dispute",
      payment_id: payment.id,
      amount: payment.amount,
      currency: payment.currency,
      amount_deducted: 0,
      reason_code: reason,
      respond_by: now + 7 * 24 * 3600,
      status: "open",
      phase: "chargeback",
      created_at: now,
    };
    this.#ledger.disputes.set(dispute.id, dispute);
    this.#publishDispute("created", payment, dispute);
    return dispute;
  }

  moveDispute(dispute: Dispute, status: DisputeStatus): void {
    dispute.status = status;
    dispute.amount_deducted = status === "lost" ? dispute.amount : 0;
    const payment = this.#ledger.requirePayment(dispute.payment_id);
    this.#publishDispute(status === "open" ? "created" : status, payment, dispute);
  }

  keys(): [string, KeyRecord][] {
    return [...this.#keys].filter(([, record]) => record.state === "done");
  }

  restoreKeys(saved: [string, KeyRecord][]): void {
    for (const [key, record] of saved) this.#keys.set(key, record);
  }

  clear(): void {
    this.#keys.clear();
  }

  #publishDispute(event: string, payment: Payment, dispute: Dispute): void {
    const name = `payment.dispute.${event}`;
    this.#ledger.publish([this.#ledger.event(name, payment, undefined, dispute)]);
  }

  #checkedAmount(payment: Payment, wanted: number | undefined): number {
    if (payment.refund_status === "full") {
      throw new ApiError("The payment has been fully refunded already");
    }
    if (!payment.captured) {
      throw new ApiError("The payment status should be captured for action to be taken");
    }
    if (this.#clock.seconds() - payment.created_at > SIX_MONTHS_IN_SECONDS) {
      throw new ApiError(
        "Refund is not supported by the bank because the payment is more than 6 months old",
      );
    }
    const left = payment.amount - payment.amount_refunded;
    if (wanted === undefined) return left;
    if (!Number.isInteger(wanted)) throw invalidInput("The amount must be an integer.", "amount");
    if (wanted < 100) throw invalidInput("The amount must be at least INR 1.00.", "amount");
    if (wanted > payment.amount) {
      throw new ApiError("The refund amount provided is greater than amount captured");
    }
    if (wanted > left) {
      throw new ApiError("The total refund amount is greater than the refund payment amount");
    }
    return wanted;
  }

  #open(payment: Payment, amount: number, wish: NewRefund, pending: boolean): Refund {
    const refund: Refund = {
      id: newId("rfnd"),
      entity: "refund",
      amount,
      currency: payment.currency,
      payment_id: payment.id,
      notes: wish.notes ?? [],
      receipt: wish.receipt ?? null,
      acquirer_data: { arn: null },
      created_at: this.#clock.seconds(),
      batch_id: null,
      status: pending ? "pending" : "processed",
      speed_processed: pending ? null : "normal",
      speed_requested: wish.speed ?? "normal",
    };
    this.#ledger.refunds.set(refund.id, refund);
    payment.amount_refunded += amount;
    const full = payment.amount_refunded >= payment.amount;
    payment.refund_status = full ? "full" : "partial";
    if (full) payment.status = "refunded";
    return refund;
  }

  #returnUncaptured(payment: Payment, batch: LedgerEvent[]): void {
    const refund = this.#open(payment, payment.amount - payment.amount_refunded, {}, false);
    batch.push(
      this.#ledger.event("refund.created", payment, refund),
      this.#ledger.event("refund.processed", payment, refund),
    );
  }

  /** A timer may find the refund already ended by hand. */
  #quietly(run: () => void): void {
    try {
      run();
    } catch (error) {
      if (!(error instanceof ApiError)) throw error;
    }
  }
}
