/** View Details, with sending a message or a refund again. */
import { href } from "react-router";
import { depsContext } from "#app/core/deps.server.ts";
import { failure, type Outcome } from "#app/model/outcome.ts";
import { resendMessage } from "#app/notifications/resend.server.ts";
import { retryRefund } from "#app/payments/refund-retry.server.ts";
import { actorOf, goOn, refuse } from "#app/routes/admin/parts/forms.server.ts";
import { listHref, listSearchOf, withList } from "#app/routes/admin/parts/list-search.ts";
import { Problem } from "#app/routes/admin/parts/notice.tsx";
import { Overlay } from "#app/routes/admin/parts/overlay.tsx";
import type { Route } from "./+types/appointment";
import { AppointmentDetailsBody } from "./appointment-details.tsx";
import { readDetails, requireAppointment } from "./appointment-view.server.ts";

export function loader({ params, url, context }: Route.LoaderArgs) {
  const deps = context.get(depsContext);
  const details = readDetails(deps, params.id);
  return { details, listSearch: listSearchOf(url) };
}

export async function action({ params, request, url, context }: Route.ActionArgs) {
  const deps = context.get(depsContext);
  const actor = actorOf(context);
  const form = await request.formData();
  const message = form.get("resend");
  const refund = form.get("refund");
  requireAppointment(deps, params.id);
  let outcome: Outcome<unknown> = failure("not_found", "There is nothing to do here.");
  if (typeof message === "string") outcome = resendMessage(deps, actor, message);
  else if (typeof refund === "string") outcome = retryRefund(deps, actor, refund);
  const words = typeof refund === "string" ? "Refund" : "Message";
  if (!outcome.ok) return refuse(outcome, `${words} Not Sent`, {});
  const here = href("/admin/appointments/:id", { id: params.id });
  return goOn(deps, withList(here, listSearchOf(url)), {
    title: `${words} Queued`,
    description: `The ${words.toLowerCase()} is sent again in a moment.`,
  });
}

export default function Appointment({ loaderData, actionData }: Route.ComponentProps) {
  const { details, listSearch } = loaderData;
  const closeTo = listHref(href("/admin"), listSearch);
  return (
    <Overlay title="View Details" closeTo={closeTo} kind="panel">
      {actionData && (
        <Problem title={actionData.refusal.title} message={actionData.refusal.message} />
      )}
      <AppointmentDetailsBody details={details} closeTo={closeTo} listSearch={listSearch} />
    </Overlay>
  );
}
