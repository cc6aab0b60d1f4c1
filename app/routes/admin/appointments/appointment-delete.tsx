/** Delete: permanent, in any status; offers Cancel first where money and a person still wait. */
import { Form, href, Link, useNavigation } from "react-router";
import { versionOnlySchema } from "#app/booking/change-fields.ts";
import { deleteAppointment } from "#app/booking/delete-appointment.server.ts";
import { depsContext } from "#app/core/deps.server.ts";
import { check } from "#app/model/check.ts";
import { actorOf, fieldsOf, goOn, refuse } from "#app/routes/admin/parts/forms.server.ts";
import { listHref, listSearchOf, withList } from "#app/routes/admin/parts/list-search.ts";
import { Problem } from "#app/routes/admin/parts/notice.tsx";
import { Overlay } from "#app/routes/admin/parts/overlay.tsx";
import { SessionFacts, type SessionView } from "#app/routes/admin/parts/session-facts.tsx";
import type { Route } from "./+types/appointment-delete";
import { requireAppointment, sessionView } from "./appointment-view.server.ts";

export function loader({ params, url, context }: Route.LoaderArgs) {
  const deps = context.get(depsContext);
  const session = sessionView(requireAppointment(deps, params.id), deps.now());
  return { session, listSearch: listSearchOf(url) };
}

export async function action({ params, request, url, context }: Route.ActionArgs) {
  const deps = context.get(depsContext);
  const actor = actorOf(context);
  const { name } = requireAppointment(deps, params.id);
  const input = check(versionOnlySchema, fieldsOf(await request.formData()));
  const outcome = input.ok ? deleteAppointment(deps, actor, params.id, input.value) : input;
  if (!outcome.ok) {
    const fresh = sessionView(requireAppointment(deps, params.id), deps.now());
    return refuse(outcome, "Delete Failed", { session: fresh });
  }
  return goOn(deps, listHref(href("/admin"), listSearchOf(url)), {
    title: "Appointment Deleted",
    description: `The appointment of ${name} has been permanently deleted.`,
  });
}

export default function DeleteAppointment({ loaderData, actionData }: Route.ComponentProps) {
  const { listSearch } = loaderData;
  const session = actionData?.session ?? loaderData.session;
  const closeTo = listHref(href("/admin"), listSearch);
  const pending = useNavigation().formMethod === "POST";
  const cancelTo = withList(href("/admin/appointments/:id/cancel", { id: session.id }), listSearch);
  return (
    <Overlay title="Delete Appointment" closeTo={closeTo}>
      {actionData && (
        <Problem title={actionData.refusal.title} message={actionData.refusal.message} />
      )}
      <SessionFacts session={session} />
      <Consequences session={session} />
      {session.paid && session.upcoming && (
        <div className="mt-4 rounded-sm border-2 border-waiting bg-waiting-soft p-4 text-waiting-ink">
          <p>
            <strong>This session is paid and still to come.</strong> Deleting gives no money back
            and tells nobody. Cancel first to refund {session.total} and to tell {session.name}.
          </p>
          <p className="mt-3">
            <Link to={cancelTo} preventScrollReset className="button button-primary">
              Cancel first
            </Link>
          </p>
        </div>
      )}
      <Form method="post" preventScrollReset className="mt-6 flex flex-wrap gap-3">
        <input type="hidden" name="version" value={session.version} />
        <Link to={closeTo} preventScrollReset data-first="" className="button button-quiet">
          Keep Appointment
        </Link>
        <button type="submit" disabled={pending} className="button button-danger">
          {pending ? "Deleting..." : "Delete Permanently"}
        </button>
      </Form>
    </Overlay>
  );
}

function Consequences({ session }: { session: SessionView }) {
  return (
    <div className="mt-4">
      <p className="font-semibold">What happens</p>
      <ul className="mt-1 list-disc pl-5">
        <li>
          The appointment and the personal data of {session.name} are removed, in messages and the
          log too. This is permanent.
        </li>
        {session.invoiceNumber ? (
          <li>
            <strong>Kept, as tax law demands for 72 months:</strong> invoice {session.invoiceNumber}{" "}
            and its credit note, with number, date, amounts, tax, the name as printed and the
            payment ID.
          </li>
        ) : (
          <li>No invoice was issued, so nothing has to be kept by law.</li>
        )}
        <li>
          <strong>The customer is not told.</strong>
        </li>
        <li>No refund is made. A refund under way goes on.</li>
        {session.upcoming && <li>The time is free for others.</li>}
      </ul>
    </div>
  );
}
