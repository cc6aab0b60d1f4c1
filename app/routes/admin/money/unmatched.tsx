/** Money that no booking knows, and refunds whose booking is gone. */
import { Form, href, useNavigation } from "react-router";
import { type Deps, depsContext } from "#app/core/deps.server.ts";
import type { Actor } from "#app/model/actor.ts";
import { type Outcome, success } from "#app/model/outcome.ts";
import { lookUp } from "#app/model/unknown-code.ts";
import { assignPaymentSchema, paymentIdSchema, seekBookingSchema } from "#app/payments/fields.ts";
import { retryRefund } from "#app/payments/stuck-refunds.server.ts";
import { assignUnmatched, readPayer, refundUnmatched } from "#app/payments/unmatched.server.ts";
import { RefundError } from "#app/routes/admin/parts/facts.tsx";
import { actorOf, carryOut, goOn } from "#app/routes/admin/parts/forms.server.ts";
import { Problem } from "#app/routes/admin/parts/notice.tsx";
import { PageHead } from "#app/routes/admin/parts/page-parts.tsx";
import { useAnswer } from "#app/routes/admin/parts/submission.ts";
import { refundView } from "#app/routes/admin/parts/views.server.ts";
import { findAppointment } from "#db/queries/appointments.server.ts";
import { listRefundsForPerson } from "#db/queries/payments.server.ts";
import type { Route } from "./+types/unmatched";
import { UnmatchedPayment } from "./unmatched-payment.tsx";
import { soughtBookings, unmatchedView } from "./unmatched-view.server.ts";

const REFUND_FAILED = "Refund Failed";
const ASSIGNMENT_FAILED = "Assignment Failed";

const MOST_REFUNDS = 50;
const NOT_SOUGHT = { sought: null };

export function loader({ context }: Route.LoaderArgs) {
  const { db } = context.get(depsContext);
  return {
    payments: unmatchedView(context.get(depsContext)),
    refunds: listRefundsForPerson(db, MOST_REFUNDS)
      .filter(({ appointmentId: id }) => id === null || findAppointment(db, id) === null)
      .map((refund) => ({ paymentId: refund.paymentId, ...refundView(refund) })),
  };
}

export async function action({ request, context }: Route.ActionArgs) {
  const form = await request.formData();
  const act = pressOf(String(form.get("intent"))) ?? seek;
  return act(context.get(depsContext), actorOf(context), form);
}

const pressOf = lookUp({ assign, seek, read, refund, retry });

async function assign(deps: Deps, actor: Actor, form: FormData) {
  const done = await carryOut(form, assignPaymentSchema, (input) =>
    assignUnmatched(deps, actor, input.paymentId, input.appointmentId),
  );
  if (!done.ok) {
    const [paymentId, q] = [String(form.get("paymentId")), String(form.get("q") ?? "")];
    const sought = q ? soughtBookings(deps, paymentId, q) : null;
    return done.refuse(ASSIGNMENT_FAILED, { sought });
  }
  const description = `The payment now pays the appointment of ${done.value.contact.name}.`;
  return goOn(deps, href("/admin/unmatched"), { title: "Payment Assigned", description });
}

async function seek(deps: Deps, _: Actor, form: FormData) {
  const done = await carryOut(form, seekBookingSchema, ({ paymentId, q }) =>
    success(soughtBookings(deps, paymentId, q)),
  );
  if (done.ok) return { refusal: null, reply: null, sought: done.value };
  return done.refuse("Nothing Found", NOT_SOUGHT);
}

async function read(deps: Deps, actor: Actor, form: FormData) {
  const done = await carryOut(form, paymentIdSchema, (input) =>
    readPayer(deps, actor, input.paymentId),
  );
  if (!done.ok) return done.refuse("Payer Not Read", NOT_SOUGHT);
  return goOn(deps, href("/admin/unmatched"), { title: "Payer Read" });
}

function refund(deps: Deps, actor: Actor, form: FormData) {
  return sendBack(deps, form, (paymentId) => refundUnmatched(deps, actor, paymentId));
}

function retry(deps: Deps, actor: Actor, form: FormData) {
  return sendBack(deps, form, (id) => retryRefund(deps, actor, id));
}

async function sendBack(
  deps: Deps,
  form: FormData,
  act: (id: string) => Outcome<unknown> | Promise<Outcome<unknown>>,
) {
  const done = await carryOut(form, paymentIdSchema, (input) => act(input.paymentId));
  if (!done.ok) return done.refuse(REFUND_FAILED, NOT_SOUGHT);
  return goOn(deps, href("/admin/unmatched"), {
    title: "Refund Queued",
    description: "The refund is on its way to the payment provider.",
  });
}

const failedPress = lookUp<string, string>({
  assign: ASSIGNMENT_FAILED,
  seek: "Search Failed",
  read: "Payer Not Read",
});

export default function Unmatched({ loaderData, actionData }: Route.ComponentProps) {
  const { payments, refunds } = loaderData;
  const pending = useNavigation().formMethod === "POST";
  const answer = useAnswer(
    actionData,
    (form) => failedPress(String(form.get("intent"))) ?? REFUND_FAILED,
  );
  const [reply, sought] = [answer?.reply, answer?.sought];
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
      <ul className="grid gap-4 lg:grid-cols-2 lg:items-start">
        {payments.map((payment) => (
          <UnmatchedPayment
            key={payment.paymentId}
            payment={payment}
            pending={pending}
            reply={reply?.initialValue?.paymentId === payment.paymentId ? reply : null}
            sought={sought?.paymentId === payment.paymentId ? sought : null}
          />
        ))}
      </ul>
      {refunds.length > 0 && <LostRefunds refunds={refunds} pending={pending} />}
    </>
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
