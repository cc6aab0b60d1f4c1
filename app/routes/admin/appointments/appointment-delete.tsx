/** Deletes an appointment permanently; suggests cancelling first if it is paid and upcoming. */
import { href } from "react-router";
import { refundOnCancel } from "#app/booking/cancel-and-refund.server.ts";
import { versionOnlySchema } from "#app/booking/change-fields.ts";
import { deleteAppointment } from "#app/booking/edit-appointment.server.ts";
import { formatAmount } from "#app/model/money.ts";
import { personName } from "#app/model/wording.ts";
import { DueFirst, KeptByLaw } from "#app/routes/admin/parts/facts.tsx";
import { screen } from "#app/routes/admin/parts/form-page.server.ts";
import { FormDialog, useFormPage } from "#app/routes/admin/parts/form-page.tsx";
import { WhatHappens } from "#app/routes/admin/parts/form-parts.tsx";
import { boardHref } from "#app/routes/admin/parts/list-search.ts";
import { DialogLink } from "#app/routes/admin/parts/overlay.tsx";
import { keptOf, looseEnds, sessionView } from "#app/routes/admin/parts/views.server.ts";
import { listDocumentsOf } from "#db/queries/documents.server.ts";
import { stillAsking } from "#db/queries/help-calls.server.ts";
import { findOpenOrder, listPaymentsOf } from "#db/queries/payments.server.ts";
import type { Route } from "./+types/appointment-delete";
import { appointmentAsked } from "./appointment-view.server.ts";

const { loader, action } = screen({
  find: appointmentAsked,
  view: ({ deps, about }) => {
    const documents = listDocumentsOf(deps.db, about.id);
    const backPaise = refundOnCancel(deps.db, about);
    return {
      session: sessionView(about, deps.now()),
      /** What a cancellation does beside notifying the customer. */
      refundFirst: backPaise > 0 ? `refund ${formatAmount(backPaise)} and ` : "",
      documents: documents.map(
        ({ kind, number }) => `${kind === "invoice" ? "invoice" : "credit note"} ${number}`,
      ),
      kept: keptOf(documents),
      mayStillBePaid:
        findOpenOrder(deps.db, about.id) !== null ||
        listPaymentsOf(deps.db, about.id).some(({ outcome }) => outcome === "authorized"),
      isAsking: stillAsking(deps.db, [about]).length > 0,
      ...looseEnds(deps, [about.id]),
    };
  },
}).one({
  fields: versionOnlySchema,
  run: (input, { deps, actor, about }) => deleteAppointment(deps, actor, about.id, input),
  failed: "Delete Failed",
  done: (_, { about, listSearch }) => ({
    to: boardHref(listSearch),
    title: "Appointment Deleted",
    description: `The appointment of ${personName(about.contact.name)} has been permanently deleted.`,
  }),
});

export { action, loader };

export default function DeleteAppointment(props: Route.ComponentProps) {
  const page = useFormPage(props);
  const { session } = page.view;
  return (
    <FormDialog
      id="delete"
      page={page}
      title="Delete Appointment"
      session={session}
      lead={<Consequences {...page.view} />}
      sends={{ version: session.version }}
      className="mt-6 flex flex-wrap gap-3"
      submit={["Delete Permanently", "Deleting...", "danger"]}
      keep="Keep Appointment"
    />
  );
}

type ConsequencesProps = Route.ComponentProps["loaderData"]["view"];

function Consequences({ session, refundFirst, isAsking, ...view }: ConsequencesProps) {
  const { documents, kept, due, owed } = view;
  const cancelTo = href("/admin/appointments/:id/cancel", { id: session.id });
  return (
    <>
      <WhatHappens>
        <li>
          The appointment and the personal data of {session.name} are removed, in messages and the
          log too. This is permanent.
        </li>
        <DueFirst due={due} />
        <KeptByLaw kept={kept} documents={documents} />
        <li>
          <strong>Neither the customer nor the captain is notified</strong> of it.
        </li>
        <li>
          No refund is made. A refund under way goes on.
          {view.mayStillBePaid && " A payment that still arrives waits under Unmatched payments."}
        </li>
        {owed.map(({ to, words }) => (
          <li key={to}>
            <strong>{words} still waits for you to pay it back.</strong> “Needs you” will still show
            the refund, but not the customer. Please{" "}
            <DialogLink to={to} className="link">
              settle it first
            </DialogLink>
            .
          </li>
        ))}
        {isAsking && (
          <li>
            <strong>The customer called for help and waits for an answer.</strong> “Needs you” will
            no longer show it. Please{" "}
            <DialogLink to={href("/admin/appointments/:id", { id: session.id })} className="link">
              see to it first
            </DialogLink>
            .
          </li>
        )}
        {session.upcoming && <li>The time is free for others.</li>}
      </WhatHappens>
      {session.paid && session.upcoming && (
        <div className="mt-4 rounded-sm border-2 border-waiting bg-waiting-soft p-4 text-waiting-ink">
          <p>
            <strong>This session is paid and still to come.</strong> Deleting gives no money back
            and notifies nobody. Cancel first to{" "}
            {`${refundFirst}notify ${session.name} and the captain.`}
          </p>
          <p className="mt-3">
            <DialogLink to={cancelTo} className="button button-primary">
              Cancel first
            </DialogLink>
          </p>
        </div>
      )}
    </>
  );
}
