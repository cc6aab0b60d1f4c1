/** Parts that the booking form shares with the page around it. */
import type { ReactNode } from "react";
import { href } from "react-router";
import { Icon } from "#app/components/icons.tsx";
import { instantOf } from "#app/model/dates.ts";
import type { Offer, OwnView } from "#app/routes/public/home/home-view.server.ts";
import type { FreeTime } from "#app/routes/public/parts/next-free.server.ts";
import { OwnTime } from "#app/routes/public/parts/own-time.tsx";
import { TIME_IS_UP, useCountdown } from "#app/routes/public/parts/use-countdown.ts";

/** Takes a captain, and perhaps one of their free times. */
type Taker = (counselorKey: string, time?: FreeTime) => void;

let take: Taker | null = null;

/** Chooses in the booking form, from anywhere on the page. */
export const chooseInForm: Taker = (counselorKey, time) => take?.(counselorKey, time);

/** For the booking form: `taker` is called with each choice. Returns the cleanup. */
export function takeWanted(taker: Taker): () => void {
  take = taker;
  return () => {
    take = null;
  };
}

/** The value of a button that chooses captain, day, time, and the longest length that fits. */
export function freeTimeValue(free: FreeTime): string {
  const { counselorKey, date, timeSlot, minutes = "" } = free;
  return `${counselorKey} ${date} ${timeSlot} ${minutes}`.trimEnd();
}

interface FreeTimeButtonProps {
  time: FreeTime;
  className: string;
  children: ReactNode;
}

/** Chooses a free time. Without scripts the booking form is submitted and comes back with the time. */
export function FreeTimeButton({ time, className, children }: FreeTimeButtonProps) {
  return (
    <button
      type="submit"
      form="booking"
      name="pick"
      value={freeTimeValue(time)}
      formNoValidate
      onClick={(event) => {
        event.preventDefault();
        chooseInForm(time.counselorKey, time);
      }}
      className={className}
    >
      {children}
    </button>
  );
}

export function cheapestOf({ packages }: Offer): Offer["packages"][number] {
  return packages.reduce((least, one) => (one.packagePrice < least.packagePrice ? one : least));
}

interface OwnHoldProps {
  own: OwnView;
  /** Comes after the text. */
  note?: string | false;
  /**
   * True beside the form's button, which pays for what is held. On a phone, where the whole stands on
   * top of the page, only the time left is shown there.
   */
  isBesideButton?: boolean;
  /** Classes of the coloured box, and of the line in it. */
  box?: string;
  line: string;
}

/** The last booking of this browser: held, being checked, over, or paid. */
export function OwnHold({ own, note, isBesideButton = false, box = "", line }: OwnHoldProps) {
  const left = useCountdown(own.payBefore, own.now, () => {});
  const isOver = left === TIME_IS_UP;
  const isGone = isOver || own.state === "over";
  const paid = own.state === "paid";
  const isTimed = isBesideButton && own.state === "payable" && !isOver;
  // Without scripts there is no time left to show, but the words.
  const folds = isTimed && left !== "" ? "max-lg:sr-only" : "";
  const hides = isBesideButton && isOver ? "max-lg:hidden" : "";
  const colours = paid ? "bg-go-soft text-ink" : "bg-waiting-soft text-waiting-ink";
  return (
    <div className={`${colours} ${box} ${hides}`}>
      <p className={`flex flex-wrap items-center gap-x-3 gap-y-1 ${line}`}>
        <Icon name={paid ? "check" : "clock"} />
        <span className={`min-w-0 flex-1 basis-56 ${folds}`}>{isOver ? own.ended : own.text}</span>
        {isTimed && (
          <span className="display figures" role="timer">
            {left}
          </span>
        )}
        {note && <span className="min-w-0 flex-1 basis-56">{note}</span>}
        {!isTimed && (
          <a
            className="own-way py-1 font-semibold underline"
            href={href("/booking/:id", { id: own.id })}
          >
            {isOver ? "See your booking" : own.link}
          </a>
        )}
        {!isGone && (
          <span className={`basis-full text-sm empty:hidden ${folds}`}>
            <OwnTime
              instant={instantOf(own.choice.date, own.choice.timeSlot)}
              label="In your own time it starts at"
              keepsLine={!isBesideButton}
            />
          </span>
        )}
      </p>
    </div>
  );
}
