/** Reschedules to any free time of the master list, today or later. */
import { href } from "react-router";
import { INVALID_RESCHEDULE, rescheduleSchema } from "#app/booking/change-fields.ts";
import { rescheduleAppointment } from "#app/booking/reschedule-appointment.server.ts";
import { askedField, TextField } from "#app/components/field.tsx";
import { type Appointment, isPaid } from "#app/model/appointment.ts";
import { adminSession } from "#app/model/dates.ts";
import { success } from "#app/model/outcome.ts";
import { screen } from "#app/routes/admin/parts/form-page.server.ts";
import { FormDialog, useFormPage } from "#app/routes/admin/parts/form-page.tsx";
import { Choice } from "#app/routes/admin/parts/form-parts.tsx";
import { boardHref } from "#app/routes/admin/parts/list-search.ts";
import { Captains, TimeChoices, useShownDay } from "#app/routes/admin/parts/time-choices.tsx";
import type { Route } from "./+types/appointment-reschedule";
import { appointmentAsked } from "./appointment-view.server.ts";
import { mayOverride, readReschedule } from "./booking-form-view.server.ts";

const { loader, action } = screen({
  find: appointmentAsked,
  view: ({ deps, about, typed }) => readReschedule(deps, about, typed),
}).one({
  fields: rescheduleSchema,
  lists: true,
  run: ({ newTimeSlot: timeSlot, ...input }, { deps, actor, about }) => {
    const wanted = { ...input, timeSlot };
    return isAt(about, wanted)
      ? success(about)
      : rescheduleAppointment(deps, actor, about.id, wanted);
  },
  failed: "Reschedule Failed",
  failedBy: ({ message }) => (message === INVALID_RESCHEDULE ? "Invalid Data" : null),
  beside: mayOverride,
  done: ({ contact, counselor, date, timeSlot, version }, { about, listSearch }) => {
    const when = `${adminSession(date, timeSlot)}, with ${counselor}`;
    const notice =
      version === about.version
        ? {
            title: "Nothing Changed",
            description: `The session of ${contact.name} is at this time already: ${when}.`,
          }
        : {
            title: "Appointment Rescheduled",
            description: `The appointment of ${contact.name} is now on ${when}.`,
          };
    return { to: boardHref(listSearch), ...notice };
  },
});

export { action, loader };

/** False for an unpaid appointment: moved to its own time, it still gets a new time to pay. */
function isAt(
  appointment: Appointment,
  wanted: Pick<Appointment, "date" | "timeSlot"> & { counselor?: string | undefined },
): boolean {
  const { date, timeSlot, counselor } = appointment;
  return (
    isPaid(appointment) &&
    wanted.date === date &&
    wanted.timeSlot === timeSlot &&
    (wanted.counselor ?? counselor) === counselor
  );
}

export default function Reschedule(props: Route.ComponentProps) {
  // After a refusal `view` has the fresh appointment and times, until another day is looked up.
  const page = useFormPage(props);
  const { view, listSearch } = page;
  const { session } = view;
  const here = href("/admin/appointments/:id/reschedule", { id: session.id });
  const names = ["counselor", "date", "newTimeSlot"];
  const { showDay, isLoading } = useShownDay(here, names, view.today);
  const over = session.status === "cancelled";
  return (
    <FormDialog
      id="reschedule"
      page={page}
      title="Reschedule Appointment"
      session={session}
      lead={over && <p className="mt-4">A cancelled appointment cannot be rescheduled.</p>}
      sends={{ version: session.version, list: listSearch }}
      className="mt-5 grid gap-4"
      submit={["Reschedule", "Rescheduling..."]}
      keepLast
      over={over}
      busy={isLoading}
    >
      {/* The Enter key submits a form by its first button. */}
      <button type="submit" disabled={isLoading} hidden />
      <Captains view={view} showDay={showDay} />
      <div className="flex flex-wrap items-end gap-3">
        <TextField
          field={askedField("date", view.date)}
          label="New date"
          type="date"
          min={view.today}
          required
          data-first=""
          className="min-w-44 flex-1"
          onChange={(event) => showDay(event.currentTarget.form)}
        />
        <button type="submit" formMethod="get" formAction={here} className="button button-quiet">
          Show times
        </button>
      </div>
      <TimeChoices
        key={`${view.counselor} ${view.date} ${view.times.length}`}
        legend={`Free times of ${view.counselor} on ${view.day}, IST`}
        type="radio"
        name="newTimeSlot"
        times={view.times}
        asked={view.time}
        empty="No time is free on this day. Please choose another date."
        busy={isLoading}
      />
      {page.more?.mayOverride && (
        <Choice type="checkbox" name="override" className="font-semibold">
          Use the time all the same
        </Choice>
      )}
      <p className="text-muted">
        {session.paid
          ? `${session.name} and the captain are notified. The payment and the invoice stay as they are.`
          : `${session.name} is notified by email, and has the time to pay anew.`}
      </p>
    </FormDialog>
  );
}
