/** The day and the time to move a booking to. */
import { Suspense } from "react";
import { Form, href, Link, useNavigate, useNavigation } from "react-router";
import { useHydrated } from "remix-utils/use-hydrated";
import { FieldError } from "#app/components/field.tsx";
import {
  Calendar,
  calendarRoom,
  NativeDate,
  TimeGrid,
} from "#app/routes/public/parts/form-parts.tsx";
import { ownTimeOf, ownZoneName } from "#app/routes/public/parts/own-time.ts";
import type { NewTimesView } from "./change-view.server.ts";

/** The day to move to: the calendar with scripts, the browser's own date picker without. */
export function NewDay({ id, days }: { id: string; days: NewTimesView }) {
  const hydrated = useHydrated();
  const navigate = useNavigate();
  const page = href("/booking/:id/reschedule", { id });
  const loadingDate = useLoadingDate(page);
  const native = (
    <Form method="get" action={page} className="flex flex-wrap items-end gap-3">
      <NativeDate
        key={days.date}
        id="new-day"
        defaultValue={days.date}
        min={days.from}
        max={days.to}
        invalid={false}
        describedBy={undefined}
      />
      <button type="submit" className="button button-quiet">
        Show times
      </button>
    </Form>
  );
  return (
    <div {...calendarRoom(days.date, days.from, days.to)}>
      {hydrated ? (
        <Suspense fallback={native}>
          <Calendar
            id="new-day"
            chosen={loadingDate ?? days.date}
            min={days.from}
            max={days.to}
            today={days.from}
            counts={days.counts}
            describedBy={undefined}
            onChoose={(date) =>
              navigate(`${page}?date=${date}`, { replace: true, preventScrollReset: true })
            }
            onMonth={() => {}}
          />
        </Suspense>
      ) : (
        native
      )}
    </div>
  );
}

/** The day whose times are being loaded. */
function useLoadingDate(page: string): string | null {
  const { location } = useNavigation();
  if (location?.pathname !== page) return null;
  return new URLSearchParams(location.search).get("date");
}

interface NewTimeProps extends Pick<NewTimesView, "date" | "day" | "times" | "next"> {
  id: string;
  /** True while another day's times are being loaded. */
  loading: boolean;
  chosen: string;
  errors: string[] | undefined;
  onChoose: (timeSlot: string) => void;
}

/** The free times of the chosen day. */
export function NewTime(props: NewTimeProps) {
  const { date, times, loading, errors } = props;
  const hydrated = useHydrated();
  const zone = hydrated && ownTimeOf(date, "12:00") ? ownZoneName() : null;
  return (
    <div
      id="new-time"
      tabIndex={-1}
      role="radiogroup"
      aria-label="Start time"
      aria-busy={loading}
      aria-describedby={errors ? "new-time-error" : undefined}
      className="min-h-48 rounded-sm outline-offset-8"
    >
      <p role="status" className="text-muted">
        {loading ? "Loading available slots..." : statusWords(props)}
      </p>
      {zone && times.length > 0 && (
        <p className="text-sm text-muted">Your own time ({zone}) is below each one.</p>
      )}
      {/* A time of the previous day, chosen now, would be lost when the new day's times arrive. */}
      <div className="mt-4" hidden={loading}>
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
