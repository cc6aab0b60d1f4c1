import { type Field, TextField } from "#app/components/field.tsx";

const WEEKDAYS = [
  [1, "Mon"],
  [2, "Tue"],
  [3, "Wed"],
  [4, "Thu"],
  [5, "Fri"],
  [6, "Sat"],
  [0, "Sun"],
] as const;

export function MoreDates({ field, today }: { field: Field; today: string }) {
  return (
    <details className="rounded-sm border border-line px-3">
      <summary className="min-h-11 cursor-pointer py-2.5 font-semibold">
        More dates in one press
      </summary>
      <div className="grid gap-3 pb-3">
        <TextField
          field={field}
          // Closed it would not show that a range still stands in it.
          defaultValue=""
          label="Until (this day included)"
          hint="Empty: only the date above."
          type="date"
          min={today}
          className="max-w-72"
        />
        <fieldset>
          <legend className="font-semibold">Only on these weekdays</legend>
          <p className="text-sm text-muted">None chosen: every day of the range.</p>
          <div className="mt-1 flex flex-wrap gap-x-4">
            {WEEKDAYS.map(([day, label]) => (
              <label key={day} className="flex min-h-11 items-center gap-2">
                <input type="checkbox" name="weekday" value={day} className="size-5" />
                {label}
              </label>
            ))}
          </div>
        </fieldset>
      </div>
    </details>
  );
}
