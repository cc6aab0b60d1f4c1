/** The documents of a money world at rest: one invoice a payment that pays, and its credit notes. */
import { documentFacts } from "#app/documents/document-facts.ts";
import { listDocumentsOf } from "#db/queries/documents.server.ts";
import type { Case } from "./money-case.ts";

export function judgePapers({ world, money, payments }: Case): void {
  const bookings = world.db.allRaw<{ id: string }>(
    "SELECT DISTINCT appointment_id AS id FROM document ORDER BY serial",
  );
  const documents = bookings.flatMap(({ id }) => listDocumentsOf(world.db, id));
  const invoices = documents.filter(({ kind }) => kind === "invoice");
  for (const { payment_id, outcome } of payments) {
    const own = invoices.filter(({ paymentId }) => paymentId === payment_id);
    const expected = outcome === "applied" || outcome === "assigned" ? 1 : 0;
    if (own.length !== expected) {
      world.wrong("one invoice a payment that pays", `${outcome}: ${own.length} invoices`);
    }
  }
  for (const { paymentId, totalPaise } of invoices) {
    const notes = documents.filter(
      (one) => one.kind === "credit_note" && one.paymentId === paymentId,
    );
    const credited = notes.reduce((sum, note) => sum + note.totalPaise, 0);
    if (credited > totalPaise) {
      world.wrong("credit notes are never above their invoice", `${credited} of ${totalPaise}`);
    }
    const one = money.get(paymentId);
    const made = world.books.refundsOf(paymentId);
    // Of an assigned payment what had left before is no part of the invoice.
    const isWhole = one?.amountPaise === totalPaise;
    if (one && isWhole && made.every(({ status }) => status !== "failed")) {
      if (credited !== one.backPaise) {
        world.wrong("credit notes say what went back", `${credited} noted, ${one.backPaise} back`);
      }
    }
    for (const note of notes) {
      // A note that was issued before its refund failed, or one of the dashboard in its place, stands.
      const wasAccepted = made.some(
        ({ receipt, status, amountPaise }) =>
          receipt === note.refundId ||
          (receipt === null && status === "failed" && amountPaise === note.totalPaise),
      );
      const byHand =
        !wasAccepted && world.handedBack.some(({ refundId }) => refundId === note.refundId);
      const facts = documentFacts(note);
      if (byHand && /back the way it was paid/.test(facts.paid.join(" "))) {
        world.wrong("a credit note says how it went back", "by hand, and says as it was paid");
      }
    }
  }
}
