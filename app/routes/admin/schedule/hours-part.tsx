/** Weekly hours as a grid: a column a day, a row a time, the real checkbox in each cell. */
import { getFormProps } from "@conform-to/react";
import { Form } from "react-router";
import { FieldError, TextField } from "#app/components/field.tsx";
import { formatSlot } from "#app/model/dates.ts";
import { MASTER_TIMES } from "#app/model/time-slot.ts";
import { WEEKDAY_LABELS, WEEKDAYS, type Week } from "#app/model/week.ts";
import { type Reply, useAnsweredForm } from "#app/routes/admin/parts/use-answered-form.ts";
import { Press } from "./press.tsx";

interface HoursPartProps {
  hours: { week: Week; isDefault: boolean; bufferMinutes: number; version: number };
  reply: Reply | null | undefined;
}

export function HoursPart({ hours, reply }: HoursPartProps) {
  const { week, isDefault, bufferMinutes, version } = hours;
  const shown = { bufferMinutes: String(bufferMinutes) };
  const [form, fields] = useAnsweredForm<"week" | "bufferMinutes" | "copyTo">(
    "hours",
    reply,
    shown,
  );
  return (
    <section aria-labelledby="hours-title" className="card p-3 sm:p-5">
      <h2 id="hours-title" className="display scroll-mt-4 text-xl">
        Weekly hours
      </h2>
      <p className="mb-3 max-w-text text-muted">
        {isDefault
          ? "The default times hold on every day. Tick other times and save to give this captain hours of their own."
          : "These times hold on every date for which no others are set. A day without a tick is off."}
      </p>
      <Form {...getFormProps(form)} method="post" preventScrollReset className="grid gap-4">
        <input type="hidden" name="version" value={version} />
        <FieldError id="week-error" errors={fields.week.errors} />
        <WeekGrid key={JSON.stringify(week)} week={week} />
        <TextField
          field={fields.bufferMinutes}
          label="Buffer"
          hint="Minutes between two sessions, 0 to 120."
          type="number"
          inputMode="numeric"
          min={0}
          max={120}
          className="max-w-60"
        />
        <div className="flex flex-wrap gap-3">
          <Press intent="save">Save Hours</Press>
          <Press intent="default" quiet>
            Same as Default Times
          </Press>
        </div>
        <details
          className="rounded-sm border border-line px-3"
          open={Boolean(fields.copyTo.errors)}
        >
          <summary className="min-h-11 cursor-pointer py-2.5 font-semibold">
            Copy Monday to…
          </summary>
          <div className="grid gap-3 pb-3">
            <FieldError id="copy-error" errors={fields.copyTo.errors} />
            <div className="flex flex-wrap gap-x-4">
              {WEEKDAYS.slice(1).map((day) => (
                <label key={day} className="flex min-h-11 items-center gap-2">
                  <input type="checkbox" name="copyTo" value={day} className="size-5" />
                  {WEEKDAY_LABELS[day]}
                </label>
              ))}
            </div>
            <Press intent="copy" quiet>
              Copy and Save
            </Press>
          </div>
        </details>
      </Form>
    </section>
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
