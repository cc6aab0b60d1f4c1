/** Marks a refund as paid back by hand. */
import { href } from "react-router";
import { settleSchema } from "#app/booking/change-fields.ts";
import { found } from "#app/http/found.ts";
import { settleRefund } from "#app/payments/stuck-refunds.server.ts";
import { LineField } from "#app/routes/admin/parts/fields.tsx";
import { type Asked, screen } from "#app/routes/admin/parts/form-page.server.ts";
import { FormDialog, useFormPage } from "#app/routes/admin/parts/form-page.tsx";
import { panelOr, withList } from "#app/routes/admin/parts/list-search.ts";
import { refundView, sessionView } from "#app/routes/admin/parts/views.server.ts";
import { NOT_TOLD, refundWarning } from "#app/routes/admin/parts/words.ts";
import { findAppointment } from "#db/queries/appointments.server.ts";
import { findCreditNoteOfRefund, findInvoiceOfPayment } from "#db/queries/documents.server.ts";
import { findPayment, findRefund } from "#db/queries/payments.server.ts";
import { listDisputesOfPayment } from "#db/queries/refunds.server.ts";
import type { Route } from "./+types/refund-settle";

const { loader, action } = screen({
  find: ({ deps, params }: Asked<Route.LoaderArgs>) => {
    const refund = found(findRefund(deps.db, params.id));
    const { appointmentId } = refund;
    const appointment = appointmentId ? findAppointment(deps.db, appointmentId) : null;
    const { currency } = findPayment(deps.db, refund.paymentId)!;
    // A refund that was accepted and failed keeps the one it has.
    const own = findCreditNoteOfRefund(deps.db, refund.id);
    return {
      refund,
      appointment,
      amount: refundView(currency)(refund).amount,
      note: own
        ? `Its credit note ${own.number} stands`
        : findInvoiceOfPayment(deps.db, refund.paymentId)
          ? "The credit note is issued"
          : "No invoice was issued, so there is no credit note",
      dispute: refundWarning(listDisputesOfPayment(deps.db, refund.paymentId), currency),
      /** The customer of a deleted or erased booking cannot be notified. */
      telling: appointment?.contact.email ? "the customer is notified" : NOT_TOLD,
      /** The page that shows the refund. */
      at: panelOr(appointment, href("/admin/unmatched")),
    };
  },
  view: ({ deps, about: { refund, appointment, ...words } }) => ({
    ...words,
    session: appointment && sessionView(appointment, deps.now()),
    settled: refund.state === "processed" || refund.state === "superseded",
    offline: refund.way === "by_hand",
  }),
}).one({
  fields: settleSchema,
  run: (input, { deps, actor, about }) => settleRefund(deps, actor, about.refund.id, input),
  failed: "Not Marked as Paid Back",
  done: (_, { about: { at, amount, note, telling }, listSearch }) => ({
    to: withList(at, listSearch),
    title: "Marked as Paid Back",
    description: `The refund of ${amount} is settled. ${note}; ${telling} by email.`,
  }),
});

export { action, loader };

export default function SettleRefund(props: Route.ComponentProps) {
  const page = useFormPage(props);
  const { session, amount, settled, offline, note, telling, dispute, at } = page.view;
  return (
    <FormDialog
      id="money"
      page={page}
      title="Mark as Paid Back"
      backTo={at}
      session={session}
      submit={["Mark as paid back", "Marking..."]}
      over={settled && <p>This refund is settled already.</p>}
    >
      <p>
        You have paid <strong className="figures">{amount}</strong> back by hand. This is final.
        {` ${note}, ${telling}, and the refund is never sent automatically. `}
        {!offline &&
          "Razorpay is asked first. If it has paid the refund or still may, nothing is marked."}
      </p>
      {dispute && <p className="text-stop">{dispute}</p>}
      <LineField
        name="reference"
        label="Reference"
        hint="Bank reference or receipt number, if any"
        maxLength={100}
        data-first=""
      />
    </FormDialog>
  );
}
