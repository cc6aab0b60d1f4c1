/** Mark as paid back: a person has paid a refund by hand. */
import { data, href } from "react-router";
import { settleSchema } from "#app/booking/change-fields.ts";
import { TextField } from "#app/components/field.tsx";
import { type Deps, depsContext } from "#app/core/deps.server.ts";
import { formatAmount } from "#app/model/money.ts";
import { isStuck } from "#app/model/refund.ts";
import { settleRefund } from "#app/payments/stuck-refunds.server.ts";
import { actorOf, carryOut, goOn } from "#app/routes/admin/parts/forms.server.ts";
import { listSearchOf, withList } from "#app/routes/admin/parts/list-search.ts";
import { useAnswer } from "#app/routes/admin/parts/submission.ts";
import { sessionView } from "#app/routes/admin/parts/views.server.ts";
import { findAppointment } from "#db/queries/appointments.server.ts";
import { findRefund } from "#db/queries/payments.server.ts";
import type { Route } from "./+types/refund-settle";
import { typedOf } from "./booking-form-view.server.ts";
import { MoneyDialog } from "./money-dialog.tsx";

const FAILED = "Not Marked as Paid Back";

export function loader({ params, url, context }: Route.LoaderArgs) {
  return { ...readView(context.get(depsContext), params.id), listSearch: listSearchOf(url) };
}

/** Throws the page's 404. */
function readView(deps: Deps, id: string) {
  const refund = findRefund(deps.db, id);
  if (!refund) throw data(null, { status: 404 });
  const appointment = refund.appointmentId ? findAppointment(deps.db, refund.appointmentId) : null;
  return {
    session: appointment && sessionView(appointment, deps.now()),
    amount: formatAmount(refund.amountPaise),
    settled: !isStuck(refund),
    offline: refund.way === "by_hand",
    /** Of a booking that is gone or was erased nobody is known. */
    telling: appointment?.contact.email ? "the customer is told" : "the customer cannot be told",
    /** Where the refund is shown. */
    page: appointment
      ? href("/admin/appointments/:id", { id: appointment.id })
      : href("/admin/unmatched"),
  };
}

export async function action({ params, request, url, context }: Route.ActionArgs) {
  const deps = context.get(depsContext);
  const { page, amount, telling } = readView(deps, params.id);
  const form = await request.formData();
  const done = await carryOut(form, settleSchema, (input) =>
    settleRefund(deps, actorOf(context), params.id, input),
  );
  if (!done.ok) return done.refuse(FAILED, { ...readView(deps, params.id), values: typedOf(form) });
  return goOn(deps, withList(page, listSearchOf(url)), {
    title: "Marked as Paid Back",
    description: `The refund of ${amount} is settled. The credit note is issued; ${telling} by email.`,
  });
}

export default function SettleRefund({ loaderData, actionData }: Route.ComponentProps) {
  const answer = useAnswer(actionData, FAILED);
  const { session, amount, settled, offline, telling, page } = { ...loaderData, ...answer };
  return (
    <MoneyDialog
      title="Mark as Paid Back"
      closeTo={withList(page, loaderData.listSearch)}
      session={session}
      answer={answer}
      press={settled ? null : ["Mark as paid back", "Marking...", "primary"]}
    >
      {(of) =>
        settled ? (
          <p>This refund is settled already.</p>
        ) : (
          <>
            <p>
              You have paid <strong className="figures">{amount}</strong> back by hand. This is
              final: the credit note is issued, {telling}, and the refund is never sent by itself.{" "}
              {!offline &&
                "The payment provider is asked first; if it has paid the refund or still may, nothing is marked."}
            </p>
            <TextField
              {...of("reference")}
              label="Reference"
              hint="Bank reference or receipt number, if any"
              autoComplete="off"
              maxLength={100}
              data-first=""
            />
          </>
        )
      }
    </MoneyDialog>
  );
}
