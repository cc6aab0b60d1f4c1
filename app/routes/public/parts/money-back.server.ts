/** What the page says of money that goes back, already worded. */
import { formatRupees } from "#app/model/money.ts";
import { type MoneySums, type Refund, sumsFacts, toldState } from "#app/model/refund.ts";
import { refundWords } from "#app/model/wording.ts";

export type MoneyBackView = NonNullable<ReturnType<typeof moneyBackView>>;

/** Null where nothing goes back. */
export function moneyBackView(refunds: readonly Refund[], sums: MoneySums) {
  if (refunds.length === 0) return null;
  return {
    refunds: refunds.map((refund) => {
      const words = refundWords(toldState(refund), formatRupees(refund.amountPaise));
      return refund.note ? `${words} Reason: ${refund.note}` : words;
    }),
    sums: sumsFacts(sums),
  };
}
