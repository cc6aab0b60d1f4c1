import { href } from "react-router";
import { Icon } from "#app/components/icons.tsx";

/** Shown to the browser that holds an unpaid time, or has paid a coming session. */
export interface OwnHoldView {
  id: string;
  session: string;
  counselor: string;
  /** Until when an unpaid time is held; null once it is paid. */
  until: string | null;
}

export function OwnHold({ own }: { own: OwnHoldView }) {
  const paid = own.until === null;
  return (
    <div className={paid ? "bg-go-soft text-ink" : "bg-waiting-soft text-waiting-ink"}>
      <p className="mx-auto flex max-w-page flex-wrap items-center gap-x-3 gap-y-1 px-4 py-3 md:px-6">
        <Icon name={paid ? "check" : "clock"} />
        <span>
          {paid
            ? `Your session on ${own.session} with ${own.counselor} is confirmed.`
            : `You are holding ${own.session} with ${own.counselor} until ${own.until}.`}
        </span>
        <a className="py-1 font-semibold underline" href={href("/booking/:id", { id: own.id })}>
          {paid ? "See your booking" : "Continue to payment"}
        </a>
      </p>
    </div>
  );
}
