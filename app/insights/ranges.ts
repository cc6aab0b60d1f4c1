/** The ranges that are asked for, and what they are compared with. Dates are inclusive. */
import { addDays, daysBetween, firstYearOf } from "#app/model/dates.ts";
import { rangeSchemaOf } from "#app/model/fields.ts";
import { type Month, monthOf, nextMonth } from "#app/model/month.ts";

const MOST_YEARS = 10;
const isOfThisCentury = (date: string) => date.startsWith("20");
const CENTURY_FAULT = "Please select a date from 2000 to 2099";

export const insightsSchema = rangeSchemaOf()
  .refine(({ from }) => isOfThisCentury(from), { path: ["from"], message: CENTURY_FAULT })
  .refine(({ to }) => isOfThisCentury(to), { path: ["to"], message: CENTURY_FAULT })
  .refine(({ from, to }) => to < Number(from.slice(0, 4)) + MOST_YEARS + from.slice(4), {
    path: ["to"],
    message: `Please ask for at most ${MOST_YEARS} years at once`,
  });

export interface DateRange {
  from: string;
  to: string;
}

/** Every month of the range; the first and last may be cut. */
export function monthsOf({ from, to }: DateRange): Month[] {
  const months: Month[] = [];
  for (let value = from.slice(0, 7); value <= to.slice(0, 7); value = nextMonth(value)) {
    const month = monthOf(value);
    months.push({
      value,
      from: month.from < from ? from : month.from,
      to: month.to > to ? to : month.to,
    });
  }
  return months;
}

/** The previous range of the same length: whole months give as many months, else as many days. */
export function rangeBefore({ from, to }: DateRange): DateRange {
  const end = addDays(from, -1);
  const isWhole = from === monthOf(from).from && to === monthOf(to).to;
  if (!isWhole) return { from: addDays(from, -daysBetween(from, to) - 1), to: end };
  return { from: monthsBack(from, monthsOf({ from, to }).length), to: end };
}

/** The ranges offered as links. */
export function usualRanges(today: string): (DateRange & { label: string })[] {
  const { from, to } = monthOf(today);
  const startYear = firstYearOf(today);
  return [
    { label: "This month", from, to },
    { label: "Last month", ...rangeBefore({ from, to }) },
    { label: "Last 12 months", from: monthsBack(from, 11), to },
    { label: "This financial year", from: `${startYear}-04-01`, to: `${startYear + 1}-03-31` },
  ];
}

/** First of the month `count` months before. */
function monthsBack(first: string, count: number): string {
  const [year = 0, month = 0] = first.split("-").map(Number);
  return new Date(Date.UTC(year, month - 1 - count)).toISOString().slice(0, 10);
}
