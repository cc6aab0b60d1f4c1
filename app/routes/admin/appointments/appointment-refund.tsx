/** Refund without cancelling: a part or all of what is kept. */
import { href } from "react-router";
import { refundSchema } from "#app/booking/change-fields.ts";
import { keptOf, refundPart } from "#app/booking/refund-part.server.ts";
import { TextField } from "#app/components/field.tsx";
import { type Deps, depsContext } from "#app/core/deps.server.ts";
import { isOfflinePayment } from "#app/model/ids.ts";
import { formatAmount } from "#app/model/money.ts";
import { newFormKey, onceForForm } from "#app/routes/admin/parts/form-page.server.ts";
import { actorOf, carryOut, goOn } from "#app/routes/admin/parts/forms.server.ts";
import { listSearchOf, withList } from "#app/routes/admin/parts/list-search.ts";
import { useAnswer } from "#app/routes/admin/parts/submission.ts";
import { sessionView } from "#app/routes/admin/parts/views.server.ts";
import { BY_HAND } from "#app/routes/admin/parts/words.ts";
import type { Route } from "./+types/appointment-refund";
import { disputeWarning, requireAppointment } from "./appointment-view.server.ts";
import { typedOf } from "./booking-form-view.server.ts";
import { MoneyDialog } from "./money-dialog.tsx";

const FAILED = "Refund Failed";

export function loader({ params, url, context }: Route.LoaderArgs) {
  const view = readView(context.get(depsContext), params.id);
  return { ...view, formKey: newFormKey(), listSearch: listSearchOf(url) };
}

function readView(deps: Deps, id: string) {
  const appointment = requireAppointment(deps, id);
  const keptPaise = keptOf(deps.db, appointment);
  return {
    session: sessionView(appointment, deps.now()),
    kept: keptPaise > 0 ? formatAmount(keptPaise) : null,
    dispute: disputeWarning(deps, id),
    offline: appointment.paymentId !== null && isOfflinePayment(appointment.paymentId),
  };
}

export async function action({ params, request, url, context }: Route.ActionArgs) {
  const deps = context.get(depsContext);
  const { id } = params;
  const before = requireAppointment(deps, id);
  const form = await request.formData();
  const done = await carryOut(form, refundSchema, (input) => {
    const work = () => refundPart(deps, actorOf(context), id, input);
    return onceForForm(deps, form, `refund ${id}`, input, work, () => id);
  });
  const view = readView(deps, id);
  if (!done.ok) return done.refuse(FAILED, { ...view, values: typedOf(form) });
  const way = view.offline
    ? "Please pay it back by hand, and mark it as paid back here."
    : "It is on its way to the payment provider; the customer is told once it is accepted.";
  const page = href("/admin/appointments/:id", { id });
  return goOn(deps, withList(page, listSearchOf(url)), {
    title: "Refund Wanted",
    description: `The refund to ${before.contact.name} is noted. ${way}`,
  });
}

export default function RefundPart({ loaderData, actionData }: Route.ComponentProps) {
  const answer = useAnswer(actionData, FAILED);
  const { session, kept, dispute, offline } = { ...loaderData, ...answer };
  return (
    <MoneyDialog
      title="Refund"
      closeTo={withList(href("/admin/appointments/:id", { id: session.id }), loaderData.listSearch)}
      session={session}
      formKey={loaderData.formKey}
      answer={answer}
      press={kept ? ["Refund", "Refunding...", "danger"] : null}
    >
      {(of) =>
        kept === null ? (
          <p>Nothing is kept of this booking, so nothing can go back.</p>
        ) : (
          <>
            <p>
              <strong className="figures">{kept}</strong> is kept. The session stays as it is; to
              give up its time too, cancel it instead.{" "}
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
        )
      }
    </MoneyDialog>
  );
}
