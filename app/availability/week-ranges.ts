/** Weekly hours as ranges: every half hour from the first start of a day to its last. */
import { MASTER_TIMES, WEEKDAY_LABELS, WEEKDAYS, type Week } from "#app/model/day-plan.ts";

/** Start times from the first to the last, both included; none if they are in the wrong order. */
export function timesBetween(first: string, last: string): string[] {
  return MASTER_TIMES.filter((time) => time >= first && time <= last);
}

/** True if each day is off or one unbroken range. */
export function isInRanges(week: Week): boolean {
  return WEEKDAYS.every((day) => {
    const times = week[day];
    return times.length === 0 || times.join() === timesBetween(times[0]!, times.at(-1)!).join();
  });
}

/** The form fields of a day's first and last start. */
export const rangeNames = (day: string) => [`${day}From`, `${day}To`] as const;

const rangeIn = (form: FormData, day: string) =>
  rangeNames(day).map((name) => String(form.get(name) ?? "")) as [first: string, last: string];

/** True if each day has the same first and last start in both weeks, whatever lies between. */
export function hasSameEnds(a: Week, b: Week): boolean {
  return WEEKDAYS.every((day) => a[day][0] === b[day][0] && a[day].at(-1) === b[day].at(-1));
}

const endsEarly = (first: string, last: string) => last !== "" && last < first;

/**
 * In a form with ranges, replaces the ticked times of each day with those of its range. A range that
 * ends before it begins becomes its two ends, so that the form shows them again.
 */
export function withRanges(form: FormData): FormData {
  if (form.get("as") !== "ranges") return form;
  for (const day of WEEKDAYS) {
    const [first, last] = rangeIn(form, day);
    form.delete(day);
    if (first === "") continue;
    const times = endsEarly(first, last) ? [first, last] : timesBetween(first, last || first);
    for (const time of times) form.append(day, time);
  }
  return form;
}

export function rangeFault(form: FormData): string | null {
  if (form.get("as") !== "ranges") return null;
  const wrong = WEEKDAYS.find((day) => {
    const [first, last] = rangeIn(form, day);
    return first !== "" && endsEarly(first, last);
  });
  return wrong ? `Please let ${WEEKDAY_LABELS[wrong]} end after it begins` : null;
}
