/** Cancels a booking, with the full refund if it was paid. Reading it changes nothing. */
import { parseWithZod } from "@conform-to/zod/v4";
import { data, href, redirectDocument } from "react-router";
import { cancelOwnBooking } from "#app/booking/self-service.server.ts";
import { cancelOwnSchema } from "#app/booking/self-service-fields.ts";
import { clientContext, depsContext } from "#app/core/deps.server.ts";
import { privateMeta } from "#app/routes/public/parts/page-meta.ts";
import type { Route } from "./+types/booking-cancel";
import { CancelForm } from "./cancel-form.tsx";
import { ChangePage } from "./change-page.tsx";
import { changeView, refundView, requireBooking } from "./change-view.server.ts";
import { refuseChangeForm } from "./refuse-change-form.server.ts";

export function loader({ params, context }: Route.LoaderArgs) {
  const deps = context.get(depsContext);
  const appointment = requireBooking(deps, params.id);
  return { view: changeView(deps, appointment), refund: refundView(deps, appointment) };
}

export async function action({ params, request, context }: Route.ActionArgs) {
  const deps = context.get(depsContext);
  const { id } = requireBooking(deps, params.id);
  const submission = parseWithZod(await request.formData(), { schema: cancelOwnSchema });
  const cancelled =
    submission.status === "success"
      ? await cancelOwnBooking(deps, id, submission.value, {
          email: submission.value.email,
          clientAddress: context.get(clientContext).address,
        })
      : null;
  if (cancelled?.ok) return redirectDocument(`${href("/booking/:id", { id })}?done=cancelled`, 303);
  const fresh = requireBooking(deps, id);
  const { body, init } = refuseChangeForm(submission, cancelled);
  return data({ ...body, view: changeView(deps, fresh), refund: refundView(deps, fresh) }, init);
}

/** Passes on the Retry-After of a refused form. */
export function headers({ actionHeaders }: Route.HeadersArgs) {
  return actionHeaders;
}

export const meta: Route.MetaFunction = () => privateMeta("Cancel your booking");

export default function Cancel({ loaderData, actionData }: Route.ComponentProps) {
  const { view, refund } = actionData ?? loaderData;
  return (
    <ChangePage
      title={`Cancel your ${view.paid ? "session" : "booking"}${view.closed ? "" : "?"}`}
      view={view}
      refusal={actionData}
      targets={{ email: "cancel-email" }}
    >
      <CancelForm view={view} refund={refund} reply={actionData?.reply} />
    </ChangePage>
  );
}
