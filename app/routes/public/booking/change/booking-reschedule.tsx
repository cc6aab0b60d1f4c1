/** Moves a booking to another time. Reading it changes nothing. */
import { parseWithZod } from "@conform-to/zod/v4";
import { data, href, redirectDocument } from "react-router";
import { moveOwnBooking } from "#app/booking/self-service.server.ts";
import { moveOwnSchema } from "#app/booking/self-service-fields.ts";
import { clientContext, depsContext } from "#app/core/deps.server.ts";
import { privateMeta } from "#app/routes/public/parts/page-meta.ts";
import { WriteOrCall } from "#app/routes/public/parts/write-or-call.tsx";
import type { Route } from "./+types/booking-reschedule";
import { ChangePage } from "./change-page.tsx";
import { changeView, newTimesView, requireBooking } from "./change-view.server.ts";
import { MoveForm } from "./move-form.tsx";
import { refuseChangeForm } from "./refuse-change-form.server.ts";

export function loader({ params, url, context }: Route.LoaderArgs) {
  const deps = context.get(depsContext);
  const appointment = requireBooking(deps, params.id);
  const view = changeView(deps, appointment);
  const days = newTimesView(deps, appointment, url.searchParams.get("date"));
  return { view, days };
}

export async function action({ params, request, context }: Route.ActionArgs) {
  const deps = context.get(depsContext);
  const { id } = requireBooking(deps, params.id);
  const submission = parseWithZod(await request.formData(), { schema: moveOwnSchema });
  const moved =
    submission.status === "success"
      ? await moveOwnBooking(
          deps,
          id,
          { ...submission.value, timeSlot: submission.value.newTimeSlot },
          {
            email: submission.value.email,
            clientAddress: context.get(clientContext).address,
          },
        )
      : null;
  // Loads the whole page: paying on it needs a content policy that this page does not have.
  if (moved?.ok) return redirectDocument(`${href("/booking/:id", { id })}?done=moved`, 303);
  const fresh = requireBooking(deps, id);
  const { body, init } = refuseChangeForm(submission, moved, { slot_taken: "newTimeSlot" });
  const days = newTimesView(deps, fresh, String(submission.payload.date ?? ""));
  return data({ ...body, view: changeView(deps, fresh), days }, init);
}

/** Passes on the Retry-After of a refused form. */
export function headers({ actionHeaders }: Route.HeadersArgs) {
  return actionHeaders;
}

export const meta: Route.MetaFunction = () => privateMeta("Move your booking");

export default function Reschedule({ loaderData, actionData }: Route.ComponentProps) {
  // After a refusal the fresh state and times; looking up another day ends that.
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
      ) : (
        <>
          <p className="mb-8 max-w-text">
            {view.paid
              ? `Until ${view.until} you can move it to any free time of the same captain. Your payment and your invoice stay as they are.`
              : `Until ${view.until} you can move it to any free time of the same captain. It is not paid yet. Once you have moved it, you have up to ${view.payMinutes} minutes to start paying.`}
          </p>
          <MoveForm view={view} days={days} reply={actionData?.reply} />
        </>
      )}
    </ChangePage>
  );
}
