/** Refunds that are wanted, disputes, and bookings that unmatched money may be for. Money is paise. */
import { type Insertable, sql } from "kysely";
import type { Contact } from "#app/model/appointment.ts";
import { DAY } from "#app/model/dates.ts";
import { isOfflinePayment, newId } from "#app/model/ids.ts";
import { leftOf, type RefundReason, type RefundWay, returnedOutside } from "#app/model/refund.ts";
import { findBy } from "#db/by-column.ts";
import { type Db, sqlite } from "#db/connection.server.ts";
import type { DisputeTable, FailedRefundTable } from "#db/money-tables.ts";
import { type NewOf, rowOf, type Stored } from "#db/row-fields.ts";
import { readRows } from "./appointment-list.server.ts";
import { phrase } from "./appointment-search.server.ts";
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
 * Records a refund inside the transaction of its cause; the refund queue sends it. Money that came in
 * outside the provider waits for a person. If everything is to go back, what the dashboard or a bank
 * has already sent is recorded as superseded, and is owed again should that fail. Returns the refund
 * to be made, or null if nothing is left; the schema refuses more than is left.
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
  // What has already gone back without replacing a refund replaces a part of this one.
  const alreadyBack = isAll ? returnedOutside(payment, refunds) : 0;
  if (alreadyBack > 0) {
    insertRefund(tx, { ...common, ...named(way), amountPaise: alreadyBack, state: "superseded" });
  }
  if (amountPaise <= 0) return null;
  const { id, receipt } = named(way);
  insertRefund(tx, {
    ...common,
    id,
    receipt,
    amountPaise,
    state: isOffline ? "needs_person" : "wanted",
    nextTryAt: isOffline ? null : now,
  });
  return findRefund(tx, id);
}

/** The provider names a refund that it makes for us by our receipt. */
function named(way: RefundWay) {
  const id = newId();
  return { id, receipt: way === "provider" ? id : null };
}

/** Records that the provider did not carry out a refund which it had accepted. */
export function recordFailedRefund(tx: Db, refund: StoredRefund, failedAt: number): void {
  const { providerRefundId, paymentId, amountPaise, acceptedAt } = refund;
  if (providerRefundId === null || acceptedAt === null) return;
  const failed = { providerRefundId, paymentId, amountPaise, acceptedAt, failedAt };
  tx.run(sqlite.insertInto("failed_refund").values(rowOf<FailedRefundTable>(failed)));
}

/** Reduces a refund by `paise`, because that much went back another way. */
export function supersedeRefund(tx: Db, refund: StoredRefund, paise: number, now: number): void {
  if (refund.state !== "failed") recordFailedRefund(tx, refund, now);
  if (paise >= refund.amountPaise) {
    const ended = { nextTryAt: null, leaseUntil: null, fault: null, lastError: null };
    updateRefund(tx, refund.id, { ...ended, state: "superseded", updatedAt: now });
    return;
  }
  const isOpen = refund.way === "provider" && refund.state !== "failed";
  updateRefund(tx, refund.id, {
    amountPaise: refund.amountPaise - paise,
    // The provider refuses another amount under the same key.
    keyGeneration: refund.keyGeneration + 1,
    ...(isOpen && { state: "wanted", nextTryAt: now }),
    leaseUntil: null,
    updatedAt: now,
  });
  insertRefund(tx, { ...partOf(refund, paise, now), state: "superseded" });
}

/** Owes `paise` of a refund again, because what replaced it has failed. */
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

/** A new key, once the previous one can no longer succeed; later reports of its refund are ignored. */
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

const SINCE_RESTORE =
  "Not sent by itself since the restore, because it may have been paid back after the copy was made. Please look, then try it again or mark it as paid back.";

/**
 * After a copy was put back: what it does not know may have gone back since. What is not accepted yet
 * is read before it is sent, and what waits for a person is not sent by itself.
 */
