/** Leave: whole days off of this captain, or of all. */
import { getFormProps } from "@conform-to/react";
import { Form } from "react-router";
import { TextField } from "#app/components/field.tsx";
import { useMay } from "#app/routes/admin/parts/may.tsx";
import { type Reply, useAnsweredForm } from "#app/routes/admin/parts/use-answered-form.ts";
import { Press } from "./press.tsx";
import type { ScheduleView } from "./schedule-view.server.ts";

type LeavePartProps = Pick<ScheduleView, "leave" | "counselor" | "today"> & {
  reply: Reply | null | undefined;
};

export function LeavePart({ leave, counselor, today, reply }: LeavePartProps) {
  const mayForAll = useMay("bookings");
  const [form, fields] = useAnsweredForm<"from" | "to" | "reason">("leave", reply);
  return (
    <section aria-labelledby="leave-title" className="card p-3 sm:p-5">
      <h2 id="leave-title" className="display scroll-mt-4 text-xl">
        Leave
      </h2>
      <p className="mb-3 max-w-text text-muted">
        Whole days on which nothing is offered. Sessions booked already stay, and are shown.
      </p>
      {leave.length === 0 && <p className="mb-3">No leave is planned.</p>}
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
              <Form method="post" preventScrollReset>
                <input type="hidden" name="leaveId" value={id} />
                <Press intent="leave-remove" quiet name={`Remove leave of ${days}`}>
                  Remove
                </Press>
              </Form>
            )}
          </li>
        ))}
      </ul>
      <Form
        // A list that has grown empties the fields.
        key={leave.map(({ id }) => id).join()}
        {...getFormProps(form)}
        method="post"
        preventScrollReset
        className="grid gap-4"
      >
        <div className="grid gap-4 sm:grid-cols-2">
          <TextField field={fields.from} label="From" type="date" min={today} required />
          <TextField
            field={fields.to}
            label="To (this day included)"
            type="date"
            min={today}
            required
          />
        </div>
        <TextField
          field={fields.reason}
          label="Reason (optional)"
          hint="For the team; customers never see it."
          maxLength={200}
          autoComplete="off"
        />
        {mayForAll && (
          <label className="flex min-h-11 items-center gap-2">
            <input type="checkbox" name="forAll" className="size-5" />
            For all captains, not only {counselor}
          </label>
        )}
        <Press intent="leave-add">Add Leave</Press>
      </Form>
    </section>
  );
}
