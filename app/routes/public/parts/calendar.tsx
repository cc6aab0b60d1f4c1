/** A month as a date grid: arrows, Home, End, Page Up and Page Down move; Enter chooses. */
import {
  type ComponentProps,
  type KeyboardEvent,
  type MouseEvent,
  memo,
  useEffect,
  useRef,
  useState,
} from "react";
import { Icon, type IconName } from "#app/components/icons.tsx";
import { addDays, formatLongDay } from "#app/model/dates.ts";
import {
  ARROW_DAYS,
  addMonths,
  earlier,
  endOfMonth,
  isInFullWeek,
  keyTarget,
  later,
  type Offered,
  weeksToDraw,
} from "./month.ts";

const WEEKDAYS = ["Monday", "Tuesday", "Wednesday", "Thursday", "Friday", "Saturday", "Sunday"];

interface CalendarProps extends Offered {
  /** Id of the day that takes the focus; error lines link to it. */
  id: string;
  chosen: string;
  today: string;
  describedBy?: string | undefined;
  onChoose: (date: string) => void;
  /** What the free times depend on: with another, it opens anew unless the visitor went somewhere. */
  about?: string;
  /** Called with the first and last day of the month shown, to load their free times. */
  onMonth?: (from: string, to: string) => void;
}

export function Calendar(props: CalendarProps) {
  const { chosen, min, max, counts, onMonth } = props;
  const [focusDate, setFocusDate] = useState(chosen || min);
  const table = useRef<HTMLTableElement>(null);
  const moved = useRef(false);
  // The day reached by keyboard: its week stays, even if it turns out to be full.
  const [kept, setKept] = useState("");
  // Until the visitor goes somewhere, it shows the first month with a free day.
  const opening = useRef(!chosen);
  // The last choice that the calendar has moved to; afterwards it shows where the visitor goes.
  const followed = useRef(chosen);
  const month = focusDate.slice(0, 7);
  const first = `${month}-01`;
  const last = endOfMonth(first);
  const inRange = (date: string) => date >= min && date <= max;
  const offered = { min, max, counts };
  const weeks = weeksToDraw(first, offered, kept);
  const drawn = weeks.flat();
  const current = drawn.includes(focusDate) ? focusDate : (drawn.find(inRange) ?? focusDate);

  // biome-ignore lint/correctness/useExhaustiveDependencies: called once for each month, not for each new function
  useEffect(() => onMonth?.(later(first, min), earlier(last, max)), [first, min, max]);

  // biome-ignore lint/correctness/useExhaustiveDependencies: looked at once for each answer
  useEffect(() => {
    const isFull = weeks.every(([day]) => isInFullWeek(day!, offered));
    const isFocused = table.current?.contains(document.activeElement);
    if (opening.current && isFull && !isFocused && last < max) setFocusDate(addDays(last, 1));
  }, [counts]);

  // biome-ignore lint/correctness/useExhaustiveDependencies: for each captain and length, not for another first day
  useEffect(() => {
    if (opening.current) setFocusDate(min);
  }, [props.about]);

  useEffect(() => {
    if (chosen === followed.current) return;
    followed.current = chosen;
    opening.current &&= !chosen;
    if (chosen) setFocusDate(chosen);
  }, [chosen]);

  useEffect(() => {
    if (!moved.current) return;
    moved.current = false;
    table.current?.querySelector<HTMLElement>(`[data-date="${focusDate}"]`)?.focus();
  }, [focusDate]);

  function moveTo(date: string, focus: boolean) {
    const target = later(min, earlier(date, max));
    moved.current = focus;
    opening.current = false;
    if (focus) setKept(target);
    setFocusDate(target);
  }

  function choose(date: string) {
    followed.current = date;
    opening.current = false;
    setFocusDate(date);
    props.onChoose(date);
  }

  function onKeyDown(event: KeyboardEvent) {
    const from = (event.target as HTMLElement).dataset.date ?? current;
    let target = keyTarget(event.key, from);
    if (!target) return;
    event.preventDefault();
    const step = ARROW_DAYS.get(event.key);
    while (step && inRange(target) && isInFullWeek(target, offered)) target = addDays(target, step);
    moveTo(step && !inRange(target) ? from : target, true);
  }

  function onClick({ target }: MouseEvent) {
    // A browser's translation puts elements of its own around the words.
    const date = (target as Element).closest<HTMLElement>("[data-date]")?.dataset.date;
    if (date) choose(date);
  }

  const monthName = formatLongDay(first).split(" ").slice(2).join(" ");
  return (
    <div className="card max-w-112 p-2 sm:p-4">
      <div className="flex items-center justify-between">
        <MonthButton
          aria-label="Previous month"
          icon="chevronLeft"
          disabled={first <= min}
          onClick={() => moveTo(addMonths(focusDate, -1), false)}
        />
        <p className="display text-lg" aria-live="polite">
          {monthName}
        </p>
        <MonthButton
          aria-label="Next month"
          icon="chevronRight"
          disabled={last >= max}
          onClick={() => moveTo(addMonths(focusDate, 1), false)}
        />
      </div>
      <div className="month" data-weeks={weeksToDraw(first, { min, max, counts: {} }).length}>
        <table
          ref={table}
          onKeyDown={onKeyDown}
          onClick={onClick}
          // biome-ignore lint/a11y/noNoninteractiveElementToInteractiveRole: the pattern of a date grid
          role="grid"
          aria-label={`Free days in ${monthName}`}
          aria-describedby={props.describedBy}
          className="figures mt-1 w-full table-fixed text-[min(1rem,6vw)] border-separate border-spacing-1"
        >
          <thead>
            <tr>
              {WEEKDAYS.map((name) => (
                <th
                  key={name}
                  scope="col"
                  abbr={name}
                  className="legend h-8 text-[min(var(--text-sm),5vw)] font-normal"
                >
                  {name.slice(0, 2)}
                </th>
              ))}
            </tr>
          </thead>
          <tbody>
            {weeks.map((week) => (
              <tr key={week[0]}>
                {week.length < 7 && week[0] === first && <td colSpan={7 - week.length} />}
                {week.map((date) => (
                  <td key={date} className="h-11 p-0 text-center">
                    <Day
                      id={date === current ? props.id : undefined}
                      date={date}
                      isChosen={date === chosen}
                      isToday={date === props.today}
                      isOffered={inRange(date)}
                      count={counts[date]}
                    />
                  </td>
                ))}
              </tr>
            ))}
          </tbody>
        </table>
      </div>
      <p className="mt-1 text-sm text-muted">
        <span className="font-bold text-ink">Bold</span>: free times.{" "}
        <span className="line-through">Struck</span>: full or closed.
      </p>
    </div>
  );
}

