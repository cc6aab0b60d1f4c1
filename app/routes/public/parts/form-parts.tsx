/** What the forms that choose a time share: numbered sections, the day's two pickers, the times. */
import { lazy, type ReactNode, startTransition } from "react";
import { Icon } from "#app/components/icons.tsx";
import { formatSlot } from "#app/model/dates.ts";
import { weeksToDraw } from "./month.ts";

interface SectionProps {
  id: string;
  number: number;
  title: string;
  done: boolean;
  /** Stands beside the title, for example `optional`. */
  aside?: string;
  /** Ids of what describes the group: its error. */
  describedBy?: string | undefined;
  /** Why this section comes next; takes the focus on a page that came back. */
  note?: string | null;
  className?: string;
  children: ReactNode;
}

/** Its number becomes a tick when the section is filled in. */
export function FormSection({
  id,
  number,
  title,
  done,
  aside,
  describedBy,
  note,
  className = "",
  children,
}: SectionProps) {
  return (
    <fieldset
      id={id}
      aria-describedby={describedBy}
      className={`min-w-0 border-t border-line pt-6 first:border-t-0 first:pt-0 ${className}`}
    >
      <legend className="float-left mb-4 flex w-full flex-wrap items-center gap-3">
        <span
          className={`display flex size-8 items-center justify-center rounded-full border-2 text-base ${
            done ? "border-go bg-go-soft text-go" : "border-edge text-muted"
          }`}
          aria-hidden="true"
        >
          {done ? <Icon name="check" className="size-4" /> : number}
        </span>
        <span className="display text-xl">{title}</span>
        {aside && <span className="text-muted">{aside}</span>}
        {done && <span className="sr-only"> (filled in)</span>}
      </legend>
      <div className="clear-both">
        {note && (
          <p
            role="status"
            tabIndex={-1}
            // biome-ignore lint/a11y/noAutofocus: a choice made without scripts goes on here
            autoFocus
            className="mb-4 rounded-sm bg-action-soft px-3 py-2 font-semibold"
          >
            {note}
          </p>
        )}
        {children}
      </div>
    </fieldset>
  );
}

interface NativeDateProps {
  id: string;
  defaultValue: string;
  min: string;
  max: string;
  invalid: boolean;
  describedBy: string | undefined;
}

/** The browser's own date picker: without scripts, and until they have loaded. */
export function NativeDate({ invalid, describedBy, ...input }: NativeDateProps) {
  return (
    <div>
      <label htmlFor={input.id} className="block font-semibold">
        Day of the session
      </label>
      <input
        {...input}
        type="date"
        name="date"
        required
        aria-invalid={invalid || undefined}
        aria-describedby={describedBy}
        className="input mt-1.5 max-w-64"
      />
    </div>
  );
}

/** Keeps the calendar's space free before it is there: as many weeks as the date's month offers. */
export function calendarRoom(date: string, min: string, max: string) {
  const weeks = weeksToDraw(`${date.slice(0, 7)}-01`, { min, max, counts: {} });
  return { className: "room-for-calendar", "data-weeks": weeks.length };
}

/** Loaded when first shown. If it cannot be loaded, the fallback of its `Suspense` stays. */
export const Calendar = lazy(() =>
  import("./calendar.tsx").then(
    ({ Calendar }) => ({ default: Calendar }),
    () => new Promise<never>(() => {}),
  ),
);

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

/** The start times of one day as tiles, grouped by part of the day. */
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
                // Not controlled by React: the choice shows before the page has rendered it, and one
                // made before the scripts had loaded stays.
                ref={(input) => {
                  if (input && chosen) input.checked = chosen === slot;
                }}
                onChange={() => startTransition(() => onChoose(slot))}
                aria-describedby={errorId}
                // biome-ignore lint/a11y/noAutofocus: the visitor asked for these times
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
