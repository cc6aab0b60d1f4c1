/** Cancel: says to whom it happens and what happens to the money. */
import { Form, href, Link, useNavigation } from "react-router";
import { versionOnlySchema } from "#app/api-contract/admin-fields.ts";
import { check } from "#app/api-contract/api.server.ts";
import { cancelAppointment } from "#app/booking/cancel-appointment.server.ts";
import { listHref, listSearchOf } from "#app/components/admin/list-search.ts";
import { Problem } from "#app/components/admin/notice.tsx";
import { Overlay } from "#app/components/admin/overlay.tsx";
import { SessionFacts } from "#app/components/admin/session-facts.tsx";
import { depsContext } from "#app/lib/deps.server.ts";
import type { Route } from "./+types/appointment-cancel";
import { requireAppointment, sessionView } from "./appointment-view.server.ts";
import { actorOf, fieldsOf, goOn, refuse } from "./forms.server.ts";

export function loader({ params, url, context }: Route.LoaderArgs) {
  const deps = context.get(depsContext);
  const session = sessionView(requireAppointment(deps, params.id), deps.now());
  return { session, listSearch: listSearchOf(url) };
}

export async function action({ params, request, url, context }: Route.ActionArgs) {
  const deps = context.get(depsContext);
  const actor = actorOf(context);
  const input = check(versionOnlySchema, fieldsOf(await request.formData()));
  const before = requireAppointment(deps, params.id);
  const outcome = input.ok ? cancelAppointment(deps, actor, params.id, input.value) : input;
  if (!outcome.ok) {
    const fresh = sessionView(requireAppointment(deps, params.id), deps.now());
    return refuse(outcome, "Cancellation Failed", { session: fresh });
  }
  const refund = outcome.value.refund
    ? " The refund is on its way to the payment provider."
    : "";
  return goOn(deps, listHref(href("/admin"), listSearchOf(url)), {
    title: "Appointment Cancelled",
    description: `The appointment of ${before.name} has been cancelled.${refund}`,
  });
}

export default function CancelAppointment({ loaderData, actionData }: Route.ComponentProps) {
  const session = actionData?.session ?? loaderData.session;
  const closeTo = listHref(href("/admin"), loaderData.listSearch);
  const pending = useNavigation().formMethod === "POST";
  const over = session.status === "cancelled";
  return (
    <Overlay title="Cancel Appointment" closeTo={closeTo}>
      {actionData && (
        <Problem title={actionData.refusal.title} message={actionData.refusal.message} />
      )}
      <SessionFacts session={session} />
      <div className="mt-4">
        {over ? <p>This appointment is cancelled already.</p> : <Consequences {...session} />}
      </div>
      <Form method="post" preventScrollReset className="mt-6 flex flex-wrap gap-3">
        <input type="hidden" name="version" value={session.version} />
        <Link to={closeTo} preventScrollReset data-first="" className="button button-quiet">
          Keep Appointment
        </Link>
        {!over && (
          <button type="submit" disabled={pending} className="button button-danger">
            {pending ? "Cancelling..." : "Cancel Appointment"}
          </button>
        )}
      </Form>
    </Overlay>
  );
}

function Consequences({ paid, name, total }: { paid: boolean; name: string; total: string }) {
  return (
    <>
      <p className="font-semibold">What happens</p>
      <ul className="mt-1 list-disc pl-5">
        {paid ? (
          <li>
            <strong>A refund is processed:</strong> {total} goes back to {name} in full, the way it
            was paid, with a credit note for the invoice.
          </li>
        ) : (
          <li>Nothing was paid. A payment that still arrives is refunded in full.</li>
        )}
        <li>
          {name} {paid && "and the captain "}
          {paid ? "are" : "is"} told at once.
        </li>
        <li>The time is free for others. This cannot be undone.</li>
      </ul>
    </>
  );
}
