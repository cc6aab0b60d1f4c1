/** Mark as paid: money that staff took themselves confirms an unpaid booking. */
import { href } from "react-router";
import { offlinePaymentSchema } from "#app/booking/change-fields.ts";
import { markPaidOutside } from "#app/booking/confirm-appointment.server.ts";
import { type Deps, depsContext } from "#app/core/deps.server.ts";
import { dateInIndia } from "#app/model/dates.ts";
import { newFormKey, onceForForm } from "#app/routes/admin/parts/form-page.server.ts";
import { actorOf, carryOut, goOn } from "#app/routes/admin/parts/forms.server.ts";
import { listSearchOf, withList } from "#app/routes/admin/parts/list-search.ts";
import { useAnswer } from "#app/routes/admin/parts/submission.ts";
import { sessionView } from "#app/routes/admin/parts/views.server.ts";
import type { Route } from "./+types/appointment-payment";
import { requireAppointment } from "./appointment-view.server.ts";
import { typedOf } from "./booking-form-view.server.ts";
import { MoneyDialog } from "./money-dialog.tsx";
import { OfflineFields } from "./new-booking-fields.tsx";

const FAILED = "Not Marked as Paid";

export function loader({ params, url, context }: Route.LoaderArgs) {
  const view = readView(context.get(depsContext), params.id);
  return { ...view, formKey: newFormKey(), listSearch: listSearchOf(url) };
}

function readView(deps: Deps, id: string) {
  const now = deps.now();
  return { session: sessionView(requireAppointment(deps, id), now), today: dateInIndia(now) };
}

export async function action({ params, request, url, context }: Route.ActionArgs) {
  const deps = context.get(depsContext);
  const { id } = params;
  const { contact } = requireAppointment(deps, id);
  const form = await request.formData();
  const done = await carryOut(form, offlinePaymentSchema, (input) => {
    const work = () => markPaidOutside(deps, actorOf(context), id, input);
    return onceForForm(deps, form, `payment ${id}`, input, work, (paid) => paid.id);
  });
  if (!done.ok) return done.refuse(FAILED, { ...readView(deps, id), values: typedOf(form) });
  const page = href("/admin/appointments/:id", { id });
  return goOn(deps, withList(page, listSearchOf(url)), {
    title: "Marked as Paid",
    description: `The booking of ${contact.name} is confirmed. The confirmation with the invoice goes out, and the captain is told.`,
  });
}

export default function MarkAsPaid({ loaderData, actionData }: Route.ComponentProps) {
  const answer = useAnswer(actionData, FAILED);
  const { session, today } = { ...loaderData, ...answer };
  const { id, status, paid, name, total } = session;
  const over = status !== "pending_payment";
  return (
    <MoneyDialog
      title="Mark as Paid"
      closeTo={withList(href("/admin/appointments/:id", { id }), loaderData.listSearch)}
      session={session}
      formKey={loaderData.formKey}
      answer={answer}
      press={over ? null : ["Mark as paid", "Marking...", "primary"]}
    >
      {(of) =>
        over ? (
          <p>This booking is {paid ? "paid" : "cancelled"} already.</p>
        ) : (
          <>
            <p>
              You have received <strong className="figures">{total}</strong> from {name} yourself.
              The booking is confirmed and the invoice is issued. Should a payment by the link still
              arrive, it goes back by itself.
            </p>
            <OfflineFields of={of} today={today} />
          </>
        )
      }
    </MoneyDialog>
  );
}
