import { href } from "react-router";
import { Icon } from "#app/components/icons.tsx";

/** Shown to the browser that holds an unpaid time. */
export interface OwnHoldView {
  id: string;
  session: string;
  counselor: string;
  until: string;
}

export function OwnHold({ own }: { own: OwnHoldView }) {
  return (
    <div className="bg-waiting-soft text-waiting-ink">
      <p className="mx-auto flex max-w-page flex-wrap items-center gap-x-3 gap-y-1 px-4 py-3 md:px-6">
        <Icon name="clock" />
        <span>
          You are holding {own.session} with {own.counselor} until {own.until}.
        </span>
        <a className="py-1 font-semibold underline" href={href("/booking/:id", { id: own.id })}>
          Continue to payment
        </a>
      </p>
    </div>
  );
}
