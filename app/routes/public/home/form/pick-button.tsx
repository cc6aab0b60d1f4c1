import type { ReactNode } from "react";
import { type FreeTime, pickValue } from "#app/routes/public/parts/offer.ts";

interface PickButtonProps {
  time: FreeTime;
  onPick: (time: FreeTime) => void;
  className: string;
  children: ReactNode;
}

/** Chooses a free time. Without scripts it posts the booking form, which comes back with the time. */
export function PickButton({ time, onPick, className, children }: PickButtonProps) {
  return (
    <button
      type="submit"
      form="booking"
      name="pick"
      value={pickValue(time)}
      formNoValidate
      onClick={(event) => {
        event.preventDefault();
        onPick(time);
      }}
      className={className}
    >
      {children}
    </button>
  );
}
