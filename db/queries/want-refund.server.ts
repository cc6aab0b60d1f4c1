import { isOfflinePayment, newId } from "#app/model/ids.ts";
import { leftOf, type RefundReason, type RefundWay, standsForNone } from "#app/model/refund.ts";
import type { Db } from "#db/connection.server.ts";
import {
  findPayment,
  findRefund,
  insertRefund,
  listRefundsOfPayment,
  type StoredRefund,
  updateRefund,
} from "./payments.server.ts";

export interface WantedRefund {
  paymentId: string;
  appointmentId: string | null;
  /** Paise; `all`: what came, less what is on its way back already. */
  amountPaise: number | "all";
  reason: Exclude<RefundReason, "dashboard">;
  /** In staff's words; the customer reads them. */
  note?: string | undefined;
}

/**
 * Records that money is to go back, inside the transaction of the cause; the refund queue sends it.
 * What came in outside the provider waits for a person. Where all is to go back, what the dashboard or
 * a bank has sent already is recorded as superseded: should that fail, it is owed. Answers the refund
 * that is to be made, or null if nothing is left; the schema refuses more than is left.
 */
export function wantRefund(tx: Db, wanted: WantedRefund, now: number): StoredRefund | null {
  const { paymentId, appointmentId, reason, note = null } = wanted;
  const payment = findPayment(tx, paymentId)!;
  const refunds = listRefundsOfPayment(tx, paymentId);
  const isAll = wanted.amountPaise === "all";
  const left = Math.max(0, leftOf(payment, refunds));
  const amountPaise = wanted.amountPaise === "all" ? left : wanted.amountPaise;
  const isOffline = isOfflinePayment(paymentId);
  const way = isOffline ? ("by_hand" as const) : ("provider" as const);
  const common = { paymentId, appointmentId, way, reason, note, createdAt: now, updatedAt: now };
  // What went back in nobody's place stands in for this one.
  const inPlace = isAll ? standsForNone(payment, refunds) : 0;
  if (inPlace > 0) {
    insertRefund(tx, { ...common, ...named(way), amountPaise: inPlace, state: "superseded" });
  }
  if (amountPaise <= 0) return null;
  const { id, receipt } = named(way);
  insertRefund(tx, {
    ...common,
    ...{ id, receipt, amountPaise },
    state: isOffline ? "needs_person" : "wanted",
    nextTryAt: isOffline ? null : now,
  });
  return findRefund(tx, id);
}

/** What the provider makes for us it tells by our receipt. */
function named(way: RefundWay) {
  const id = newId();
  return { id, receipt: way === "provider" ? id : null };
}

/** Money went back another way: so much of a refund, in paise, is no longer to be made. */
export function supersedeRefund(tx: Db, refund: StoredRefund, paise: number, now: number): void {
  if (paise >= refund.amountPaise) {
    const ended = { nextTryAt: null, leaseUntil: null, fault: null, lastError: null };
    updateRefund(tx, refund.id, { ...ended, state: "superseded", updatedAt: now });
    return;
  }
  const isOpen = refund.way === "provider" && refund.state !== "failed";
  updateRefund(tx, refund.id, {
    amountPaise: refund.amountPaise - paise,
    // Another amount is another request, which the provider refuses under the same key.
    keyGeneration: refund.keyGeneration + 1,
    ...(isOpen && { state: "wanted", nextTryAt: now }),
    leaseUntil: null,
    updatedAt: now,
  });
  insertRefund(tx, { ...partOf(refund, paise, now), state: "superseded" });
}

/** What stood in for a refund failed: so much of it, in paise, is owed again. */
export function oweAgain(tx: Db, refund: StoredRefund, paise: number, now: number): void {
  const isByHand = refund.way === "by_hand";
  const due = {
    state: isByHand ? ("needs_person" as const) : ("wanted" as const),
    nextTryAt: isByHand ? null : now,
  };
  if (paise >= refund.amountPaise) {
    updateRefund(tx, refund.id, { ...due, ...newTry(refund), updatedAt: now });
    return;
  }
  updateRefund(tx, refund.id, { amountPaise: refund.amountPaise - paise, updatedAt: now });
  insertRefund(tx, { ...partOf(refund, paise, now), ...due });
}

/** Another key, once nothing can come of the one before; late news of its refund means nothing. */
export function newTry({ keyGeneration, providerRefundId, replacedIds }: StoredRefund) {
  const replaced = JSON.parse(replacedIds) as string[];
  if (providerRefundId) replaced.push(providerRefundId);
  return {
    keyGeneration: keyGeneration + 1,
    providerRefundId: null,
    replacedIds: JSON.stringify(replaced),
    fault: null,
    lastError: null,
  };
}

function partOf(refund: StoredRefund, amountPaise: number, now: number) {
  const { paymentId, appointmentId, way, reason, note } = refund;
  return {
    ...named(way),
    ...{ paymentId, appointmentId, way, reason, note },
    amountPaise,
    createdAt: now,
    updatedAt: now,
  };
}
