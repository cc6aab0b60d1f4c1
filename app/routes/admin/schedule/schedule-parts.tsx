/** The parts of a captain's schedule: weekly hours, leave, the next four weeks. */
import { WEEKDAY_LABELS, WEEKDAYS, type Weekday } from "#app/model/day-plan.ts";
import { lookUp } from "#app/model/unknown-code.ts";
import { ErrorOf, InputField, LineField } from "#app/routes/admin/parts/fields.tsx";
import type { Reply } from "#app/routes/admin/parts/form-data.ts";
import { PageForm, SubmitButton } from "#app/routes/admin/parts/form-page.tsx";
import { Choice, Part } from "#app/routes/admin/parts/form-parts.tsx";
import { ButtonForm, useMay } from "#app/routes/admin/parts/page-parts.tsx";
import type { PreviewDay, ScheduleView } from "./schedule-view.server.ts";
import { WeekTimes } from "./week-times.tsx";

type Replied = { reply: Reply | null };

export function HoursPart({ hours, reply }: Pick<ScheduleView, "hours"> & Replied) {
  const { week, as, isDefault, bufferMinutes, version } = hours;
  return (
    <Part id="hours-title" title="Weekly hours" className="p-3 sm:p-5">
      <p className="mb-3 max-w-text text-muted">
        {isDefault
          ? "The default times hold on every day. Choose other times and save to give this captain hours of their own."
          : "These times hold on every date for which no others are set. A day without times is off."}
      </p>
      <PageForm
        id="hours"
        reply={reply}
        filled={{ bufferMinutes: String(bufferMinutes) }}
        sends={{ version }}
        preventScrollReset
        className="grid gap-4"
      >
        <ErrorOf name="week" id="week-error" />
        <WeekTimes key={as + JSON.stringify(week)} {...hours} />
        <InputField
          name="bufferMinutes"
          label="Buffer"
          hint="Minutes between two sessions, 0 to 120."
          type="number"
          inputMode="numeric"
          min={0}
          max={120}
          className="max-w-60"
        />
        <div className="flex flex-wrap gap-3">
          <SubmitButton className="justify-self-start" intent="save">
            Save Hours
          </SubmitButton>
          <SubmitButton className="justify-self-start" intent="default" look="quiet">
            Same as Default Times
          </SubmitButton>
        </div>
        <details
          className="rounded-sm border border-line px-3"
          open={Boolean(reply?.error?.copyTo)}
        >
          <summary className="min-h-11 cursor-pointer py-2.5 font-semibold">
            Copy Monday to…
          </summary>
          <div className="grid gap-3 pb-3">
            <ErrorOf name="copyTo" id="copy-error" />
            <div className="flex flex-wrap gap-x-4">
              {WEEKDAYS.slice(1).map((day) => (
                <Choice key={day} type="checkbox" name="copyTo" value={day}>
                  {WEEKDAY_LABELS[day]}
                </Choice>
              ))}
            </div>
            <SubmitButton className="justify-self-start" intent="copy" look="quiet">
              Copy and Save
            </SubmitButton>
          </div>
        </details>
      </PageForm>
    </Part>
  );
}

type LeavePartProps = Pick<ScheduleView, "leave" | "counselor" | "today"> & Replied;

export function LeavePart({ leave, counselor, today, reply }: LeavePartProps) {
  const mayForAll = useMay("bookings");
  return (
    <Part id="leave-title" title="Leave" className="p-3 sm:p-5">
      <p className="mb-3 max-w-text text-muted">
        Whole days on which nothing is offered. Sessions booked already stay, and are shown.
      </p>
      {leave.length === 0 && <p className="mb-3">No leave is planned. Add the first below.</p>}
      <ul className="mb-4 grid gap-2">
        {leave.map(({ id, days, reason, forAll }) => (
          <li
            key={id}
            className="flex flex-wrap items-center justify-between gap-x-4 rounded-sm bg-sunken px-3 py-1"
          >
            <span className="min-w-0 break-words">
              <strong className="figures">{days}</strong>
              {forAll && " for all"}
              {reason && `: ${reason}`}
            </span>
            {(mayForAll || !forAll) && (
              <ButtonForm sends={{ leaveId: id }} preventScrollReset>
                <SubmitButton
                  intent="leave-remove"
                  look="quiet"
                  aria-label={`Remove leave of ${days}`}
                >
                  Remove
                </SubmitButton>
              </ButtonForm>
            )}
          </li>
        ))}
      </ul>
      <PageForm
        // Empties the fields when the list has changed.
        key={leave.map(({ id }) => id).join()}
        id="leave"
        reply={reply}
        preventScrollReset
        className="grid gap-4"
      >
        <div className="grid gap-4 sm:grid-cols-2">
          <InputField name="from" label="From" type="date" min={today} required />
          <InputField name="to" label="To (this day included)" type="date" min={today} required />
        </div>
        <LineField
          name="reason"
          label="Reason (optional)"
          hint="For the team; customers never see it."
          maxLength={200}
        />
        {mayForAll && (
          <Choice
            type="checkbox"
            name="forAll"
            defaultChecked={reply?.initialValue?.forAll === "on"}
          >
            For all captains, not only {counselor}
          </Choice>
        )}
        <SubmitButton className="justify-self-start" intent="leave-add">
          Add Leave
        </SubmitButton>
      </PageForm>
    </Part>
  );
}

/** On wide screens the days are aligned by weekday. */
const columnOf = lookUp<Weekday, string>({
  mon: "lg:col-start-1",
  tue: "lg:col-start-2",
  wed: "lg:col-start-3",
  thu: "lg:col-start-4",
  fri: "lg:col-start-5",
  sat: "lg:col-start-6",
  sun: "lg:col-start-7",
});

export function PreviewPart({ days }: { days: readonly PreviewDay[] }) {
  // Captains open it on a phone, where it is long.
  const folded = !useMay("bookings");
  return (
    <Part id="preview-title" title="The next four weeks" className="p-3 sm:p-5">
      <details open={!folded}>
        <summary className="min-h-11 cursor-pointer py-2 text-muted">
          Start times in IST. What is struck is taken out by the word beside it.
        </summary>
        <ol className="grid gap-2 sm:grid-cols-2 md:grid-cols-4 lg:grid-cols-7">
          {days.map(({ date, day, weekday, source, times }) => (
            <li
              key={date}
              className={`min-w-0 rounded-sm border border-line p-2 ${columnOf(weekday)}`}
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
      </details>
    </Part>
  );
}
