/** Parts of the forms that choose a time: numbered sections, two date pickers, the start times. */
import { type ComponentProps, lazy, type ReactNode, startTransition } from "react";
import { useHydrated } from "remix-utils/use-hydrated";
import { type Field, FieldError } from "#app/components/field.tsx";
import { Icon } from "#app/components/icons.tsx";
import { formatSlot, instantOf } from "#app/model/dates.ts";
import { weeksToDraw } from "./month.ts";
import { ownTimeOf, ownZoneName } from "./own-time.tsx";

interface SectionProps {
  id: string;
  number: number;
  title: string;
  done?: boolean;
  aside?: string;
  /** The section's only field: its error describes the group. */
  field?: Field;
  /** Says that this section comes next; takes the focus on a page that came back. */
  note?: string | null;
  className?: string;
  children: ReactNode;
}

/** A tick replaces the number when the section is filled in. */
export function FormSection(props: SectionProps) {
  const { id, number, title, done = false, aside, field, note, className = "", children } = props;
  return (
    <fieldset
      id={id}
      aria-describedby={field?.errors ? field.errorId : undefined}
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

interface NativeDateProps
  extends Pick<ComponentProps<"input">, "id" | "defaultValue" | "min" | "max" | "form" | "name"> {
  field?: Field;
}

/** The browser's own date picker: without scripts, and until they have loaded. */
export function NativeDate({ field, name = "date", ...input }: NativeDateProps) {
  return (
    <div>
      <label htmlFor={input.id} className="block font-semibold">
        Day of the session
      </label>
      <input
        {...input}
        type="date"
        name={name}
        required
        aria-invalid={field?.errors ? true : undefined}
        aria-describedby={field?.errors && field.errorId}
        className="input mt-1.5 max-w-64"
      />
    </div>
  );
}

/** Keeps the calendar's space before it is loaded: the weeks that the date's month offers. */
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

export interface StartTimesProps {
  /** Id of the group; error lines link to it. */
  id: string;
  name: "timeSlot" | "newTimeSlot";
  /** The day, and its free times in ascending order. */
  date: string;
  times: readonly string[];
  chosen: string;
  /** Announced when it changes. */
  status: ReactNode;
  loading: boolean;
  hideTimes?: boolean;
  errorId: string;
  errors: string[] | undefined;
  className: string;
  autoFocus?: boolean;
  onChoose: (timeSlot: string) => void;
  /** Stands above the times, or in their place. */
  children?: ReactNode;
  /** Stands below the error. */
  after?: ReactNode;
}

/** The start times of a day as a group of radio buttons, with the visitor's own time below each. */
export function StartTimes(props: StartTimesProps) {
  const { date, times, errors, errorId } = props;
  const hydrated = useHydrated();
  const zone = hydrated && date && ownTimeOf(instantOf(date, "12:00")) ? ownZoneName() : null;
  return (
    <div
      id={props.id}
      tabIndex={-1}
      role="radiogroup"
      aria-label="Start time"
      aria-busy={props.loading}
      aria-describedby={errors ? errorId : undefined}
      className={`${props.className} rounded-sm outline-offset-8`}
      // biome-ignore lint/a11y/noAutofocus: the visitor asked for these times
      autoFocus={props.autoFocus && times.length === 0}
    >
      {props.status}
      {zone && times.length > 0 && (
        <p className="text-sm text-muted">Your own time ({zone}) is below each one.</p>
      )}
      <div className="mt-4" hidden={props.hideTimes}>
        {props.children}
        <TimeTiles {...props} zone={zone} />
      </div>
      <FieldError id={errorId} errors={errors} />
      {props.after}
    </div>
  );
}

/** `3 free times on Saturday, …`. `day` is the date in words. */
export function freeTimesWords(count: number, day: string): string {
  return `${count} free ${count === 1 ? "time" : "times"} on ${day}, Indian time (IST).`;
}

export function NoTimes({ className }: { className: string }) {
  return (
    <>
      <p className={className}>No slots available for this date</p>
      <p>Please try selecting a different date</p>
    </>
  );
}

const PARTS_OF_DAY = [
  { name: "Morning", until: "12:00" },
  { name: "Afternoon", until: "17:00" },
  { name: "Evening", until: "24:00" },
] as const;

/** The times as tiles, grouped by part of the day. `zone` is the visitor's, if its time differs. */
function TimeTiles({ zone, ...props }: StartTimesProps & { zone: string | null }) {
  const { name, date, times, chosen, onChoose, errors, errorId, autoFocus = false } = props;
  const ownTime = (slot: string) => zone && ownTimeOf(instantOf(date, slot));
  let from = "00:00";
  return PARTS_OF_DAY.map((part) => {
    const slots = times.filter((slot) => slot >= from && slot < part.until);
    from = part.until;
    if (slots.length === 0) return null;
    return (
      <fieldset key={part.name} className="mt-4 min-w-0 first:mt-0">
        <legend className="legend mb-2">{part.name}</legend>
        <div className={`tiles ${slots.some(ownTime) ? "tiles-wide" : ""}`}>
          {slots.map((slot) => (
            <label key={`${date} ${slot}`} className="choice tile figures">
              <input
                type="radio"
                id={`booking-time-${slot.replace(":", "")}`}
                name={name}
                value={slot}
                defaultChecked={chosen === slot}
                // Not controlled by React, so that a choice shows before the page has rendered it, and
                // one made before the scripts had loaded stays.
                ref={(input) => {
                  if (input && chosen) input.checked = chosen === slot;
                }}
                onChange={() => startTransition(() => onChoose(slot))}
                aria-describedby={errors ? errorId : undefined}
                // biome-ignore lint/a11y/noAutofocus: the visitor asked for these times
                autoFocus={autoFocus && slot === (chosen || times[0])}
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
