/** Cancel: who cancels and why, what happens to the money, and what the customer is told. */
import { href } from "react-router";
import { may } from "#app/auth/require-admin.server.ts";
import {
  cancelAppointment,
  mayKeepPart,
  refundOnCancel,
} from "#app/booking/cancel-appointment.server.ts";
import { cancelFormSchema } from "#app/booking/staff-fields.ts";
import { type Deps, depsContext } from "#app/core/deps.server.ts";
import { formatAmount } from "#app/model/money.ts";
import { isOfflinePayment } from "#app/model/offline-payment.ts";
import { newFormKey, onceForForm } from "#app/routes/admin/parts/form-key.server.ts";
import { actorOf, carryOut, goOn } from "#app/routes/admin/parts/forms.server.ts";
import { listHref, listSearchOf } from "#app/routes/admin/parts/list-search.ts";
import { useAnswer } from "#app/routes/admin/parts/press.ts";
import { sessionView } from "#app/routes/admin/parts/row-views.server.ts";
import { listRefundsOf } from "#db/queries/payments.server.ts";
import type { Route } from "./+types/appointment-cancel";
import { requireAppointment } from "./appointment-view.server.ts";
import { CancelFields } from "./cancel-fields.tsx";
import { MoneyDialog } from "./money-dialog.tsx";
import { disputeWarning } from "./money-view.server.ts";
import { typedOf } from "./new-booking-view.server.ts";

const FAILED = "Cancellation Failed";

export function loader({ params, url, context }: Route.LoaderArgs) {
  const view = readView(context.get(depsContext), params.id, may(context, "refunds"));
  return { ...view, formKey: newFormKey(), listSearch: listSearchOf(url) };
}

/** `mayChoose`: who may not give back a part or nothing gives back all, and is not asked. */
function readView(deps: Deps, id: string, mayChoose: boolean) {
  const appointment = requireAppointment(deps, id);
  const { paymentId } = appointment;
  const keptPaise = refundOnCancel(deps, appointment);
  return {
    session: sessionView(appointment, deps.now()),
    money: {
      keptPaise,
      kept: formatAmount(keptPaise),
      mayKeepPart: mayChoose && keptPaise > 0 && mayKeepPart(appointment, deps.env, deps.now()),
      cutoffHours: deps.env.selfServiceCutoffHours,
      offline: paymentId !== null && isOfflinePayment(paymentId),
      dispute: keptPaise > 0 ? disputeWarning(deps, id) : null,
    },
  };
}

export async function action({ params, request, url, context }: Route.ActionArgs) {
  const deps = context.get(depsContext);
  const { id } = params;
  const before = requireAppointment(deps, id);
  const mayChoose = may(context, "refunds");
  const form = await request.formData();
  const done = await carryOut(form, cancelFormSchema, (input) => {
    const work = () => cancelAppointment(deps, actorOf(context), id, input);
    return onceForForm(deps, form, `cancel ${id}`, input, work, () => id);
  });
  if (!done.ok)
    return done.refuse(FAILED, { ...readView(deps, id, mayChoose), values: typedOf(form) });
  const refund = listRefundsOf(deps.db, id).find(({ reason }) => reason === "cancelled");
  const way =
    refund?.way === "by_hand"
      ? mayChoose
        ? " Please pay the refund back by hand, and mark it as paid back."
        : " The refund waits for an owner, who pays it back by hand."
      : refund
        ? " The refund is on its way to the payment provider."
        : "";
  return goOn(deps, listHref(href("/admin"), listSearchOf(url)), {
    title: "Appointment Cancelled",
    description: `The appointment of ${before.contact.name} has been cancelled.${way}`,
  });
}

export default function CancelAppointment({ loaderData, actionData }: Route.ComponentProps) {
  const answer = useAnswer(actionData, FAILED);
  // After a refusal the fresh row: another admin may have been first.
  const { session, money } = { ...loaderData, ...answer };
  const over = session.status === "cancelled";
  return (
    <MoneyDialog
      title="Cancel Appointment"
      closeTo={listHref(href("/admin"), loaderData.listSearch)}
      session={session}
      formKey={loaderData.formKey}
      answer={answer}
      press={over ? null : ["Cancel Appointment", "Cancelling...", "danger"]}
      keep="Keep Appointment"
    >
      {(of) =>
        over ? (
          <p>This appointment is cancelled already.</p>
        ) : (
          <CancelFields of={of} session={session} money={money} />
        )
      }
    </MoneyDialog>
  );
}
