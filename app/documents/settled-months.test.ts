/** Random months of payments: the provider's ledger balance is what is listed as not settled. */
import fc from "fast-check";
import { expect, it } from "vitest";
import { DAY } from "#app/model/dates.ts";
import { monthOf } from "#app/model/month.ts";
import { writeSetting } from "#db/queries/settings.server.ts";
import {
  listMovements,
  listSettlements,
  listUnsettled,
  saveSettlementLine,
  settlementsSinceSetting,
} from "#db/queries/settlements.server.ts";
import { storedRows } from "#tests/support/stored-rows.ts";
import { journalOf, LEDGERS } from "./journal.server.ts";
import { readMonth } from "./render/gst-summary.server.ts";

const stored = storedRows();
const MONTH = 30 * DAY;

/** Days count from the first month's first; null: not settled, or nothing goes back. */
const day = (max: number) => fc.integer({ min: 0, max });
const paid = fc.record({
  amount: fc.integer({ min: 200, max: 4_720_000 }),
  onDay: day(80),
  settledAfter: fc.option(day(40)),
  isFeeKnown: fc.boolean(),
  isOutside: fc.boolean(),
  // Of another sale of the account; it is settled in rupees, at some rate.
  currency: fc.constantFrom("INR", "INR", "USD"),
  refund: fc.option(
    fc.record({
      part: day(100),
      after: day(30),
      settledAfter: fc.option(day(40)),
      failsAfter: fc.option(day(40)),
    }),
  ),
});
const history = fc.record({
  payments: fc.array(paid, { maxLength: 6 }),
  adjustments: fc.array(fc.tuple(day(90), fc.integer({ min: -5_000, max: 5_000 }))),
});

const UNSETTLED = {
  amount: 117_900,
  settledAfter: null,
  isFeeKnown: true,
  isOutside: false,
  currency: "INR",
  refund: null,
} as const;

type Paid = (typeof paid extends fc.Arbitrary<infer T> ? T : never) & { id: string };

function settle(
  id: string,
  kind: string,
  onDay: number,
  paise: number,
  fee = 0,
  paymentId: string | null = null,
): void {
  const tax = Math.round(fee * 0.18);
  saveSettlementLine(stored.db(), {
    settlementId: `setl_${onDay}`,
    entityId: id,
    kind,
    paymentId,
    creditPaise: Math.max(0, paise - fee - tax),
    debitPaise: Math.max(0, fee + tax - paise),
    feePaise: fee,
    feeTaxPaise: tax,
    utr: null,
    settledAt: onDay * DAY,
    description: null,
  });
}

function happen({ id, amount, onDay, settledAfter, isFeeKnown, refund, ...more }: Paid): void {
  const isOutside = more.isOutside && more.currency === "INR";
  const rate = more.currency === "INR" ? 1 : 83;
  const paymentId = `pay_${id}`;
  const fee = isOutside ? 0 : Math.round(amount * 0.02);
  const isReported = isFeeKnown || settledAfter === null;
  stored.add("payment", paymentId, {
    amount_paise: amount,
    currency: more.currency,
    captured_at: onDay * DAY,
    order_id: isOutside ? null : `order_${id}`,
    received_on: isOutside ? "2026-11-20" : null,
    fee_paise: isReported ? fee : null,
    fee_tax_paise: isReported ? Math.round(fee * 0.18) : null,
  });
  if (!isOutside && settledAfter !== null) {
    settle(paymentId, "payment", onDay + settledAfter, rate * amount, rate * fee, paymentId);
  }
  if (refund === null) return;
  const back = Math.max(1, Math.floor((amount * refund.part) / 100));
  const backOn = onDay + refund.after;
  const isFailing = !isOutside && refund.failsAfter !== null;
  if (isFailing) {
    stored.add("failed_refund", `rfnd_${id}`, {
      payment_id: paymentId,
      amount_paise: back,
      accepted_at: backOn * DAY,
      failed_at: (backOn + refund.failsAfter!) * DAY,
    });
  }
  stored.add("refund", `r_${id}`, {
    payment_id: paymentId,
    amount_paise: back,
    state: isFailing ? "failed" : "processed",
    way: isOutside ? "by_hand" : "provider",
    provider_refund_id: isOutside ? null : `rfnd_${id}`,
    created_at: backOn * DAY,
  });
  if (!isOutside && refund.settledAfter !== null) {
    settle(`rfnd_${id}`, "refund", backOn + refund.settledAfter, -rate * back, 0, paymentId);
  }
}

function providersLedger(end: number): number {
  const db = stored.db();
  const movements = listMovements(db, 0, end);
  const settlements = listSettlements(db, 0, end, false);
  const lines = journalOf({ documents: [], movements, settlements });
  return lines
    .filter(({ ledger }) => ledger === LEDGERS.provider)
    .reduce((sum, { debitPaise, creditPaise }) => sum + debitPaise - creditPaise, 0);
}

function notSettled(end: number): number {
  const range = { from: 0, to: end, foreignTo: end, settledBefore: end };
  return listUnsettled(stored.db(), range).reduce(
    (sum, { kind, amountPaise, feePaise, feeTaxPaise }) =>
      sum + (kind === "refund" ? -amountPaise : amountPaise) - feePaise - feeTaxPaise,
    0,
  );
}

it("ties at the end of each month", () => {
  const clear = ["failed_refund", "refund", "payment", "settlement_line"];
  const property = fc.property(history, ({ payments, adjustments }) => {
    for (const table of clear) stored.db().runRaw(`DELETE FROM ${table}`);
    payments.forEach((one, n) => {
      happen({ ...one, id: String(n) });
    });
    adjustments.forEach(([onDay, paise], n) => {
      settle(`adj_${n}`, "adjustment", onDay, paise);
    });
    for (const end of [MONTH, 2 * MONTH, 3 * MONTH, 4 * MONTH]) {
      expect(providersLedger(end)).toBe(notSettled(end));
    }
  });
  fc.assert(property, { numRuns: 250 });
});

it("takes a fee that the payment did not report from its settled line, but never that there is none", () => {
  for (const id of ["reported", "unreported", "free", "other"]) stored.add("payment", id, {});
  stored
    .db()
    .runRaw("UPDATE payment SET fee_paise = 5, fee_tax_paise = 1 WHERE payment_id = 'reported'");
  settle("reported", "payment", 1, 1_000, 20);
  settle("unreported", "payment", 1, 1_000, 20);
  settle("free", "payment", 1, 1_000);
  settle("other", "transfer", 1, 1_000, 20);
  const fees = "SELECT payment_id, fee_paise, fee_tax_paise FROM payment ORDER BY payment_id";
  expect(
    stored
      .db()
      .allRaw(fees)
      .map((row) => Object.values(row as object)),
  ).toEqual([
    ["free", null, null],
    ["other", null, null],
    ["reported", 5, 1],
    ["unreported", 20, 4],
  ]);
});

it("counts from when settlements were first read, under a live key if there was one", () => {
  for (const onDay of [5, 20]) happen({ ...UNSETTLED, onDay, id: String(onDay) });
  const unsettled = () => readMonth(stored.db(), monthOf("1970-01")).unsettled.map(({ id }) => id);
  const readSince = (isLive: boolean, onDay: number) =>
    writeSetting(stored.db(), settlementsSinceSetting(isLive), String(onDay * DAY));
  expect(unsettled()).toEqual([]);
  readSince(false, 1);
  expect(unsettled()).toEqual(["pay_5", "pay_20"]);
  readSince(true, 10);
  expect(unsettled()).toEqual(["pay_20"]);
});
