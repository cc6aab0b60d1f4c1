/** Every refund of ours is one at the provider, under one key. */
import type { Refund } from "#scripts/sandbox/razorpay/entities.ts";
import type { Evidence, RefundEvidence, Violation } from "./evidence.ts";

export function auditRefunds(evidence: Evidence): Violation[] {
  return [...provider(evidence), ...keys(evidence), ...staffRefunds(evidence)];
}

type Wrong = (what: string) => void;

/** By the payment, as they stand in the provider's ledger and in our rows. */
function provider({ sandbox, refunds, payments }: Evidence): Violation[] {
  const violations: Violation[] = [];
  const byPayment = Map.groupBy(sandbox.ledger.refunds.values(), (r) => r.payment_id);
  for (const [paymentId, made] of byPayment) {
    // Returned before it was captured: the provider's own doing, and no money of ours.
    if (!sandbox.ledger.payments.get(paymentId)?.captured) continue;
    const rows = refunds.filter((row) => row.payment_id === paymentId);
    const about = [paymentId, payments.get(paymentId)?.appointment_id ?? ""];
    const wrong: Wrong = (what) =>
      violations.push({ rule: "one refund a row", what: `${what}: ${paymentId}`, about });
    for (const { id, status } of made) {
      const known = rows.filter((row) => row.provider_refund_id === id);
      if (known.length === 0 && status !== "failed" && payments.has(paymentId)) {
        wrong(`refund ${id} unknown to us`);
      }
      if (known.length > 1) wrong(`${known.length} rows for ${id}`);
      for (const { state } of known) {
        if (state !== status) wrong(`${id} is ${status} there, ${state} here`);
      }
    }
    const done = made.filter(({ status }) => status !== "failed");
    for (const [receipt, copies] of Map.groupBy(done, (refund) => refund.receipt ?? "none")) {
      const row = rows.find(({ id }) => id === receipt);
      oneWay(wrong, row, copies);
    }
    const back = done.reduce((sum, { amount }) => sum + amount, 0);
    const came = payments.get(paymentId)?.amount_paise ?? back;
    if (back > came) wrong(`${back} of ${came} paise went back`);
  }
  return violations;
}

function oneWay(wrong: Wrong, row: RefundEvidence | undefined, copies: readonly Refund[]): void {
  const [{ id, receipt, amount } = { id: "", receipt: "", amount: 0 }] = copies;
  if (copies.length > 1) wrong(`${copies.length} refunds by our calls for ${receipt}`);
  if (!row) wrong(`${id} was asked for by none of our refunds (${receipt})`);
  else if (row.amount_paise !== amount) {
    wrong(`${id} of ${amount} for a refund of ${row.amount_paise}`);
  } else if (row.provider_refund_id !== id)
    wrong(`${id} stands under another refund than ${row.id}`);
}

/**
 * A new key only where the provider has certainly done nothing, or failed what it did: of ours, or of
 * what stood in for it.
 */
function keys({ sandbox, refunds, newKeys }: Evidence): Violation[] {
  const violations: Violation[] = [];
  const calls = sandbox.requests.filter(
    ({ method, path }) => method === "POST" && /^\/v1\/payments\/\w+\/refund$/.test(path),
  );
  const byRow = Map.groupBy(calls, ({ idempotencyKey }) => idempotencyKey?.split("-")[0] ?? "none");
  for (const [id, made] of byRow) {
    const row = refunds.find((one) => one.id === id && made[0]?.path.includes(one.payment_id));
    const wrong = (what: string) =>
      violations.push({
        rule: "one key a refund",
        what: `${what}: ${id}`,
        about: [row?.payment_id ?? "", row?.appointment_id ?? ""],
      });
    if (!row) wrong("a refund call without a key of ours");
    const renewed = newKeys.filter((one) => one.id === id);
    const used = new Set(made.map(({ idempotencyKey }) => idempotencyKey)).size;
    if (used > 1 + renewed.length) wrong(`${used} keys where ${renewed.length} were given anew`);
    for (const { state, fault, corrected } of renewed) {
      const isFailed = state === "failed" || state === "superseded";
      const isNothingDone = isFailed || fault === "rejected" || fault === "balance";
      if (!isNothingDone && corrected === 0) wrong(`a new key while ${state} (${fault})`);
    }
  }
  return violations;
}

/** A form that staff submit is one refund, and one that was answered stands. */
function staffRefunds({ refunds, trails }: Evidence): Violation[] {
  const violations: Violation[] = [];
  for (const { appointmentId, refundKeys, answeredRefunds } of trails) {
    const wrong = (what: string) =>
      violations.push({
        rule: "one submit, one refund",
        what: `${what}: ${appointmentId}`,
        about: [appointmentId ?? ""],
      });
    const asked = refunds.filter(
      (row) =>
        row.appointment_id === appointmentId &&
        row.reason === "by_staff" &&
        row.state !== "superseded",
    );
    if (appointmentId && asked.length > refundKeys) {
      wrong(`${asked.length} refunds by staff under ${refundKeys} keys`);
    }
    for (const id of answeredRefunds) {
      if (!refunds.some((row) => row.id === id)) wrong(`the answered refund ${id} is unknown`);
    }
  }
  return violations;
}
