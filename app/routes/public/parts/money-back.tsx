/** What goes back of the money for a booking: each refund as it stands, and the sums. */
import type { MoneyBackView } from "./money-back.server.ts";

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
