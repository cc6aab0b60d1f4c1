/** Money that no booking knows, and refunds whose booking is gone. */
import { Form, href, useNavigation } from "react-router";
import { type Deps, depsContext } from "#app/core/deps.server.ts";
import { formatInstant } from "#app/model/dates.ts";
import { formatAmount } from "#app/model/money.ts";
import { failure, invalid, type Outcome } from "#app/model/outcome.ts";
import { retryRefund } from "#app/payments/refund-retry.server.ts";
import { assignUnmatched, refundUnmatched } from "#app/payments/unmatched.server.ts";
import { PageHead } from "#app/routes/admin/parts/admin-page.tsx";
import { actorOf, fieldsOf, goOn, refuse } from "#app/routes/admin/parts/forms.server.ts";
import { Problem } from "#app/routes/admin/parts/notice.tsx";
import { refundView } from "#app/routes/admin/parts/row-views.server.ts";
import { AdminField } from "#app/routes/admin/parts/text-field.tsx";
import { readAppointmentPage } from "#db/queries/appointment-list.server.ts";
import { findAppointment } from "#db/queries/appointments.server.ts";
import { listRefundsForPerson, listUnmatchedPayments } from "#db/queries/payments.server.ts";
import type { Route } from "./+types/unmatched";

const MOST_REFUNDS = 50;

export function loader({ context }: Route.LoaderArgs) {
  const { db } = context.get(depsContext);
  return {
    payments: listUnmatchedPayments(db).map((payment) => ({
      paymentId: payment.payment_id,
      orderId: payment.order_id,
      amount: formatAmount(payment.amount_paise - payment.refunded_paise),
      when: formatInstant(payment.captured_at ?? payment.created_at),
      method: payment.method,
    })),
    refunds: listRefundsForPerson(db, MOST_REFUNDS)
      .filter(({ appointment_id: id }) => id === null || findAppointment(db, id) === null)
      .map((refund) => ({ paymentId: refund.payment_id, ...refundView(refund) })),
  };
}

export async function action({ request, context }: Route.ActionArgs) {
  const deps = context.get(depsContext);
  const actor = actorOf(context);
  const { intent, paymentId = "", appointmentId = "" } = fieldsOf(await request.formData());
  const here = href("/admin/unmatched");
  if (intent === "assign") {
    const id = idOf(deps, appointmentId);
    const outcome = id.ok ? assignUnmatched(deps, actor, paymentId, id.value) : id;
    if (!outcome.ok) return refuse(outcome, "Assignment Failed", { paymentId });
    const description = `The payment now pays the appointment of ${outcome.value.name}.`;
    return goOn(deps, here, { title: "Payment Assigned", description });
  }
  const retry = intent === "retry";
  const outcome: Outcome<unknown> = retry
    ? retryRefund(deps, actor, paymentId)
    : refundUnmatched(deps, actor, paymentId);
  if (!outcome.ok) return refuse(outcome, "Refund Failed", { paymentId });
  return goOn(deps, here, {
    title: "Refund Queued",
    description: "The refund is on its way to the payment provider.",
  });
}

/** The whole id, or what the list shows of it, if only one appointment is meant. */
function idOf({ db }: Pick<Deps, "db">, typed: string): Outcome<string> {
  const text = typed.trim().toLowerCase().replace(/^#/, "");
  if (text === "") return invalid({ appointmentId: ["Please enter the appointment's ID"] });
  const { rows } = readAppointmentPage(db, { q: `#${text}` }, { page: 1, pageSize: 2 });
  if (rows.length > 1) {
    return failure("validation_failed", "More than one appointment has this ID. Use 8 characters.");
  }
  const found = rows[0];
  return found
    ? { ok: true, value: found.id }
    : invalid({ appointmentId: ["There is no appointment with this ID"] });
}

export default function Unmatched({ loaderData, actionData }: Route.ComponentProps) {
  const { payments, refunds } = loaderData;
  const pending = useNavigation().formMethod === "POST";
  const refusal = actionData?.refusal;
  return (
    <>
      <PageHead title="Unmatched payments">
        Money that came in for a booking that does not exist here, for example one deleted
        meanwhile. Send it back, or say which booking it pays.
      </PageHead>
      {refusal && <Problem title={refusal.title} message={refusal.message} />}
      {payments.length === 0 && (
        <p className="card p-8 text-center text-lg text-muted">Every payment has its booking</p>
      )}
      <ul className="grid gap-4 lg:grid-cols-2">
        {payments.map((payment) => (
          <li key={payment.paymentId} className="card p-4">
            <p>
              <strong className="display figures text-xl">{payment.amount}</strong>{" "}
              <span className="text-muted">
                {payment.method && `by ${payment.method}, `}
                {payment.when}
              </span>
            </p>
            <p className="break-all font-mono text-sm text-muted">
              {payment.paymentId}
              {payment.orderId && `, ${payment.orderId}`}
            </p>
            <Form method="post" noValidate className="mt-3 flex flex-wrap items-end gap-3">
              <input type="hidden" name="paymentId" value={payment.paymentId} />
              <AdminField
                name="appointmentId"
                label="Appointment ID"
                placeholder="Last 6 or 8 characters"
                autoComplete="off"
                maxLength={40}
                errors={actionData?.paymentId === payment.paymentId ? refusal?.errors : undefined}
                className="min-w-48 flex-1"
              />
              <button
                type="submit"
                name="intent"
                value="assign"
                disabled={pending}
                className="button button-quiet"
              >
                Assign
              </button>
            </Form>
            <details className="mt-3">
              <summary className="link w-fit cursor-pointer py-1">Send it back instead</summary>
              <Form method="post" className="mt-2 flex flex-wrap items-center gap-3">
                <input type="hidden" name="paymentId" value={payment.paymentId} />
                <p className="min-w-48 flex-1 text-sm">
                  {payment.amount} goes back to where it came from. This cannot be undone.
                </p>
                <button
                  type="submit"
                  name="intent"
                  value="refund"
                  disabled={pending}
                  className="button button-danger"
                >
                  Refund {payment.amount}
                </button>
              </Form>
            </details>
          </li>
        ))}
      </ul>
      {refunds.length > 0 && <LostRefunds refunds={refunds} pending={pending} />}
    </>
  );
}

function LostRefunds({
  refunds,
  pending,
}: {
  refunds: Route.ComponentProps["loaderData"]["refunds"];
  pending: boolean;
}) {
  return (
    <section aria-labelledby="refunds" className="mt-8">
      <h2 id="refunds" className="display mb-3 text-xl">
        Failed refunds without a booking
      </h2>
      <ul className="grid gap-4 lg:grid-cols-2">
        {refunds.map((refund) => (
          <li key={refund.id} className="card p-4">
            <p>
              <strong className="figures">{refund.amount}</strong> {refund.words}
            </p>
            <p className="break-all font-mono text-sm text-muted">{refund.paymentId}</p>
            {refund.error && <p className="break-words text-stop">{refund.error}</p>}
            <Form method="post" className="mt-3">
              <input type="hidden" name="paymentId" value={refund.id} />
              <button
                type="submit"
                name="intent"
                value="retry"
                disabled={pending}
                className="button button-quiet"
              >
                Try the refund again
              </button>
            </Form>
          </li>
        ))}
      </ul>
    </section>
  );
}
