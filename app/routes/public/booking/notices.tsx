/** Notices of the booking's pages: what was just done, and the refunds. */
import { Icon } from "#app/components/icons.tsx";
import type { Notice } from "#app/routes/public/parts/form-problem.tsx";
import type { MoneyBackView } from "./booking-words.ts";

export function DoneNotice({ title, text }: Notice) {
  return (
    <div role="status" className="flex gap-3 rounded-lg border-2 border-go bg-go-soft p-4">
      <Icon name="check" className="mt-0.5 size-5 text-go" />
      <div className="min-w-0">
        <p className="font-semibold">{title}</p>
        <p>{text}</p>
      </div>
    </div>
  );
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