interface DayProps {
  /** Set only for the day that is reached with the tab key. */
  id: string | undefined;
  date: string;
  isChosen: boolean;
  isToday: boolean;
  isOffered: boolean;
  count: number | undefined;
}

/** Memoized, because rendering a month of days is most of the work of a click. */
const Day = memo(function Day(props: DayProps) {
  const { id, date, isChosen, isToday, isOffered, count } = props;
  return (
    <button
      id={id}
      type="button"
      data-date={date}
      disabled={!isOffered}
      tabIndex={id ? 0 : -1}
      aria-pressed={isChosen}
      aria-current={isToday ? "date" : undefined}
      aria-label={`${formatLongDay(date)}${countWords(count)}`}
      className={`size-full min-h-11 cursor-pointer rounded-sm disabled:cursor-default ${coloursOf(props)} ${
        isToday && !isChosen ? "ring-1 ring-edge ring-inset" : ""
      }`}
    >
      {Number(date.slice(8))}
    </button>
  );
});

function coloursOf({ isChosen, isOffered, count }: DayProps): string {
  if (isChosen) return "bg-action text-on-action font-bold";
  if (!isOffered) return "text-muted opacity-60";
  if (count === undefined) return "hover:bg-action-soft";
  const text = count === 0 ? "text-muted line-through" : "font-bold text-action";
  return `${text} hover:bg-action-soft`;
}

function countWords(count: number | undefined): string {
  if (count === undefined) return "";
  return count === 0 ? ", no free times" : `, ${count} free ${count === 1 ? "time" : "times"}`;
}

function MonthButton({ icon, ...button }: ComponentProps<"button"> & { icon: IconName }) {
  return (
    <button
      type="button"
      {...button}
      className="flex size-11 cursor-pointer items-center justify-center rounded-sm text-action hover:bg-action-soft disabled:cursor-default disabled:text-muted disabled:opacity-50"
    >
      <Icon name={icon} />
    </button>
  );
}
