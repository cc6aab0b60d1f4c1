/** Cancel: says to whom it happens and what happens to the money. */
import { href } from "react-router";
import { cancelAppointment, refundOnCancel } from "#app/booking/cancel-appointment.server.ts";
import { versionOnlySchema } from "#app/booking/change-fields.ts";
import { type Deps, depsContext } from "#app/core/deps.server.ts";
import { formatAmount } from "#app/model/money.ts";
import { actorOf, carryOut, goOn } from "#app/routes/admin/parts/forms.server.ts";
import { listHref, listSearchOf } from "#app/routes/admin/parts/list-search.ts";
import { useAnswer } from "#app/routes/admin/parts/press.ts";
import { sessionView } from "#app/routes/admin/parts/row-views.server.ts";
import type { Route } from "./+types/appointment-cancel";
import { requireAppointment } from "./appointment-view.server.ts";
import { ConfirmDialog, WhatHappens } from "./confirm-dialog.tsx";

const FAILED = "Cancellation Failed";

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
  const before = requireAppointment(deps, params.id);
  const done = await carryOut(await request.formData(), versionOnlySchema, (input) =>
    cancelAppointment(deps, actorOf(context), params.id, input),
  );
  if (!done.ok) {
    return done.refuse(FAILED, readView(deps, params.id));
  }
  const refund = done.value.refund ? " The refund is on its way to the payment provider." : "";
  return goOn(deps, listHref(href("/admin"), listSearchOf(url)), {
    title: "Appointment Cancelled",
    description: `The appointment of ${before.contact.name} has been cancelled.${refund}`,
  });
}

export default function CancelAppointment({ loaderData, actionData }: Route.ComponentProps) {
  const answer = useAnswer(actionData, FAILED);
  // After a refusal the fresh row: another admin may have been first.
  const { session, refund } = { ...loaderData, ...answer };
  const { paid, name } = session;
  const over = session.status === "cancelled";
  return (
    <ConfirmDialog
      title="Cancel Appointment"
      closeTo={listHref(href("/admin"), loaderData.listSearch)}
      refusal={answer?.refusal}
      session={session}
      press={over ? null : ["Cancel Appointment", "Cancelling..."]}
    >
      {over && <p className="mt-4">This appointment is cancelled already.</p>}
      {!over && (
        <WhatHappens>
          {refund && (
            <li>
              <strong>A refund is processed:</strong> {refund} goes back to {name}, the way it was
              paid, with a credit note for the invoice.
            </li>
          )}
          {!refund && paid && <li>Nothing is left to refund: the money went back before.</li>}
          {!paid && <li>Nothing was paid. A payment that still arrives is refunded in full.</li>}
          <li>
            {paid
              ? `${name} and the captain are told at once.`
              : `${name} is told by email at once.`}
          </li>
          <li>The time is free for others. This cannot be undone.</li>
        </WhatHappens>
      )}
    </ConfirmDialog>
  );
}
