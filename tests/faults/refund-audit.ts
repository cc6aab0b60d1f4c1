/** Every refund of ours is one at the provider, under one key. */
import type { Evidence, Rules } from "./evidence.ts";

export const REFUND_RULES: Rules = {
  "one refund a row": provider,
  "one key a refund": keys,
  "one submit, one refund": staffRefunds,
};

/** By the payment, as they stand in the provider's ledger and in our rows. */
function* provider({ sandbox, refunds, payments }: Evidence) {
  const byPayment = Map.groupBy(sandbox.ledger.refunds.values(), (r) => r.payment_id);
  for (const [paymentId, made] of byPayment) {
    // Returned before it was captured: the provider's own doing, and no money of ours.
    if (!sandbox.ledger.payments.get(paymentId)?.captured) continue;
    const rows = refunds.filter((row) => row.payment_id === paymentId);
    for (const { id, status } of made) {
      const known = rows.filter((row) => row.provider_refund_id === id);
      if (known.length === 0 && status !== "failed" && payments.has(paymentId)) {
        yield `refund ${id} unknown to us: ${paymentId}`;
      }
      if (known.length > 1) yield `${known.length} rows for ${id}: ${paymentId}`;
      for (const { state } of known) {
        if (state !== status) yield `${id} is ${status} there, ${state} here: ${paymentId}`;
      }
    }
    const done = made.filter(({ status }) => status !== "failed");
    for (const [receipt, copies] of Map.groupBy(done, (refund) => refund.receipt ?? "none")) {
      const row = rows.find(({ id }) => id === receipt);
      const { id, amount } = copies[0]!;
      if (copies.length > 1) yield `${copies.length} refunds by our calls for ${receipt}`;
      if (!row) yield `${id} was asked for by none of our refunds (${receipt}): ${paymentId}`;
      else if (row.amount_paise !== amount) {
        yield `${id} of ${amount} for a refund of ${row.amount_paise}: ${paymentId}`;
      } else if (row.provider_refund_id !== id) {
        yield `${id} stands under another refund than ${row.id}: ${paymentId}`;
      }
    }
    const back = done.reduce((sum, { amount }) => sum + amount, 0);
    const came = payments.get(paymentId)?.amount_paise ?? back;
    if (back > came) yield `${back} of ${came} paise went back: ${paymentId}`;
  }
}

/**
 * A new key only where the provider has certainly done nothing, or failed what it did: of ours, or of
 * what stood in for it.
 */
function* keys({ sandbox, refunds, newKeys }: Evidence) {
  const calls = sandbox.requests.filter(
    ({ method, path }) => method === "POST" && /^\/v1\/payments\/\w+\/refund$/.test(path),
  );
  const byRow = Map.groupBy(calls, ({ idempotencyKey }) => idempotencyKey?.split("-")[0] ?? "none");
  for (const [id, made] of byRow) {
    const row = refunds.find((one) => one.id === id && made[0]?.path.includes(one.payment_id));
    const about = `${id} of ${row?.payment_id}`;
    if (!row) yield `a refund call without a key of ours: ${id}`;
    const renewed = newKeys.filter((one) => one.id === id);
    const used = new Set(made.map(({ idempotencyKey }) => idempotencyKey)).size;
    if (used > 1 + renewed.length) {
      yield `${used} keys where ${renewed.length} were given anew: ${about}`;
    }
    for (const { state, fault, corrected } of renewed) {
      const isFailed = state === "failed" || state === "superseded";
      const isNothingDone = isFailed || fault === "rejected" || fault === "balance";
      if (!isNothingDone && corrected === 0) yield `a new key while ${state} (${fault}): ${about}`;
    }
  }
}

/** A form that staff submit is one refund, and one that was answered stands. */
function* staffRefunds({ refunds, trails }: Evidence) {
  for (const { appointmentId, refundKeys, answeredRefunds } of trails) {
    const asked = refunds.filter(
      (row) =>
        row.appointment_id === appointmentId &&
        row.reason === "by_staff" &&
        row.state !== "superseded",
    );
    if (appointmentId && asked.length > refundKeys) {
      yield `${asked.length} refunds by staff under ${refundKeys} keys: ${appointmentId}`;
    }
    for (const id of answeredRefunds) {
      if (!refunds.some((row) => row.id === id)) {
        yield `the answered refund ${id} is unknown: ${appointmentId}`;
      }
    }
  }
}
