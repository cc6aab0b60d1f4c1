/** Moves a booking to another time. */
import { getFormProps, useForm } from "@conform-to/react";
import { useEffect, useRef, useState } from "react";
import { data, href, useNavigation } from "react-router";
import { useHydrated } from "remix-utils/use-hydrated";
import { moveOwnSchema } from "#app/booking/change-fields.ts";
import { moveOwnBooking } from "#app/booking/self-service.server.ts";
import { depsContext } from "#app/core/deps.server.ts";
import { hoursWords } from "#app/model/appointment.ts";
import { formatDay, formatInstant, formatSlot } from "#app/model/dates.ts";
import { FormSection } from "#app/routes/public/parts/form-parts.tsx";
import { OnlineForm } from "#app/routes/public/parts/online-form.tsx";
import { OwnTime } from "#app/routes/public/parts/own-time.tsx";
import { privateMeta, WriteOrCall } from "#app/routes/public/parts/public-page.tsx";
import type { Route } from "./+types/booking-reschedule";
import { ChangePage, OwnerEmail } from "./change-page.tsx";
import {
  changeBooking,
  changeView,
  newTimesView,
  type Refusal,
  requireBooking,
} from "./change-view.server.ts";
import { NewDay, NewTime } from "./new-day-and-time.tsx";

export const handle = { hydrate: true };

export function loader({ params, url, context }: Route.LoaderArgs) {
  const deps = context.get(depsContext);
  const appointment = requireBooking(deps, params.id);
  const view = changeView(deps, appointment);
  const days = newTimesView(deps, appointment, url.searchParams.get("date"));
  return { view, days };
}

export async function action(args: Route.ActionArgs) {
  const { deps, appointment, submission, body, init } = await changeBooking(args, {
    schema: moveOwnSchema,
    change: (deps, id, entries, owner) =>
      moveOwnBooking(deps, id, { ...entries, timeSlot: entries.newTimeSlot }, owner),
    done: "moved",
  });
  const { date, day = date } = submission.payload;
  const days = newTimesView(deps, appointment, String(day ?? ""));
  return data({ ...body, view: changeView(deps, appointment), days }, init);
}

export { passActionHeaders as headers } from "#app/routes/public/parts/public-page.tsx";

export const meta = privateMeta("Move your booking");

export default function Reschedule({ loaderData, actionData }: Route.ComponentProps) {
  // After a refusal, the action's data are newer; choosing another day discards them.
  const { view, days } = actionData ?? loaderData;
  return (
    <ChangePage
      title={view.paid ? "Move your session" : "Move your booking"}
      view={view}
      refusal={actionData}
      targets={{ date: "new-day", newTimeSlot: "new-time", email: "move-email" }}
    >
      {days.isOff ? (
        <p className="max-w-text">
          {view.facts.captain} takes no bookings any more. To move to another captain, please{" "}
          <WriteOrCall business={view.business} />.
        </p>
      ) : !view.mayMove ? (
        <p className="max-w-text">
          This booking was held for too long without being paid, so it cannot be moved. Please{" "}
          <a className="link" href={`${href("/")}#book`}>
            book a new time
          </a>
          .
        </p>
      ) : (
        <>
          <p className="max-w-text">
            You can move it to any free time of the same captain, until {formatInstant(view.until)}.
            <OwnTime instant={view.until} />
          </p>
          <p className="mb-8 max-w-text">
            {view.paid
              ? "Your payment and your invoice stay as they are."
              : `It is not paid yet. Once you have moved it, you have up to ${view.payTime} to start paying.`}
          </p>
          <MoveForm view={view} days={days} reply={actionData?.reply} />
        </>
      )}
    </ChangePage>
  );
}

type Shown = Route.ComponentProps["loaderData"];

function MoveForm({ view, days, reply }: Shown & { reply?: Refusal["reply"] }) {
  const moving = useNavigation().formMethod === "POST";
  // Without scripts it does not follow the choice.
  const hydrated = useHydrated();
  const page = href("/booking/:id/reschedule", { id: view.id });
  const form = useRef<HTMLFormElement>(null);
  const typed = String(reply?.initialValue?.newTimeSlot ?? "");
  const [choice, setChoice] = useState({ date: days.date, timeSlot: typed });
  const [bound, fields] = useForm<{ newTimeSlot: string; email: string }>({
    id: "move",
    lastResult: reply ?? null,
  });
  const fits = choice.date === days.date && days.times.includes(choice.timeSlot);
  const chosen = fits ? choice.timeSlot : "";

  // Takes over a time that was chosen before the scripts had loaded.
  // biome-ignore lint/correctness/useExhaustiveDependencies: once, after hydration
  useEffect(() => {
    const timeSlot = form.current && new FormData(form.current).get("newTimeSlot");
    if (typeof timeSlot === "string") setChoice({ date: days.date, timeSlot });
  }, []);

  return (
    <div className="grid gap-8">
      <FormSection id="move-day" number={1} title="New day">
        <NewDay page={page} days={days} form={bound.id} />
      </FormSection>
      <OnlineForm
        {...getFormProps(bound)}
        ref={form}
        method="post"
        action={page}
        noValidate
        className="grid min-w-0 gap-8"
      >
        <input type="hidden" name="date" value={days.date} />
        <input type="hidden" name="version" value={view.version} />
        <FormSection id="move-time" number={2} title="New time" done={chosen !== ""}>
          <NewTime
            page={page}
            days={days}
            chosen={chosen}
            errors={fields.newTimeSlot.errors}
            onChoose={(timeSlot) => setChoice({ date: days.date, timeSlot })}
          />
          {days.near && (
            <p className="mt-3 text-muted">
              If you choose a time less than {hoursWords(view.cutoffHours)} ahead, you cannot change
              it online again.
            </p>
          )}
        </FormSection>
        <FormSection id="move-owner" number={3} title="Your email">
          <div className="max-w-112">
            <OwnerEmail field={fields.email} hint={view.emailHint} />
          </div>
        </FormSection>
        <div className="flex flex-wrap gap-3">
          <button type="submit" disabled={moving} className="button button-primary">
            {moving ? "Moving..." : buttonWords(days.date, hydrated ? chosen : "")}
          </button>
          <a className="button button-quiet" href={href("/booking/:id", { id: view.id })}>
            Keep the time I have
          </a>
        </div>
      </OnlineForm>
    </div>
  );
}

function buttonWords(date: string, timeSlot: string): string {
  if (timeSlot === "") return "Move to the new time";
  return `Move to ${formatDay(date)}, ${formatSlot(timeSlot)}`;
}
