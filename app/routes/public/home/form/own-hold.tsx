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

interface OwnHoldProps {
  own: OwnHoldView;
  /** Classes of the coloured box, and of the line in it. */
  box?: string;
  line: string;
}

export function OwnHold({ own, box = "", line }: OwnHoldProps) {
  const paid = own.until === null;
  const colours = paid ? "bg-go-soft text-ink" : "bg-waiting-soft text-waiting-ink";
  return (
    <div className={`${colours} ${box}`}>
      <p className={`flex flex-wrap items-center gap-x-3 gap-y-1 ${line}`}>
        <Icon name={paid ? "check" : "clock"} />
        <span className="min-w-0 flex-1 basis-56">
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
