/** The free times of the chosen day. */

import { href, Link } from "react-router";
import { useHydrated } from "remix-utils/use-hydrated";
import { FieldError } from "#app/components/field.tsx";
import { ownTimeOf, ownZoneName } from "#app/routes/public/parts/own-time.ts";
import { TimeGrid } from "#app/routes/public/parts/time-grid.tsx";

interface NewTimeProps {
  id: string;
  date: string;
  /** The date as a heading says it. */
  day: string;
  times: readonly string[];
  /** Other days with free times. */
  next: readonly { date: string; day: string }[];
  /** True while another day's times are on their way. */
  looking: boolean;
  chosen: string;
  errors: string[] | undefined;
  onChoose: (timeSlot: string) => void;
}

export function NewTime(props: NewTimeProps) {
  const { date, times, looking, errors } = props;
  const hydrated = useHydrated();
  const zone = hydrated && ownTimeOf(date, "12:00") ? ownZoneName() : null;
  return (
    <div
      id="new-time"
      tabIndex={-1}
      role="radiogroup"
      aria-label="Start time"
      aria-busy={looking}
      aria-describedby={errors ? "new-time-error" : undefined}
      className="min-h-48 rounded-sm outline-offset-8"
    >
      <p role="status" className="text-muted">
        {looking ? "Loading available slots..." : statusWords(props)}
      </p>
      {zone && times.length > 0 && (
        <p className="text-sm text-muted">Your own time ({zone}) is below each one.</p>
      )}
      {/* A time of the day before, pressed now, would be lost when the new day's come. */}
      <div className="mt-4" hidden={looking}>
        {times.length === 0 ? (
          <NoTimes {...props} />
        ) : (
          <TimeGrid
            name="newTimeSlot"
            slots={times}
            chosen={props.chosen}
            ownTime={(slot) => (zone ? ownTimeOf(date, slot) : null)}
            onChoose={props.onChoose}
            errorId={errors ? "new-time-error" : undefined}
          />
        )}
      </div>
      <FieldError id="new-time-error" errors={errors} />
    </div>
  );
}

function statusWords({ times, day }: NewTimeProps): string {
  if (times.length === 0) return `${day} has no free time.`;
  return `${times.length} free ${times.length === 1 ? "time" : "times"} on ${day}, Indian time (IST).`;
}

function NoTimes({ id, next }: NewTimeProps) {
  const page = href("/booking/:id/reschedule", { id });
  return (
    <>
      <p className="display text-lg">No slots available for this date</p>
      <p>Please try selecting a different date</p>
      {next.length > 0 && (
        <ul className="mt-4 flex flex-wrap gap-2">
          {next.map(({ date, day }) => (
            <li key={date}>
              <Link
                to={`${page}?date=${date}`}
                replace
                preventScrollReset
                className="button button-quiet figures min-h-11 px-4 py-2"
              >
                {day}
              </Link>
            </li>
          ))}
        </ul>
      )}
    </>
  );
}
