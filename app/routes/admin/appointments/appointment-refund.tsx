/** Refund without cancelling: a part or all of what is kept. */
import { href } from "react-router";
import { refundSchema } from "#app/booking/change-fields.ts";
import { keptOf, refundPart } from "#app/booking/refund-part.server.ts";
import { TextField } from "#app/components/field.tsx";
import { isOfflinePayment } from "#app/model/ids.ts";
import { formatAmount } from "#app/model/money.ts";
import { screen } from "#app/routes/admin/parts/form-page.server.ts";
import { FormDialog, useFormPage } from "#app/routes/admin/parts/form-page.tsx";
import { withList } from "#app/routes/admin/parts/list-search.ts";
import { sessionView } from "#app/routes/admin/parts/views.server.ts";
import { BY_HAND } from "#app/routes/admin/parts/words.ts";
import type { Route } from "./+types/appointment-refund";
import { appointmentAsked, disputeWarning } from "./appointment-view.server.ts";

const page = screen({
  find: appointmentAsked,
  view: ({ deps, about }) => {
    const keptPaise = keptOf(deps.db, about);
    return {
      session: sessionView(about, deps.now()),
      kept: keptPaise > 0 ? formatAmount(keptPaise) : null,
      dispute: disputeWarning(deps, about.id),
      offline: about.paymentId !== null && isOfflinePayment(about.paymentId),
    };
  },
}).one({
  fields: refundSchema,
  run: (input, { deps, actor, about: { id }, once }) =>
    once(`refund ${id}`, input, () => refundPart(deps, actor, id, input)),
  failed: "Refund Failed",
  done: (id, { about: { contact, paymentId }, listSearch }) => {
    const way =
      paymentId !== null && isOfflinePayment(paymentId)
        ? "Please pay it back by hand, then mark it as paid back here."
        : "We have asked Razorpay to send it. The customer is told once Razorpay has accepted it.";
    return {
      to: withList(href("/admin/appointments/:id", { id }), listSearch),
      title: "Refund Wanted",
      description: `The refund to ${contact.name} is noted. ${way}`,
    };
  },
});

export const loader = page.loader;
export const action = page.action;

export default function RefundPart(props: Route.ComponentProps) {
  const page = useFormPage(props);
  const { session, kept, dispute, offline } = page.view;
  return (
    <FormDialog
      id="money"
      page={page}
      title="Refund"
      backTo={href("/admin/appointments/:id", { id: session.id })}
      session={session}
      once
      submit={["Refund", "Refunding...", "danger"]}
      over={kept === null && <p>Nothing of this payment is left, so nothing can go back.</p>}
      keepFirst
    >
      {(of) => (
        <>
          <p>
            <strong className="figures">{kept}</strong> is kept. The session stays as it is; to give
            up its time too, cancel it instead.{" "}
            {offline
              ? BY_HAND
              : "The payment provider sends the money the way it was paid, and the customer gets an email with a credit note."}
          </p>
          {dispute && <p className="text-stop">{dispute}</p>}
          <TextField
            {...of("amount")}
            label="Amount in rupees"
            hint={`At most ${kept}; at least ₹1.00 goes back, and what stays is nothing or at least ₹1.00`}
            inputMode="decimal"
            autoComplete="off"
            maxLength={12}
            data-first=""
            required
          />
          <TextField
            {...of("reason")}
            label="Reason"
            hint="The customer reads it, word for word."
            autoComplete="off"
            maxLength={200}
            required
          />
        </>
      )}
    </FormDialog>
  );
}
