/** The next four weeks: each day's times and the word for where they come from. */
import { WEEKDAY_LABELS } from "#app/model/week.ts";
import type { PreviewDay } from "./schedule-view.server.ts";

export function PreviewPart({ days }: { days: readonly PreviewDay[] }) {
  return (
    <section aria-labelledby="preview-title" className="card p-3 sm:p-5">
      <h2 id="preview-title" className="display scroll-mt-4 text-xl">
        The next four weeks
      </h2>
      <p className="mb-3 max-w-text text-muted">
        Start times in IST. What is struck is taken out by the word beside it.
      </p>
      <ol className="grid gap-2 sm:grid-cols-2 md:grid-cols-4 lg:grid-cols-7">
        {days.map(({ date, day, weekday, source, times }) => (
          <li
            key={date}
            // On wide screens the days stand under one another by weekday.
            data-weekday={weekday}
            className="preview-day min-w-0 rounded-sm border border-line p-2"
          >
            <p className="flex flex-wrap justify-between gap-x-2">
              <strong className="figures whitespace-nowrap">
                <abbr title={WEEKDAY_LABELS[weekday]} className="no-underline">
                  {WEEKDAY_LABELS[weekday].slice(0, 3)}
                </abbr>{" "}
                {day}
              </strong>
              <span className="break-words text-sm text-muted">{source}</span>
            </p>
            {times.length === 0 && <p className="text-sm">No times</p>}
            <ul className="figures flex flex-wrap gap-x-3 text-sm lg:block">
              {times.map(({ timeSlot, label, takenBy }) => (
                <li key={timeSlot}>
                  {takenBy ? (
                    <>
                      <s className="text-muted">{label}</s> {takenBy}
                    </>
                  ) : (
                    label
                  )}
                </li>
              ))}
            </ul>
          </li>
        ))}
      </ol>
    </section>
  );
}
