/**
 * The only entry for what the provider reports about money: a payment is read with its refunds,
 * judged and applied, whoever asks (verify, the checkout's return, events, the reconciler, retry,
 * settle, a restore).
 */
import { keptOf } from "#app/booking/cancel-and-refund.server.ts";
import type { Deps } from "#app/core/deps.server.ts";
import {
  type ProviderDispute,
  ProviderError,
  type ProviderPayment,
  type ProviderRefund,
} from "#app/core/services.ts";
import { disputedPaise, furthest, isStep, isUndecided } from "#app/model/dispute.ts";
import type { PaymentOutcome } from "#app/model/statuses.ts";
import { queueMessages } from "#app/notifications/queue.server.ts";
import { type Db, inTransaction } from "#db/connection.server.ts";
import { updateAppointment } from "#db/queries/appointments.server.ts";
import { findPayment, listRefundsOfPayment, updatePayment } from "#db/queries/payments.server.ts";
import { findDispute, saveDispute, takeUnnamedDispute } from "#db/queries/refunds.server.ts";
import { applyPayment, payerOf } from "./apply-payment.server.ts";
import { applyRefund, balanceRefunds, keepUnlisted } from "./apply-refund.server.ts";
import { isSettled } from "./judge-payment.ts";

/** A payment with all its refunds as the provider has them now, and the requested disputes. */
export interface PaymentReport {
  payment: ProviderPayment;
  refunds: readonly ProviderRefund[];
  disputes: readonly ProviderDispute[];
}

/** Erases the payer. */
export const NO_PAYER = { payerEmail: null, payerPhone: null };

type ReportDeps = Pick<Deps, "db" | "provider">;

/** Rejects with ProviderError, like the other functions that read. */
export async function readPayment(
  deps: ReportDeps,
  paymentId: string,
  disputes: readonly ProviderDispute[] = [],
): Promise<PaymentReport> {
  return { ...(await withRefunds(deps, await deps.provider.fetchPayment(paymentId))), disputes };
}

/** The provider does not list the disputes of a payment. */
export async function readDispute(deps: ReportDeps, disputeId: string): Promise<PaymentReport> {
  const dispute = await deps.provider.fetchDispute(disputeId);
  return readPayment(deps, dispute.paymentId, [dispute]);
}

export async function readOrder(deps: ReportDeps, orderId: string): Promise<PaymentReport[]> {
  const reports: PaymentReport[] = [];
  for (const payment of await deps.provider.listPayments(orderId)) {
    reports.push(await withRefunds(deps, payment));
  }
  return reports;
}

/** Skips listing refunds if neither side knows of any. */
async function withRefunds(
  { db, provider }: ReportDeps,
  payment: ProviderPayment,
): Promise<PaymentReport> {
  const { paymentId, refundedPaise } = payment;
  const mayHaveSome = refundedPaise > 0 || listRefundsOfPayment(db, paymentId).length > 0;
  const refunds = mayHaveSome ? await provider.listRefunds(paymentId) : [];
  return { payment, refunds, disputes: [] };
}

/** Returns what became of the payment. Call it inside a transaction. */
function applyReport(
  tx: Db,
  deps: Pick<Deps, "env" | "metrics">,
  { payment, refunds, disputes }: PaymentReport,
  now: number,
): PaymentOutcome {
  // The refunds of a settled payment decide what becomes of it, so they come first; those of a new
  // payment need its invoice first.
  const known = findPayment(tx, payment.paymentId);
  const isKnown = known !== null && isSettled(known.outcome);
  const applyRefunds = () => {
    for (const refund of refunds) applyRefund(tx, deps, refund, now);
  };
  if (isKnown) applyRefunds();
  const outcome = applyPayment(tx, deps, payment, now);
  if (!isKnown) applyRefunds();
  for (const dispute of disputes) applyDispute(tx, deps, dispute, now);
  keepUnlisted(tx, payment, refunds, now);
  balanceRefunds(tx, payment.paymentId, now);
  if (outcome === "unmatched") keepPayer(tx, payment, now);
  return outcome;
}

/** Of money without a booking, for as long as something of it is left; a refund may fail after all. */
function keepPayer(tx: Db, payment: ProviderPayment, now: number): void {
  const { paymentId } = payment;
  const known = findPayment(tx, paymentId)!;
  const payer = keptOf(tx, { paymentId }) > 0 ? payerOf(tx, payment) : NO_PAYER;
  if (payer.payerEmail === known.payerEmail && payer.payerPhone === known.payerPhone) return;
  updatePayment(tx, paymentId, { ...payer, updatedAt: now });
}

/** Applies the reports in one transaction with what `also` writes, and wakes the worker. */
export function applyReports(
  deps: Deps,
  reports: readonly PaymentReport[],
  also: (tx: Db, now: number) => void = () => {},
): PaymentOutcome[] {
  const outcomes = inTransaction(deps.db, (tx) => {
    const now = deps.now();
    also(tx, now);
    return reports.map((report) => applyReport(tx, deps, report, now));
  });
  if (reports.length > 0) deps.wake();
  return outcomes;
}

/** Reads a payment and applies it; false if it cannot be read now. */
export async function followPayment(deps: Deps, paymentId: string): Promise<boolean> {
  const report = await orNull(deps, "payment", readPayment(deps, paymentId));
  if (report) applyReports(deps, [report]);
  return report !== null;
}

/**
 * Records the progress of a dispute, and notifies the admin of every step once; outdated reports
 * change nothing. The database computes what the bank took back.
 */
function applyDispute(
  tx: Db,
  { env }: Pick<Deps, "env">,
  reported: ProviderDispute,
  now: number,
): void {
  const { disputeId, paymentId, createdAt } = reported;
  const known = findDispute(tx, disputeId) ?? takeUnnamedDispute(tx, paymentId);
  const { phase, status, amountPaise, deductedPaise, respondBy } = known
    ? furthest(known, reported)
    : reported;
  const dispute = { phase, status, amountPaise, deductedPaise, respondBy };
  saveDispute(tx, { ...dispute, disputeId, paymentId, createdAt, updatedAt: now });
  const appointmentId = findPayment(tx, paymentId)?.appointmentId ?? null;
  const isNews = isUndecided(dispute) && !(known && isUndecided(known));
  // Makes forms stale that would refund without its warning.
  if (isNews && appointmentId) updateAppointment(tx, appointmentId, now, {});
  if (known && !isStep(known, dispute)) return;
  queueMessages(tx, env, now, {
    type: "dispute",
    disputeId,
    paymentId,
    phase,
    status,
    respondBy,
    amountPaise: disputedPaise(dispute),
    appointmentId,
  });
}

/** The provider's response; null and a log line if it is unreadable. Other errors are thrown. */
export async function orNull<T>(
  { log }: Pick<Deps, "log">,
  what: string,
  asked: Promise<T>,
): Promise<T | null> {
  try {
    return await asked;
  } catch (error) {
    if (!(error instanceof ProviderError)) throw error;
    log.warn({ fault: error.fault, status: error.status }, `${what} not readable yet`);
    return null;
  }
}