export function distrustRefunds(tx: Db): void {
  const unsent = sqlite.updateTable("refund").where("provider_refund_id", "is", null);
  tx.run(
    unsent.where("next_try_at", "is not", null).set((eb) => ({
      attempts: eb("attempts", "+", 1),
      next_try_at: sql`iif(state = 'needs_person', NULL, next_try_at)`,
      last_error: sql`iif(state = 'needs_person', ${SINCE_RESTORE}, last_error)`,
    })),
  );
}

function partOf(refund: StoredRefund, amountPaise: number, now: number) {
  const { paymentId, appointmentId, way, reason, note } = refund;
  return {
    ...named(way),
    paymentId,
    appointmentId,
    way,
    reason,
    note,
    amountPaise,
    createdAt: now,
    updatedAt: now,
  };
}

export type StoredDispute = Stored<DisputeTable>;

const disputes = sqlite
  .selectFrom("dispute")
  .selectAll()
  .orderBy("created_at")
  .orderBy("dispute_id");

export const findDispute = findBy("dispute", "dispute_id");

export function listDisputesOfPayment(db: Db, paymentId: string): StoredDispute[] {
  return db.objects(disputes.where("payment_id", "=", paymentId));
}

/** Of all payments of an appointment, oldest first. */
export function listDisputesOf(db: Db, appointmentId: string): StoredDispute[] {
  const own = sqlite.selectFrom("payment").where("appointment_id", "=", appointmentId);
  return db.objects(disputes.where("payment_id", "in", own.select("payment_id")));
}

/** Writes the row, or replaces that of a known dispute. */
export function saveDispute(tx: Db, dispute: NewOf<DisputeTable>): void {
  const row = rowOf<Insertable<DisputeTable>>(dispute);
  tx.run(
    sqlite
      .insertInto("dispute")
      .values(row)
      .onConflict((conflict) => conflict.column("dispute_id").doUpdateSet(row)),
  );
}

/** Removes and returns the row of a payment's dispute that was stored without its id, now known. */
export function takeUnnamedDispute(tx: Db, paymentId: string): StoredDispute | null {
  const unnamed = sqlite.deleteFrom("dispute").where("dispute_id", "=", `unknown_${paymentId}`);
  return tx.object(unnamed.returningAll());
}

/** A booking of another contact counts only if it was made this close to the payment. */
const NEAR = 3 * DAY;

export type LikelyBooking = ReturnType<typeof listLikelyBookings>[number];

interface Wanted {
  amountPaise: number;
  email: string | null;
  phone: string | null;
  /** When it was paid. */
  at: number;
}

/** Unpaid future bookings of that price: those of the same contact first, then the closest in time. */
export function listLikelyBookings(
  db: Db,
  { amountPaise, email, phone, at }: Wanted,
  { now, limit }: { now: number; limit: number },
) {
  const digits = /\d{10}$/.exec((phone ?? "").replace(/\D/g, ""))?.[0] ?? null;
  // By hand: the builder does not know the search, and each part has an index of its own.
  const found = db.allRaw<{ seq: number }>(
    `WITH likely (seq, same) AS (
       SELECT seq, 1 FROM appointment WHERE lower(email) = lower(?)
       UNION ALL SELECT rowid, 1 FROM appointment_search WHERE appointment_search MATCH ?
       UNION ALL SELECT seq, 0 FROM appointment WHERE created_at BETWEEN ? AND ?)
     SELECT seq FROM likely CROSS JOIN appointment USING (seq)
     WHERE +status = 'pending_payment' AND total_paise = ? AND starts_at > ?
     GROUP BY seq ORDER BY max(same) DESC, abs(created_at - ?), seq LIMIT ?`,
    [
      email,
      `phone : ${phrase(digits ?? "no such number")}`,
      at - NEAR,
      at + NEAR,
      amountPaise,
      now,
      at,
      limit,
    ],
  );
  const rows = readRows(
    db,
    found.map(({ seq }) => seq),
  );
  return rows.map((appointment) => ({ appointment, isSameContact: isSame(appointment.contact) }));

  function isSame(contact: Contact): boolean {
    if (email !== null && contact.email.toLowerCase() === email.toLowerCase()) return true;
    return digits !== null && contact.phone.endsWith(digits);
  }
}
