/** What the page says of money that goes back, already worded. */
import { type MoneySums, type Refund, sumsFacts } from "#app/model/refund.ts";
import { refundLine } from "#app/model/wording.ts";

export type MoneyBackView = NonNullable<ReturnType<typeof moneyBackView>>;

/** Null where nothing goes back or was taken back. */
export function moneyBackView(refunds: readonly Refund[], sums: MoneySums) {
  if (refunds.length === 0 && sums.takenPaise === 0) return null;
  return {
    refunds: refunds.map((refund) => {
      const words = refundLine(refund);
      return refund.note ? `${words} Reason: ${refund.note}` : words;
    }),
    sums: sumsFacts(sums),
  };
}
