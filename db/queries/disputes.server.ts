import type { Insertable } from "kysely";
import { type Db, sqlite } from "#db/connection.server.ts";
import type { DisputeTable } from "#db/money-tables.ts";
import { type NewOf, rowOf, type Stored } from "#db/objects.ts";

export type StoredDispute = Stored<DisputeTable>;

const disputes = sqlite
  .selectFrom("dispute")
  .selectAll()
  .orderBy("created_at")
  .orderBy("dispute_id");

export function findDispute(db: Db, disputeId: string): StoredDispute | null {
  return db.object(disputes.where("dispute_id", "=", disputeId));
}

export function listDisputesOfPayment(db: Db, paymentId: string): StoredDispute[] {
  return db.objects(disputes.where("payment_id", "=", paymentId));
}

/** Of all payments of an appointment, oldest first. */
export function listDisputesOf(db: Db, appointmentId: string): StoredDispute[] {
  const own = sqlite.selectFrom("payment").where("appointment_id", "=", appointmentId);
  return db.objects(disputes.where("payment_id", "in", own.select("payment_id")));
}

/** Writes the row, anew if the dispute is known. */
export function saveDispute(tx: Db, dispute: NewOf<DisputeTable>): void {
  const row = rowOf<Insertable<DisputeTable>>(dispute);
  tx.run(
    sqlite
      .insertInto("dispute")
      .values(row)
      .onConflict((conflict) => conflict.column("dispute_id").doUpdateSet(row)),
  );
}

/** Takes the row of a payment's dispute whose id nobody kept: its id is known by now. */
export function takeUnnamedDispute(tx: Db, paymentId: string): StoredDispute | null {
  const unnamed = sqlite.deleteFrom("dispute").where("dispute_id", "=", `unknown_${paymentId}`);
  return tx.object(unnamed.returningAll());
}
