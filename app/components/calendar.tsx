/** A month of days as a table: arrows, Home, End, Page Up and Page Down move; Enter chooses. */
import { type KeyboardEvent, useEffect, useRef, useState } from "react";
import { formatLongDay } from "#app/model/dates.ts";
import { Icon } from "./icons.tsx";
import { addMonths, earlier, endOfMonth, keyTarget, later, weeksOf } from "./month.ts";

const WEEKDAYS = ["Monday", "Tuesday", "Wednesday", "Thursday", "Friday", "Saturday", "Sunday"];
const EARLIEST = "1900-01-01";

export interface CalendarProps {
  /** Id of the day that takes the keyboard: an error's link leads to it. */
  id: string;
  chosen: string;
  /** First and last date that may be chosen, `yyyy-MM-dd`. */
  min: string;
  max: string;
  today: string;
  /** Free times a day; a date that is missing is not known yet. */
  counts: Readonly<Record<string, number>>;
  describedBy: string | undefined;
  onChoose: (date: string) => void;
  /** Called with the days in sight, so that their free times can be loaded. */
  onMonth: (from: string, to: string) => void;
}

export function Calendar(props: CalendarProps) {
  const { chosen, max, onMonth } = props;
  const min = later(props.min, EARLIEST);
  const [focusDate, setFocusDate] = useState(chosen || min);
  const table = useRef<HTMLTableElement>(null);
  const moved = useRef(false);
  // The choice that the month in sight has followed; it then stays where the person goes.
  const followed = useRef(chosen);
  const month = focusDate.slice(0, 7);
  const first = `${month}-01`;
  const last = endOfMonth(first);
  const inRange = (date: string) => date >= min && date <= max;

  // biome-ignore lint/correctness/useExhaustiveDependencies: called once for each month, not for each new function
  useEffect(() => onMonth(later(first, min), earlier(last, max)), [first, min, max]);

  useEffect(() => {
    if (chosen === followed.current) return;
    followed.current = chosen;
    if (chosen) setFocusDate(chosen);
  }, [chosen]);

  useEffect(() => {
    if (!moved.current) return;
    moved.current = false;
    table.current?.querySelector<HTMLElement>(`[data-date="${focusDate}"]`)?.focus();
  }, [focusDate]);

  function moveTo(date: string, focus: boolean) {
    moved.current = focus;
    setFocusDate(later(min, earlier(date, max)));
  }

  function choose(date: string) {
    followed.current = date;
    setFocusDate(date);
    props.onChoose(date);
  }

  function onKeyDown(event: KeyboardEvent) {
    const target = keyTarget(event.key, focusDate);
    if (!target) return;
    event.preventDefault();
    moveTo(target, true);
  }

  const monthName = formatLongDay(first).split(" ").slice(2).join(" ");
  return (
    <div className="card max-w-112 p-2 sm:p-4">
      <div className="flex items-center justify-between">
        <MonthButton
          label="Previous month"
          icon="chevronLeft"
          disabled={first <= min}
          onPress={() => moveTo(addMonths(focusDate, -1), false)}
        />
        <p className="display text-lg" aria-hidden="true">
          {monthName}
        </p>
        <MonthButton
          label="Next month"
          icon="chevronRight"
          disabled={last >= max}
          onPress={() => moveTo(addMonths(focusDate, 1), false)}
        />
      </div>
      <table
        ref={table}
        onKeyDown={onKeyDown}
        aria-describedby={props.describedBy}
        className="figures mt-1 w-full table-fixed border-separate border-spacing-1"
      >
        <caption className="sr-only" aria-live="polite">
          Free days in {monthName}
        </caption>
        <thead>
          <tr>
            {WEEKDAYS.map((name) => (
              <th key={name} scope="col" abbr={name} className="legend h-8 font-normal">
                {name.slice(0, 2)}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {weeksOf(first).map((week) => (
            <tr key={week[0]}>
              {week.map((date) => (
                <td key={date} className="h-11 p-0 text-center">
                  {date.slice(0, 7) === month && (
                    <Day
                      id={date === focusDate ? props.id : undefined}
                      date={date}
                      isChosen={date === chosen}
                      isToday={date === props.today}
                      isOffered={inRange(date)}
                      takesTab={date === focusDate}
                      count={props.counts[date]}
                      onPress={() => choose(date)}
                    />
                  )}
                </td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
      <p className="mt-1 text-sm text-muted">
        <span className="font-bold text-ink">Bold</span>: free times.{" "}
        <span className="line-through">Struck</span>: full or closed.
      </p>
    </div>
  );
}

interface DayProps {
  id: string | undefined;
  date: string;
  isChosen: boolean;
  isToday: boolean;
  isOffered: boolean;
  takesTab: boolean;
  count: number | undefined;
  onPress: () => void;
}

function Day({ id, date, isChosen, isToday, isOffered, takesTab, count, onPress }: DayProps) {
  const look = isChosen
    ? "bg-action text-on-action font-bold"
    : !isOffered
      ? "text-muted opacity-60"
      : count === 0
        ? "text-muted line-through hover:bg-action-soft"
        : count === undefined
          ? "hover:bg-action-soft"
          : "font-bold text-action hover:bg-action-soft";
  return (
    <button
      id={id}
      type="button"
      data-date={date}
      disabled={!isOffered}
      tabIndex={takesTab ? 0 : -1}
      aria-pressed={isChosen}
      aria-current={isToday ? "date" : undefined}
      aria-label={`${formatLongDay(date)}${countWords(count)}`}
      onClick={onPress}
      className={`size-full min-h-11 cursor-pointer rounded-sm disabled:cursor-default ${look} ${
        isToday && !isChosen ? "ring-1 ring-edge ring-inset" : ""
      }`}
    >
      {Number(date.slice(8))}
    </button>
  );
}

function countWords(count: number | undefined): string {
  if (count === undefined) return "";
  return count === 0 ? ", no free times" : `, ${count} free ${count === 1 ? "time" : "times"}`;
}

interface MonthButtonProps {
  label: string;
  icon: "chevronLeft" | "chevronRight";
  disabled: boolean;
  onPress: () => void;
}

function MonthButton({ label, icon, disabled, onPress }: MonthButtonProps) {
  return (
    <button
      type="button"
      aria-label={label}
      disabled={disabled}
      onClick={onPress}
      className="flex size-11 cursor-pointer items-center justify-center rounded-sm text-action hover:bg-action-soft disabled:cursor-default disabled:text-muted disabled:opacity-50"
    >
      <Icon name={icon} />
    </button>
  );
}
