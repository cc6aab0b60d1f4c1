/** Chooses the day to move to: the calendar with scripts, the browser's own picker without. */

import { Suspense } from "react";
import { Form, href, useNavigate, useNavigation } from "react-router";
import { useHydrated } from "remix-utils/use-hydrated";
import { Calendar, calendarRoom } from "#app/components/lazy-calendar.ts";
import { NativeDate } from "#app/routes/public/parts/native-date.tsx";

export interface NewDaysView {
  /** First and last date that is offered, `yyyy-MM-dd`. */
  from: string;
  to: string;
  /** Free times a day. */
  counts: Readonly<Record<string, number>>;
  /** The day whose times are shown. */
  date: string;
}

export function NewDay({ id, days }: { id: string; days: NewDaysView }) {
  const hydrated = useHydrated();
  const navigate = useNavigate();
  const page = href("/booking/:id/reschedule", { id });
  const asked = useAskedDate(page);
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
            chosen={asked ?? days.date}
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

/** The day whose times are on their way. */
function useAskedDate(page: string): string | null {
  const { location } = useNavigation();
  if (location?.pathname !== page) return null;
  return new URLSearchParams(location.search).get("date");
}
