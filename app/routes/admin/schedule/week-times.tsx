/** The times of a week: a first and a last start for each day, or single times. */
import { rangeNames } from "#app/availability/week-ranges.ts";
import { formatSlot } from "#app/model/dates.ts";
import { MASTER_TIMES, WEEKDAY_LABELS, WEEKDAYS, type Week } from "#app/model/day-plan.ts";
import { Choice } from "#app/routes/admin/parts/form-parts.tsx";
import type { ScheduleView } from "./schedule-view.server.ts";

type WeekTimesProps = Pick<ScheduleView["hours"], "week" | "as" | "isDefault" | "hasGaps">;

/** Both ways are in the page; CSS hides the one not chosen. */
export function WeekTimes({ week, as, isDefault, hasGaps }: WeekTimesProps) {
  const way = (value: string, words: string) => (
    <Choice type="radio" name="as" value={value} defaultChecked={as === value}>
      {words}
    </Choice>
  );
  return (
    <fieldset className="group/as min-w-0">
      <legend className="sr-only">How the times are given</legend>
      <div className="flex flex-wrap gap-x-6">
        {way("ranges", "From and to")}
        {way("single", "Single times")}
      </div>
      <div className="group-has-[input[value=single]:checked]/as:hidden">
        <p className="mb-2 text-sm text-muted">
          Sessions start every half hour from the first start to the last, both included.
        </p>
        {hasGaps && (
          <p className="mb-2 text-sm font-medium">
            {isDefault
              ? "The default times have gaps. Saving from and to fills them; another buffer alone leaves them as they are."
              : "These times have gaps. Saving from and to fills them."}
          </p>
        )}
        <ul className="grid max-w-112 gap-2">
          {WEEKDAYS.map((day) => (
            <DayRange key={day} day={day} times={week[day]} />
          ))}
        </ul>
      </div>
      <div className="group-has-[input[value=ranges]:checked]/as:hidden">
        <WeekGrid week={week} />
      </div>
    </fieldset>
  );
}

const TIMES = MASTER_TIMES.map((time) => (
  <option key={time} value={time}>
    {formatSlot(time)}
  </option>
));

function DayRange({ day, times }: { day: (typeof WEEKDAYS)[number]; times: readonly string[] }) {
  const [first, last] = rangeNames(day);
  const label = WEEKDAY_LABELS[day];
  return (
    <li className="grid grid-cols-[3.5rem_1fr_1fr] items-center gap-2">
      <span aria-hidden="true" className="font-semibold">
        {label.slice(0, 3)}
      </span>
      <select
        name={first}
        aria-label={`${label}: first start`}
        defaultValue={times[0] ?? ""}
        className="input"
      >
        <option value="">Off</option>
        {TIMES}
      </select>
      <select
        name={last}
        aria-label={`${label}: last start`}
        defaultValue={times.at(-1) ?? ""}
        className="input"
      >
        <option value="">–</option>
        {TIMES}
      </select>
    </li>
  );
}

function WeekGrid({ week }: { week: Week }) {
  return (
    <table className="week-grid">
      <caption className="sr-only">Start times of each day, IST</caption>
      <thead>
        <tr>
          <th scope="col">IST</th>
          {WEEKDAYS.map((day) => (
            <th key={day} scope="col">
              <abbr title={WEEKDAY_LABELS[day]} className="no-underline">
                {WEEKDAY_LABELS[day].slice(0, 3)}
              </abbr>
            </th>
          ))}
        </tr>
      </thead>
      <tbody>
        {MASTER_TIMES.map((time) => (
          <tr key={time}>
            <th scope="row" className="figures">
              {formatSlot(time)}
            </th>
            {WEEKDAYS.map((day) => (
              <td key={day}>
                <label className="week-cell">
                  <input
                    type="checkbox"
                    name={day}
                    value={time}
                    defaultChecked={week[day].includes(time)}
                    aria-label={`${WEEKDAY_LABELS[day]} ${formatSlot(time)}`}
                  />
                </label>
              </td>
            ))}
          </tr>
        ))}
      </tbody>
    </table>
  );
}
