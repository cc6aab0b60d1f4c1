/**
 * The settlement recon report, made from what was captured and refunded: one settlement for what was
 * made in the same hour, two minutes after the last of it, as in the provider's test mode.
 */
import { createHash } from "node:crypto";
import { z } from "zod";
import { read } from "./input.ts";
import type { Ledger } from "./ledger.ts";

/** Unix seconds. */
const SETTLE_AFTER = 120;
const HOUR = 3_600;

const reconInput = z.object({
  year: z.coerce.number().int().min(2010, "The year is not a valid year."),
  month: z.coerce.number().int().min(1).max(12, "The month is not a valid month."),
  day: z.coerce.number().int().min(1).max(31).optional(),
  count: z.coerce.number().int().min(1).max(1000).default(10),
  skip: z.coerce.number().int().default(0),
});

/** `now` in Unix seconds. */
export function settlementReport(ledger: Ledger, query: URLSearchParams, now: number) {
  const { year, month, day, count, skip } = read(reconInput, Object.fromEntries(query));
  const rows = rowsOf(ledger).filter(({ settled_at }) => {
    const at = new Date((settled_at + 5.5 * HOUR) * 1000);
    const isThen = at.getUTCFullYear() === year && at.getUTCMonth() + 1 === month;
    return settled_at <= now && isThen && (day === undefined || at.getUTCDate() === day);
  });
  const items = rows.slice(skip, skip + count);
  return { entity: "collection", count: items.length, items };
}

const NO_MONEY = { fee: 0, tax: 0, debit: 0, credit: 0 };

function rowsOf(ledger: Ledger) {
  const payments = [...ledger.payments.values()]
    .filter(({ captured }) => captured)
    .map(({ id, amount, fee, tax, created_at }) => {
      const money = { amount, fee: fee ?? 0, tax: tax ?? 0, credit: amount - (fee ?? 0) };
      return { entity_id: id, type: "payment", created_at, ...money };
    });
  const refunds = [...ledger.refunds.values()]
    .filter(({ status }) => status === "processed")
    .map(({ id, amount, payment_id, created_at }) => {
      return { entity_id: id, type: "refund", payment_id, created_at, amount, debit: amount };
    });
  const byHour = Map.groupBy([...payments, ...refunds], (row) => Math.floor(row.created_at / HOUR));
  return [...byHour].flatMap(([hour, rows]) => {
    const name = createHash("sha256").update(`${hour}`).digest("hex");
    const settled_at = Math.max(...rows.map(({ created_at }) => created_at)) + SETTLE_AFTER;
    const settlement_id = `setl_${name.slice(0, 14)}`;
    const settlement_utr = `SANDBOX${parseInt(name.slice(14, 24), 16)}`;
    return rows.map((row) => ({ ...NO_MONEY, ...row, settled_at, settlement_id, settlement_utr }));
  });
}
