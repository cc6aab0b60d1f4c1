/** View Details, with sending a message or a refund again. */
import { href } from "react-router";
import { sendAgainSchema } from "#app/booking/change-fields.ts";
import { depsContext } from "#app/core/deps.server.ts";
import { failure } from "#app/model/outcome.ts";
import { resendMessage } from "#app/notifications/resend.server.ts";
import { retryRefund } from "#app/payments/retry-refund.server.ts";
import { actorOf, carryOut, goOn } from "#app/routes/admin/parts/forms.server.ts";
import { listHref, listSearchOf, withList } from "#app/routes/admin/parts/list-search.ts";
import { Problem } from "#app/routes/admin/parts/notice.tsx";
import { Overlay } from "#app/routes/admin/parts/overlay.tsx";
import { useAnswer } from "#app/routes/admin/parts/press.ts";
import type { Route } from "./+types/appointment";
import { AppointmentDetailsBody, DetailsActions } from "./appointment-details.tsx";
import { readDetails, requireAppointment } from "./appointment-view.server.ts";

export function loader({ params, url, context }: Route.LoaderArgs) {
  const deps = context.get(depsContext);
  const details = readDetails(deps, params.id);
  return { details, listSearch: listSearchOf(url) };
}

export async function action({ params, request, url, context }: Route.ActionArgs) {
  const deps = context.get(depsContext);
  const actor = actorOf(context);
  requireAppointment(deps, params.id);
  const form = await request.formData();
  const done = await carryOut<typeof sendAgainSchema, unknown>(
    form,
    sendAgainSchema,
    ({ resend, sends, refund }) => {
      if (resend !== undefined) return resendMessage(deps, actor, resend, sends);
      if (refund !== undefined) return retryRefund(deps, actor, refund);
      return failure("not_found", "There is nothing to do here.");
    },
  );
  const words = wordOf(form);
  if (!done.ok) return done.refuse(`${words} Not Sent`, {});
  const here = href("/admin/appointments/:id", { id: params.id });
  return goOn(deps, withList(here, listSearchOf(url)), {
    title: `${words} Queued`,
    description: `The ${words.toLowerCase()} is sent again in a moment.`,
  });
}

function wordOf(form: FormData): string {
  return form.has("refund") ? "Refund" : "Message";
}

export default function Appointment({ loaderData, actionData }: Route.ComponentProps) {
  const { details, listSearch } = loaderData;
  const answer = useAnswer(actionData, (form) => `${wordOf(form)} Not Sent`);
  const closeTo = listHref(href("/admin"), listSearch);
  return (
    <Overlay
      title="View Details"
      closeTo={closeTo}
      kind="panel"
      actions={<DetailsActions details={details} listSearch={listSearch} />}
    >
      <Problem refusal={answer?.refusal} />
      <AppointmentDetailsBody details={details} closeTo={closeTo} listSearch={listSearch} />
    </Overlay>
  );
}
