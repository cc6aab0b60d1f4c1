/** Money that no booking knows, and refunds whose booking is gone. */
import { getFormProps } from "@conform-to/react";
import { Form, href, useNavigation } from "react-router";
import { TextField } from "#app/components/field.tsx";
import { type Deps, depsContext } from "#app/core/deps.server.ts";
import type { Actor } from "#app/model/actor.ts";
import { adminInstant } from "#app/model/dates.ts";
import { formatAmount } from "#app/model/money.ts";
import { failure, invalid, type Outcome, success } from "#app/model/outcome.ts";
import { lookUp } from "#app/model/unknown-code.ts";
import { assignPaymentSchema, paymentIdSchema } from "#app/payments/fields.ts";
import { retryRefund } from "#app/payments/retry-refund.server.ts";
import { assignUnmatched, refundUnmatched } from "#app/payments/unmatched.server.ts";
import { PageHead } from "#app/routes/admin/parts/admin-page.tsx";
import { actorOf, carryOut, goOn } from "#app/routes/admin/parts/forms.server.ts";
import { Problem } from "#app/routes/admin/parts/notice.tsx";
import { press, useAnswer } from "#app/routes/admin/parts/press.ts";
import { RefundError } from "#app/routes/admin/parts/raw-detail.tsx";
import { refundView } from "#app/routes/admin/parts/row-views.server.ts";
import { type Reply, useAnsweredForm } from "#app/routes/admin/parts/use-answered-form.ts";
import { readAppointmentPage } from "#db/queries/appointment-list.server.ts";
import { findAppointment } from "#db/queries/appointments.server.ts";
import { listRefundsForPerson, listUnmatchedPayments } from "#db/queries/payments.server.ts";
import type { Route } from "./+types/unmatched";

const REFUND_FAILED = "Refund Failed";
const ASSIGNMENT_FAILED = "Assignment Failed";

const MOST_REFUNDS = 50;

export function loader({ context }: Route.LoaderArgs) {
  const { db } = context.get(depsContext);
  return {
    payments: listUnmatchedPayments(db).map((payment) => ({
      paymentId: payment.paymentId,
      orderId: payment.orderId,
      amount: formatAmount(payment.amountPaise - payment.refundedPaise),
      when: adminInstant(payment.capturedAt ?? payment.createdAt),
      method: payment.method,
    })),
    refunds: listRefundsForPerson(db, MOST_REFUNDS)
      .filter(({ appointmentId: id }) => id === null || findAppointment(db, id) === null)
      .map((refund) => ({ paymentId: refund.paymentId, ...refundView(refund) })),
  };
}

export async function action({ request, context }: Route.ActionArgs) {
  const form = await request.formData();
  const act = pressOf(String(form.get("intent"))) ?? refund;
  return act(context.get(depsContext), actorOf(context), form);
}

const pressOf = lookUp({ assign, refund, retry });

async function assign(deps: Deps, actor: Actor, form: FormData) {
  const done = await carryOut(form, assignPaymentSchema, (input) => {
    const id = wholeId(deps, input.appointmentId);
    return id.ok ? assignUnmatched(deps, actor, input.paymentId, id.value) : id;
  });
  if (!done.ok) return done.refuse(ASSIGNMENT_FAILED, {});
  const description = `The payment now pays the appointment of ${done.value.contact.name}.`;
  return goOn(deps, href("/admin/unmatched"), { title: "Payment Assigned", description });
}

function refund(deps: Deps, actor: Actor, form: FormData) {
  return sendBack(deps, form, (paymentId) => refundUnmatched(deps, actor, paymentId));
}

function retry(deps: Deps, actor: Actor, form: FormData) {
  return sendBack(deps, form, (id) => retryRefund(deps, actor, id));
}

async function sendBack(deps: Deps, form: FormData, act: (id: string) => Outcome<unknown>) {
  const done = await carryOut(form, paymentIdSchema, (input) => act(input.paymentId));
  if (!done.ok) return done.refuse(REFUND_FAILED, {});
  return goOn(deps, href("/admin/unmatched"), {
    title: "Refund Queued",
    description: "The refund is on its way to the payment provider.",
  });
}

export function clientAction(args: Route.ClientActionArgs) {
  return press(args, (form) =>
    form.get("intent") === "assign" ? ASSIGNMENT_FAILED : REFUND_FAILED,
  );
}

/** The id that is meant, if only one appointment can be. */
function wholeId({ db }: Pick<Deps, "db">, typed: string): Outcome<string> {
  const { rows } = readAppointmentPage(db, { q: `#${typed}` }, { page: 1, pageSize: 2 });
  if (rows.length > 1) {
    return failure("validation_failed", "More than one appointment has this ID. Use 8 characters.");
  }
  const found = rows[0];
  return found
    ? success(found.id)
    : invalid({ appointmentId: ["There is no appointment with this ID"] });
}

export default function Unmatched({ loaderData, actionData }: Route.ComponentProps) {
  const { payments, refunds } = loaderData;
  const pending = useNavigation().formMethod === "POST";
  const answer = useAnswer(actionData);
  const reply = answer?.reply;
  return (
    <>
      <PageHead title="Unmatched payments">
        Money that came in for a booking that does not exist here, for example one deleted
        meanwhile. Send it back, or say which booking it pays.
      </PageHead>
      <Problem refusal={answer?.refusal} />
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
            <AssignForm
              paymentId={payment.paymentId}
              pending={pending}
              reply={reply?.initialValue?.paymentId === payment.paymentId ? reply : null}
            />
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

interface AssignFormProps {
  paymentId: string;
  pending: boolean;
  reply: Reply | null;
}

function AssignForm({ paymentId, pending, reply }: AssignFormProps) {
  const [form, fields] = useAnsweredForm<"appointmentId">(`assign-${paymentId}`, reply);
  return (
    <Form {...getFormProps(form)} method="post" className="mt-3 flex flex-wrap items-end gap-3">
      <input type="hidden" name="paymentId" value={paymentId} />
      <TextField
        field={fields.appointmentId}
        label="Appointment ID"
        placeholder="Last 6 or 8 characters"
        autoComplete="off"
        maxLength={40}
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
  );
}

type Loaded = Route.ComponentProps["loaderData"];

function LostRefunds({ refunds, pending }: Pick<Loaded, "refunds"> & { pending: boolean }) {
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
            <RefundError error={refund.error} />
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
