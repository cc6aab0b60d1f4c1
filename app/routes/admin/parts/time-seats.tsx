/** Times of day as a seat map, three a row: the real checkbox or radio in each, a word beneath. */
import { useId } from "react";
import { FieldError } from "#app/components/field.tsx";

export interface SeatView {
  /** `HH:mm`. */
  value: string;
  label: string;
  /** What is known of the time: `default`, `blocked: leave`, `booked: Meera`. */
  note: string | null;
  checked?: boolean;
  /** Drawn as not free; it can be chosen all the same. */
  off?: boolean;
}

interface TimeSeatsProps {
  legend: string;
  type: "radio" | "checkbox";
  name: string;
  times: readonly SeatView[];
  empty?: string;
  errors?: string[] | undefined;
  /** True while another day's times are on their way: none of these can be chosen. */
  busy?: boolean;
}

const PARTS = [
  ["Morning", "00:00", "12:00"],
  ["Afternoon", "12:00", "17:00"],
  ["Evening", "17:00", "24:00"],
] as const;

export function TimeSeats({ legend, type, name, times, empty, errors, busy }: TimeSeatsProps) {
  const id = useId();
  return (
    <fieldset
      disabled={busy}
      className={`min-w-0 ${busy ? "board-loading" : ""}`}
      aria-describedby={errors ? `${id}-error` : undefined}
    >
      <legend className="font-semibold">{legend}</legend>
      <FieldError id={`${id}-error`} errors={errors} />
      {times.length === 0 && <p className="mt-2 text-muted">{empty}</p>}
      {PARTS.map(([part, from, to]) => {
        const inPart = times.filter((time) => time.value >= from && time.value < to);
        if (inPart.length === 0) return null;
        return (
          <div key={part} className="mt-2">
            <p className="legend mb-1">{part}</p>
            <div className="grid grid-cols-3 gap-2">
              {inPart.map((time) => (
                <label key={time.value} className={`seat ${time.off ? "seat-off" : ""}`}>
                  <input type={type} name={name} value={time.value} defaultChecked={time.checked} />
                  <span className="min-w-0">
                    <span className="figures block font-semibold">{time.label}</span>
                    {time.note && <span className="block break-words text-sm">{time.note}</span>}
                  </span>
                </label>
              ))}
            </div>
          </div>
        );
      })}
    </fieldset>
  );
}
