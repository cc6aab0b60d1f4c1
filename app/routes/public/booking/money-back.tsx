/** What goes back of the money for a booking: each refund as it stands, and the sums. */
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

export function MoneyBack({ refunds, sums }: MoneyBackView) {
  return (
    <>
      {refunds.map((refund, i) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: two refunds may read alike
        <p key={i}>{refund}</p>
      ))}
      <dl className="flex flex-wrap gap-x-6 gap-y-2">
        {sums.map(({ label, value }) => (
          <div key={label}>
            <dt className="text-sm text-muted">{label}</dt>
            <dd className="figures font-semibold">{value}</dd>
          </div>
        ))}
      </dl>
    </>
  );
}
