/** The booking that this browser made last: held, being paid, ended, or paid. */
import { useEffect, useState } from "react";
import { href } from "react-router";
import type { PaymentState } from "#app/booking/booking-page.server.ts";
import { Icon } from "#app/components/icons.tsx";
import type { Choice } from "./fields.ts";

export interface OwnView {
  id: string;
  state: PaymentState;
  /** What it is, what became of it, and the words of the link to its page. */
  text: string;
  link: string;
  /** Said in place of the text once the time to pay is over. */
  ended: string;
  /** Milliseconds from the page's making until then; null if nothing ends. */
  payInMs: number | null;
  choice: Pick<Choice, "counselor" | "date" | "timeSlot" | "package">;
}

interface OwnHoldProps {
  own: OwnView;
  /** Said after the text. */
  note?: string | false | undefined;
  /** Classes of the coloured box, and of the line in it. */
  box?: string;
  line: string;
}

export function OwnHold({ own, note, box = "", line }: OwnHoldProps) {
  const isOver = useIsOver(own);
  const paid = own.state === "paid";
  const colours = paid ? "bg-go-soft text-ink" : "bg-waiting-soft text-waiting-ink";
  return (
    <div className={`${colours} ${box}`}>
      <p className={`flex flex-wrap items-center gap-x-3 gap-y-1 ${line}`}>
        <Icon name={paid ? "check" : "clock"} />
        <span className="min-w-0 flex-1 basis-56">
          {isOver ? own.ended : own.text}
          {note}
        </span>
        <a className="py-1 font-semibold underline" href={href("/booking/:id", { id: own.id })}>
          {isOver ? "See your booking" : own.link}
        </a>
      </p>
    </div>
  );
}

/** True once the time to pay has ended while the page was open. */
function useIsOver(own: OwnView): boolean {
  const [over, setOver] = useState<OwnView | null>(null);
  useEffect(() => {
    if (own.payInMs === null) return;
    const timer = setTimeout(() => setOver(own), own.payInMs);
    return () => clearTimeout(timer);
  }, [own]);
  return over === own;
}
