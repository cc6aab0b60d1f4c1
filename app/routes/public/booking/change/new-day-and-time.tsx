/** The choice of the day and the time to move a booking to. */
import { Suspense } from "react";
import { Link, useNavigate, useNavigation } from "react-router";
import { useHydrated } from "remix-utils/use-hydrated";
import {
  Calendar,
  calendarRoom,
  freeTimesWords,
  NativeDate,
  NoTimes,
  StartTimes,
  type StartTimesProps,
} from "#app/routes/public/parts/form-parts.tsx";
import type { NewTimesView } from "./change-view.server.ts";

interface NewDayProps {
  page: string;
  days: NewTimesView;
  /** The id of the form with the new time. */
  form: string;
}

/**
 * The calendar; without scripts the browser's own date picker, which is sent with the form: a day
 * whose times were not shown is not taken for the one that they are of (`newTimeFields`).
 */
export function NewDay({ page, days, form }: NewDayProps) {
  const hydrated = useHydrated();
  const navigate = useNavigate();
  const loadingDate = useLoadingDate(page);
  const native = (
    <div className="flex flex-wrap items-end gap-3">
      {/* Enter means the form's own button, which comes later. */}
      <button type="submit" form={form} hidden />
      <NativeDate
        key={days.date}
        id="new-day"
        form={form}
        name="day"
        defaultValue={days.date}
        min={days.from}
        max={days.to}
      />
      <button
        type="submit"
        form={form}
        formAction={`${page}#new-time`}
        name="show"
        value="times"
        className="button button-quiet"
      >
        Show times
      </button>
    </div>
  );
  return (
    <div {...calendarRoom(days.date, days.from, days.to)}>
      {hydrated ? (
        <Suspense fallback={native}>
          <Calendar
            id="new-day"
            chosen={loadingDate ?? days.date}
            min={days.from}
            today={days.from}
            max={days.to}
            counts={days.counts}
            onChoose={(date) =>
              navigate(`${page}?date=${date}`, { replace: true, preventScrollReset: true })
            }
          />
        </Suspense>
      ) : (
        native
      )}
    </div>
  );
}

function useLoadingDate(page: string): string | null {
  const { location } = useNavigation();
  return location?.pathname === page ? new URLSearchParams(location.search).get("date") : null;
}

interface NewTimeProps extends Pick<StartTimesProps, "chosen" | "errors" | "onChoose"> {
  /** The address that shows the times of another day. */
  page: string;
  days: NewTimesView;
}

export function NewTime({ page, days, ...props }: NewTimeProps) {
  const { date, day, times, next } = days;
  const { state, formMethod } = useNavigation();
  const loading = state === "loading" && !formMethod;
  const found = times.length > 0 ? freeTimesWords(times.length, day) : `${day} has no free time.`;
  return (
    <StartTimes
      id="new-time"
      name="newTimeSlot"
      date={date}
      times={times}
      {...props}
      loading={loading}
      status={
        <p role="status" className="text-muted">
          {loading ? "Loading available slots..." : found}
        </p>
      }
      // A time chosen now would be lost when the new day's times arrive.
      hideTimes={loading}
      errorId="new-time-error"
      className="min-h-48"
    >
      {times.length === 0 && <NoTimes className="display text-lg" />}
      {times.length === 0 && next.length > 0 && (
        <ul className="mt-4 flex flex-wrap gap-2">
          {next.map((other) => (
            <li key={other.date}>
              <Link
                to={`${page}?date=${other.date}`}
                replace
                preventScrollReset
                className="button button-quiet figures min-h-11 px-4 py-2"
              >
                {other.day}
              </Link>
            </li>
          ))}
        </ul>
      )}
    </StartTimes>
  );
}
