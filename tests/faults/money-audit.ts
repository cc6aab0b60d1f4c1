/** Where every captured rupee is, counted from the provider's ledger. */
import type { Payment } from "#scripts/sandbox/razorpay/entities.ts";
import { type Evidence, isPaidStatus, type Violation } from "./evidence.ts";

export function auditMoney(evidence: Evidence): Violation[] {
  return [
    ...captured(evidence),
    ...appointments(evidence),
    ...refunds(evidence),
    ...orders(evidence),
  ];
}

/** Kept by one live paid appointment, by an invoice of a deleted one, by nobody yet, or gone back. */
function captured({ sandbox, appointments, payments, refunds, documents }: Evidence): Violation[] {
  const violations: Violation[] = [];
  const owners = new Map<string, string>();
  for (const payment of sandbox.ledger.payments.values()) {
    const kept = keptOf(payment);
    const row = payments.get(payment.id);
    const about = [payment.id, row?.appointment_id ?? ""];
    const wrong = (what: string) =>
      violations.push({
        rule: "every captured rupee has one place",
        what: `${what}: ${payment.id} of ${payment.amount} paise, ${kept} kept, outcome ${row?.outcome}`,
        about,
      });
    if (kept === 0) continue;
    if (!row) {
      wrong("captured money that the app does not know");
      continue;
    }
    if (row.outcome === "unmatched") continue;
    const appointment = row.appointment_id ? appointments.get(row.appointment_id) : undefined;
    const invoiced = documents.some((d) => d.kind === "invoice" && d.payment_id === payment.id);
    if (row.outcome !== "applied" && row.outcome !== "assigned") {
      wrong("money that should have gone back");
    } else if (!appointment) {
      if (!invoiced) wrong("money of a deleted appointment without an invoice");
    } else if (!isPaidStatus(appointment.status)) {
      wrong(`money of an appointment that is ${appointment.status}`);
    } else if (owners.has(appointment.id)) {
      wrong(`a second payment (beside ${owners.get(appointment.id)}) kept for one appointment`);
    } else {
      owners.set(appointment.id, payment.id);
      const partly = refunds.some((r) => r.payment_id === payment.id && r.origin === "provider");
      if (kept !== appointment.total_paise && !partly) wrong("another amount than the price");
    }
  }
  return violations;
}

/** A paid appointment has its money, the figure of the dashboard is the ledger's. */
function appointments({ sandbox, appointments, payments, refunds }: Evidence): Violation[] {
  const violations: Violation[] = [];
  for (const appointment of appointments.values()) {
    const own = [...payments.values()].filter((p) => p.appointment_id === appointment.id);
    const applied = own.filter((p) => p.outcome === "applied" || p.outcome === "assigned");
    const wrong = (what: string) =>
      violations.push({
        rule: "a paid appointment has its money",
        what: `${what}: ${appointment.id} ${appointment.status}`,
        about: [appointment.id],
      });
    if (isPaidStatus(appointment.status)) {
      const payment = sandbox.ledger.payments.get(applied[0]?.payment_id ?? "");
      if (applied.length !== 1 || !payment?.captured) wrong("paid without captured money");
    } else if (appointment.status === "pending_payment" && applied.length > 0) {
      wrong("pending although money was applied");
    }
    const kept = own
      .map(({ payment_id }) => sandbox.ledger.payments.get(payment_id))
      .reduce((sum, payment) => sum + (payment ? keptOf(payment) : 0), 0);
    const stuck = refunds.some(
      (r) => r.appointment_id === appointment.id && r.state !== "processed",
    );
    if (!stuck && appointment.kept_paise !== undefined && appointment.kept_paise !== kept) {
      wrong(`the dashboard counts ${appointment.kept_paise} paise, the ledger ${kept}`);
    }
  }
  return violations;
}

/** Each refund of the ledger stands once in ours; a repeat of a call carried the same key. */
function refunds({ sandbox, db, refunds, payments, trails }: Evidence): Violation[] {
  const violations: Violation[] = [];
  const dashboard = new Set(trails.flatMap((trail) => [...trail.dashboard]));
  const byPayment = Map.groupBy(sandbox.ledger.refunds.values(), (r) => r.payment_id);
  for (const [paymentId, made] of byPayment) {
    const payment = sandbox.ledger.payments.get(paymentId);
    // Returned before it was captured: the provider's own doing, and no money of ours.
    if (!payment?.captured) continue;
    const rows = refunds.filter((row) => row.payment_id === paymentId);
    const about = [paymentId, payments.get(paymentId)?.appointment_id ?? ""];
    const wrong = (what: string) =>
      violations.push({ rule: "one refund a payment", what: `${what}: ${paymentId}`, about });
    const byCall = made.filter(({ id, status }) => !dashboard.has(id) && status !== "failed");
    if (byCall.length > 1) wrong(`${byCall.length} refunds by our calls`);
    for (const { id, status } of made) {
      const row = rows.find((known) => known.provider_refund_id === id);
      if (!row && status !== "failed" && payments.has(paymentId))
        wrong(`refund ${id} unknown to us`);
      if (row && row.state !== status) wrong(`${id} is ${status} there and ${row.state} here`);
    }
    const ours = rows.find(({ origin }) => origin === "us");
    const keys = new Set(
      sandbox.requests
        .filter(({ path }) => path === `/v1/payments/${paymentId}/refund`)
        .map(({ idempotencyKey }) => idempotencyKey ?? "none"),
    );
    if (keys.has("none")) wrong("a refund call without an idempotency key");
    // A new key only where the provider has certainly done nothing, or failed what it did.
    const presses = db.allRaw(
      `SELECT 1 FROM activity WHERE action = 'refund_retry' AND json_extract("before", '$.refund') = ?`,
      [ours?.id],
    ).length;
    const corrected = ours && ours.amount_paise !== payment.amount ? 1 : 0;
    if (keys.size > 1 + presses + corrected) {
      wrong(`${keys.size} idempotency keys after ${presses} presses`);
    }
  }
  return violations;
}

/** A lost answer never makes a second order. */
function orders({ sandbox }: Evidence): Violation[] {
  const byBooking = Map.groupBy(sandbox.ledger.orders.values(), ({ notes }) =>
    "booking" in notes ? String(notes.booking) : "",
  );
  return [...byBooking]
    .filter(([booking, made]) => booking !== "" && made.length > 1)
    .map(([booking, made]) => ({
      rule: "one order a booking",
      what: `${made.length} orders for ${booking}`,
      about: [booking],
    }));
}

/** Captured and not given back, in paise. */
function keptOf(payment: Payment): number {
  return payment.captured ? payment.amount - payment.amount_refunded : 0;
}
