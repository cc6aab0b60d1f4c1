/** Cancel: says to whom it happens and what happens to the money. */
import { Form, href, Link, useNavigation } from "react-router";
import { cancelAppointment, refundOnCancel } from "#app/booking/cancel-appointment.server.ts";
import { versionOnlySchema } from "#app/booking/change-fields.ts";
import { type Deps, depsContext } from "#app/core/deps.server.ts";
import { check } from "#app/model/check.ts";
import { formatAmount } from "#app/model/money.ts";
import { actorOf, fieldsOf, goOn, refuse } from "#app/routes/admin/parts/forms.server.ts";
import { listHref, listSearchOf } from "#app/routes/admin/parts/list-search.ts";
import { Problem } from "#app/routes/admin/parts/notice.tsx";
import { Overlay } from "#app/routes/admin/parts/overlay.tsx";
import { SessionFacts } from "#app/routes/admin/parts/session-facts.tsx";
import type { Route } from "./+types/appointment-cancel";
import { requireAppointment, sessionView } from "./appointment-view.server.ts";

export function loader({ params, url, context }: Route.LoaderArgs) {
  const deps = context.get(depsContext);
  return { ...readView(deps, params.id), listSearch: listSearchOf(url) };
}

function readView(deps: Deps, id: string) {
  const appointment = requireAppointment(deps, id);
  const refundPaise = refundOnCancel(deps, appointment);
  return {
    session: sessionView(appointment, deps.now()),
    refund: refundPaise > 0 ? formatAmount(refundPaise) : null,
  };
}

export async function action({ params, request, url, context }: Route.ActionArgs) {
  const deps = context.get(depsContext);
  const actor = actorOf(context);
  const input = check(versionOnlySchema, fieldsOf(await request.formData()));
  const before = requireAppointment(deps, params.id);
  const outcome = input.ok ? cancelAppointment(deps, actor, params.id, input.value) : input;
  if (!outcome.ok) return refuse(outcome, "Cancellation Failed", readView(deps, params.id));
  const refund = outcome.value.refund ? " The refund is on its way to the payment provider." : "";
  return goOn(deps, listHref(href("/admin"), listSearchOf(url)), {
    title: "Appointment Cancelled",
    description: `The appointment of ${before.name} has been cancelled.${refund}`,
  });
}

export default function CancelAppointment({ loaderData, actionData }: Route.ComponentProps) {
  // After a refusal the fresh row: another admin may have been first.
  const { session, refund } = actionData ?? loaderData;
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
        {over ? (
          <p>This appointment is cancelled already.</p>
        ) : (
          <Consequences {...session} refund={refund} />
        )}
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

function Consequences({
  paid,
  name,
  refund,
}: {
  paid: boolean;
  name: string;
  refund: string | null;
}) {
  return (
    <>
      <p className="font-semibold">What happens</p>
      <ul className="mt-1 list-disc pl-5">
        {refund && (
          <li>
            <strong>A refund is processed:</strong> {refund} goes back to {name}, the way it was
            paid, with a credit note for the invoice.
          </li>
        )}
        {!refund && paid && <li>Nothing is left to refund: the money went back before.</li>}
        {!paid && <li>Nothing was paid. A payment that still arrives is refunded in full.</li>}
        <li>
          {paid ? `${name} and the captain are told at once.` : `${name} is told by email at once.`}
        </li>
        <li>The time is free for others. This cannot be undone.</li>
      </ul>
    </>
  );
}
