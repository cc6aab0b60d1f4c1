/** Why a booking cannot be changed here any more, and what to do instead. */
import { href } from "react-router";
import type { BusinessView } from "#app/routes/public/parts/business-view.server.ts";
import type { MoneyBackView } from "#app/routes/public/parts/money-back.server.ts";
import { MoneyBack } from "#app/routes/public/parts/money-back.tsx";
import { WriteOrCall } from "#app/routes/public/parts/write-or-call.tsx";

export interface ClosedReason {
  state: "cancelled" | "too_late" | "begun";
  /** When changing it here ended, worded. */
  until: string;
  money: MoneyBackView | null;
}

interface ClosedProps {
  id: string;
  closed: ClosedReason;
  paid: boolean;
  shortId: string;
  business: BusinessView;
}

export function Closed({ id, closed, paid, shortId, business }: ClosedProps) {
  const cancelled = closed.state === "cancelled";
  return (
    <section aria-label="What you can do" className="card p-5 shadow-low md:p-6">
      <p className="display text-lg">{TITLES[closed.state]}</p>
      <div className="mt-2 grid gap-3">
        {closed.state === "too_late" && (
          <p>
            You could move or cancel online until {closed.until}.
            {!paid && " You need not cancel an unpaid booking. It ends by itself."}
          </p>
        )}
        {closed.money && <MoneyBack {...closed.money} />}
        {!cancelled && (
          <p>
            If you cannot make it, or something went wrong, please{" "}
            <WriteOrCall business={business} /> and give your booking number{" "}
            <span className="font-mono">{shortId}</span>.
          </p>
        )}
      </div>
      <div className="mt-5 flex flex-wrap gap-3">
        <a className="button button-primary" href={href("/booking/:id", { id })}>
          See your booking
        </a>
        {cancelled && (
          <a className="button button-quiet" href={`${href("/")}#book`}>
            Book a new time
          </a>
        )}
      </div>
    </section>
  );
}

const TITLES: Readonly<Record<ClosedReason["state"], string>> = {
  cancelled: "This booking is already cancelled",
  too_late: "It is too late to change this online",
  begun: "This session has already started",
};
