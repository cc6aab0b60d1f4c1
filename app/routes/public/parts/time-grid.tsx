/** Start times of one day as a seat map, grouped by part of the day. */
import { startTransition } from "react";
import { Icon } from "#app/components/icons.tsx";
import { formatSlot } from "#app/model/dates.ts";

const PARTS = [
  { name: "Morning", until: "12:00" },
  { name: "Afternoon", until: "17:00" },
  { name: "Evening", until: "24:00" },
] as const;

interface TimeGridProps {
  /** The field's name; `timeSlot` unless another is given. */
  name?: string;
  slots: readonly string[];
  chosen: string;
  /** The visitor's own time of a slot, or null where it is the same. */
  ownTime: (timeSlot: string) => string | null;
  onChoose: (timeSlot: string) => void;
  autoFocus?: boolean;
  errorId: string | undefined;
}

function timeInputId(timeSlot: string): string {
  return `booking-time-${timeSlot.replace(":", "")}`;
}

export function TimeGrid({
  name = "timeSlot",
  slots,
  chosen,
  ownTime,
  onChoose,
  autoFocus = false,
  errorId,
}: TimeGridProps) {
  let from = "00:00";
  return PARTS.map((part) => {
    const times = slots.filter((slot) => slot >= from && slot < part.until);
    from = part.until;
    if (times.length === 0) return null;
    return (
      <fieldset key={part.name} className="mt-4 min-w-0 first:mt-0">
        <legend className="legend mb-2">{part.name}</legend>
        <div className={`tiles ${times.some(ownTime) ? "tiles-wide" : ""}`}>
          {times.map((slot) => (
            <label key={slot} className="choice tile figures">
              <input
                type="radio"
                id={timeInputId(slot)}
                name={name}
                value={slot}
                defaultChecked={chosen === slot}
                // Not held still by React: the press shows before the page has followed it, and one
                // made before the scripts had loaded stays.
                ref={(input) => {
                  if (input && chosen) input.checked = chosen === slot;
                }}
                onChange={() => startTransition(() => onChoose(slot))}
                aria-describedby={errorId}
                // biome-ignore lint/a11y/noAutofocus: the fresh times are what the visitor asked for
                autoFocus={autoFocus && slot === (chosen || slots[0])}
              />
              <span className="tile-mark chosen-word">
                <Icon name="check" className="size-3.5" />
              </span>
              <span className="font-semibold">{formatSlot(slot)}</span>
              <OwnTime time={ownTime(slot)} />
            </label>
          ))}
        </div>
      </fieldset>
    );
  });
}

function OwnTime({ time }: { time: string | null }) {
  if (!time) return null;
  return (
    <span className="text-sm">
      {time}
      <span className="sr-only"> your time</span>
    </span>
  );
}
