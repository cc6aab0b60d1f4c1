/** Delete: permanent, in any status; offers Cancel first where money and a person still wait. */
import { href, Link } from "react-router";
import { versionOnlySchema } from "#app/booking/change-fields.ts";
import { deleteAppointment } from "#app/booking/delete-appointment.server.ts";
import { type Deps, depsContext } from "#app/core/deps.server.ts";
import { DueFirst } from "#app/routes/admin/parts/facts.tsx";
import { actorOf, carryOut, goOn } from "#app/routes/admin/parts/forms.server.ts";
import { boardHref, listSearchOf, withList } from "#app/routes/admin/parts/list-search.ts";
import { useAnswer } from "#app/routes/admin/parts/submission.ts";
import { looseEnds, sessionView } from "#app/routes/admin/parts/views.server.ts";
import { listCreditNotesOf } from "#db/queries/documents.server.ts";
import type { Route } from "./+types/appointment-delete";
import { requireAppointment } from "./appointment-view.server.ts";
import { ConfirmDialog, WhatHappens } from "./confirm-dialog.tsx";

const FAILED = "Delete Failed";

export function loader({ params, url, context }: Route.LoaderArgs) {
  const deps = context.get(depsContext);
  return { ...readView(deps, params.id), listSearch: listSearchOf(url) };
}

function readView(deps: Deps, id: string) {
  const session = sessionView(requireAppointment(deps, id), deps.now());
  const creditNotes = listCreditNotesOf(deps.db, id).map(({ number }) => number);
  return { session, creditNotes, ...looseEnds(deps, [id]) };
}

export async function action({ params, request, url, context }: Route.ActionArgs) {
  const deps = context.get(depsContext);
  const { name } = requireAppointment(deps, params.id).contact;
  const done = await carryOut(await request.formData(), versionOnlySchema, (input) =>
    deleteAppointment(deps, actorOf(context), params.id, input),
  );
  if (!done.ok) {
    return done.refuse(FAILED, readView(deps, params.id));
  }
  return goOn(deps, boardHref(listSearchOf(url)), {
    title: "Appointment Deleted",
    description: `The appointment of ${name} has been permanently deleted.`,
  });
}

export default function DeleteAppointment({ loaderData, actionData }: Route.ComponentProps) {
  const { listSearch } = loaderData;
  const answer = useAnswer(actionData, FAILED);
  const { session, creditNotes, due, owed } = { ...loaderData, ...answer };
  const cancelTo = withList(href("/admin/appointments/:id/cancel", { id: session.id }), listSearch);
  return (
    <ConfirmDialog
      title="Delete Appointment"
      closeTo={boardHref(listSearch)}
      refusal={answer?.refusal}
      session={session}
      press={["Delete Permanently", "Deleting..."]}
    >
      <WhatHappens>
        <li>
          The appointment and the personal data of {session.name} are removed, in messages and the
          log too. This is permanent.
        </li>
        <DueFirst due={due} />
        {session.invoiceNumber ? (
          <li>
            <strong>Kept, as tax law demands for 72 months:</strong> invoice{" "}
            {[session.invoiceNumber, ...creditNotes.map((number) => `credit note ${number}`)].join(
              ", ",
            )}
            , with number, date, amounts, tax, the name as printed and the payment ID.
          </li>
        ) : (
          <li>No invoice was issued, so nothing has to be kept by law.</li>
        )}
        <li>
          <strong>The customer is not told</strong> of it.
        </li>
        <li>No refund is made. A refund under way goes on.</li>
        {owed.map(({ to, words }) => (
          <li key={to}>
            <strong>{words} still waits for you to go back.</strong> “Needs you” goes on saying so,
            but no longer to whom: please{" "}
            <Link to={withList(to, listSearch)} preventScrollReset className="link">
              see to it first
            </Link>
            .
          </li>
        ))}
        {session.upcoming && <li>The time is free for others.</li>}
      </WhatHappens>
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
    </ConfirmDialog>
  );
}
