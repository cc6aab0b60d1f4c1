/** Reschedule: any free time of the master list, on any day from today on. */
import { getFormProps } from "@conform-to/react";
import { Form, href, Link, useNavigation } from "react-router";
import { INVALID_RESCHEDULE, rescheduleSchema } from "#app/booking/change-fields.ts";
import { rescheduleAppointment } from "#app/booking/reschedule-appointment.server.ts";
import { askedField, TextField } from "#app/components/field.tsx";
import { depsContext } from "#app/core/deps.server.ts";
import { type Appointment, isPaid } from "#app/model/appointment.ts";
import { adminSession } from "#app/model/dates.ts";
import { success } from "#app/model/outcome.ts";
import { SessionFacts } from "#app/routes/admin/parts/facts.tsx";
import { actorOf, carryOut, goOn } from "#app/routes/admin/parts/forms.server.ts";
import { boardHref, listSearchOf } from "#app/routes/admin/parts/list-search.ts";
import { Problem } from "#app/routes/admin/parts/notice.tsx";
import { Overlay } from "#app/routes/admin/parts/overlay.tsx";
import { useAnswer, useAnsweredForm } from "#app/routes/admin/parts/submission.ts";
import { Captains, TimeChoices, useShownDay } from "#app/routes/admin/parts/time-choices.tsx";
import type { Route } from "./+types/appointment-reschedule";
import { requireAppointment } from "./appointment-view.server.ts";
import { readView } from "./booking-form-view.server.ts";

const FAILED = "Reschedule Failed";

export function loader({ params, url, context }: Route.LoaderArgs) {
  const deps = context.get(depsContext);
  const asked = Object.fromEntries(url.searchParams);
  const view = readView(deps, requireAppointment(deps, params.id), asked);
  return { view, listSearch: listSearchOf(url) };
}

export async function action({ params, request, url, context }: Route.ActionArgs) {
  const deps = context.get(depsContext);
  const actor = actorOf(context);
  const before = requireAppointment(deps, params.id);
  const form = await request.formData();
  const done = await carryOut(
    form,
    rescheduleSchema,
    (input) => {
      const { newTimeSlot: timeSlot } = input;
      if (isAt(before, { ...input, timeSlot })) return success(before);
      return rescheduleAppointment(deps, actor, params.id, { ...input, timeSlot });
    },
    // A ticked box is true.
    { lists: true },
  );
  if (!done.ok) {
    const incomplete = done.message === INVALID_RESCHEDULE;
    const asked = Object.fromEntries([...form].map(([name, value]) => [name, String(value)]));
    const view = readView(deps, requireAppointment(deps, params.id), asked);
    const mayOverride = done.code === "slot_taken" && done.errors?.timeSlot !== undefined;
    return done.refuse(incomplete ? "Invalid Data" : FAILED, { view, mayOverride });
  }
  const { contact, counselor, date, timeSlot, version } = done.value;
  const when = `${adminSession(date, timeSlot)}, with ${counselor}`;
  const notice =
    version === before.version
      ? {
          title: "Nothing Changed",
          description: `The session of ${contact.name} is at this time already: ${when}.`,
        }
      : {
          title: "Appointment Rescheduled",
          description: `The appointment of ${contact.name} is now on ${when}.`,
        };
  return goOn(deps, boardHref(listSearchOf(url)), notice);
}

/** An unpaid one gets time to pay anew, also at its own time. */
function isAt(
  appointment: Appointment,
  wish: Pick<Appointment, "date" | "timeSlot"> & { counselor?: string | undefined },
): boolean {
  const { date, timeSlot, counselor } = appointment;
  const own = { date, timeSlot, counselor };
  const wanted = {
    date: wish.date,
    timeSlot: wish.timeSlot,
    counselor: wish.counselor ?? counselor,
  };
  return isPaid(appointment) && JSON.stringify(own) === JSON.stringify(wanted);
}

export default function Reschedule({ loaderData, actionData }: Route.ComponentProps) {
  const { listSearch } = loaderData;
  const navigation = useNavigation();
  const answer = useAnswer(actionData, FAILED);
  // After a refusal the fresh row and the fresh times; looking up another day ends that.
  const view = answer?.view ?? loaderData.view;
  const { session } = view;
  const closeTo = boardHref(listSearch);
  const page = href("/admin/appointments/:id/reschedule", { id: session.id });
  const pending = navigation.formMethod === "POST";
  const { look, looking } = useShownDay(page, ["counselor", "date"], {
    today: view.today,
    listSearch,
  });
  const over = session.status === "cancelled";
  const [form] = useAnsweredForm("reschedule", answer?.reply);
  return (
    <Overlay title="Reschedule Appointment" closeTo={closeTo}>
      <Problem refusal={answer?.refusal} />
      <SessionFacts session={session} />
      {over && <p className="mt-4">A cancelled appointment cannot be rescheduled.</p>}
      <Form {...getFormProps(form)} method="post" preventScrollReset className="mt-5 grid gap-4">
        <input type="hidden" name="version" value={session.version} />
        <input type="hidden" name="list" value={listSearch} />
        {!over && (
          <>
            <Captains
              key={view.counselor}
              names={view.captains}
              chosen={view.counselor}
              choose={look}
            />
            <div className="flex flex-wrap items-end gap-3">
              <TextField
                field={askedField("date", view.date)}
                label="New date"
                type="date"
                min={view.today}
                required
                data-first=""
                className="min-w-44 flex-1"
                onChange={(event) => look(event.currentTarget.form)}
              />
              <button
                type="submit"
                formMethod="get"
                formAction={page}
                className="button button-quiet"
              >
                Show times
              </button>
            </div>
            <TimeChoices
              key={`${view.counselor} ${view.date} ${view.times.length}`}
              legend={`Free times of ${view.counselor} on ${view.day}, IST`}
              type="radio"
              name="newTimeSlot"
              times={view.times}
              empty="No time is free on this day. Please choose another date."
              busy={looking}
            />
            {answer?.mayOverride && (
              <label className="flex min-h-11 items-center gap-2 font-semibold">
                <input type="checkbox" name="override" className="size-5" />
                Use the time all the same
              </label>
            )}
            <p className="text-muted">
              {session.paid
                ? `${session.name} and the captain are told. The payment and the invoice stay as they are.`
                : `${session.name} is told by email, and has the time to pay anew.`}
            </p>
          </>
        )}
        <div className="flex flex-wrap gap-3">
          {!over && (
            <button type="submit" disabled={pending || looking} className="button button-primary">
              {pending ? "Rescheduling..." : "Reschedule"}
            </button>
          )}
          <Link to={closeTo} preventScrollReset className="button button-quiet">
            Close
          </Link>
        </div>
      </Form>
    </Overlay>
  );
}
