/** Payments without a booking, and refunds whose booking was deleted. */
import { href, Link } from "react-router";
import { success } from "#app/model/outcome.ts";
import { personName } from "#app/model/wording.ts";
import {
  assignPaymentSchema,
  paymentIdSchema,
  refundUnmatchedSchema,
  seekBookingSchema,
} from "#app/payments/fields.ts";
import { retryRefund } from "#app/payments/stuck-refunds.server.ts";
import { assignUnmatched, refundUnmatched } from "#app/payments/unmatched.server.ts";
import { RefundError } from "#app/routes/admin/parts/facts.tsx";
import { type Shown, screen } from "#app/routes/admin/parts/form-page.server.ts";
import { SubmitButton, useFormPage } from "#app/routes/admin/parts/form-page.tsx";
import { EmptyList } from "#app/routes/admin/parts/list-parts.tsx";
import { ButtonForm, PageHead, Problem } from "#app/routes/admin/parts/page-parts.tsx";
import { refundView } from "#app/routes/admin/parts/views.server.ts";
import { nothingSent } from "#app/routes/admin/parts/words.ts";
import { findAppointment } from "#db/queries/appointments.server.ts";
import { listRefundsForPerson } from "#db/queries/payments.server.ts";
import type { Route } from "./+types/unmatched";
import { UnmatchedPayment } from "./unmatched-payment.tsx";
import { soughtBookings, unmatchedView, warningOf } from "./unmatched-view.server.ts";

const here = (title: string, description?: string) => {
  return { to: href("/admin/unmatched"), title, description };
};

const MOST_REFUNDS = 50;

const unmatched = screen({
  view: ({ deps }: Shown<Route.LoaderArgs, unknown>) => ({
    payments: unmatchedView(deps),
    refunds: listRefundsForPerson(deps.db, MOST_REFUNDS)
      .filter(({ appointmentId: id }) => id === null || findAppointment(deps.db, id) === null)
      .map((refund) => ({
        paymentId: refund.paymentId,
        warning: warningOf(deps, refund),
        ...refundView(refund.currency)(refund),
      })),
  }),
});

const SENDING_BACK = { fields: paymentIdSchema, failed: "Refund Failed" };
const QUEUED = here("Refund Queued", "We have asked Razorpay to send the money back.");

const { loader, action } = unmatched.page({
  seek: unmatched.form({
    fields: seekBookingSchema,
    run: ({ paymentId, q }, { deps }) => success(soughtBookings(deps, paymentId, q)),
    failed: "Nothing Found",
    unanswered: "Search Failed",
    done: (sought) => ({ more: sought }),
  }),
  assign: unmatched.form({
    fields: assignPaymentSchema,
    run: ({ paymentId, appointmentId }, { deps, actor }) =>
      assignUnmatched(deps, actor, paymentId, appointmentId),
    failed: "Assignment Failed",
    beside: (_, { deps, typed: { paymentId = "", q } }) =>
      q ? soughtBookings(deps, paymentId, q) : null,
    done: ({ contact }) =>
      here(
        "Payment Assigned",
        `The payment now pays the appointment of ${personName(contact.name)}.`,
      ),
  }),
  refund: unmatched.form({
    ...SENDING_BACK,
    fields: refundUnmatchedSchema,
    run: ({ paymentId, warned }, { deps, actor }) =>
      refundUnmatched(deps, actor, paymentId, warned !== "no"),
    done: ({ refund }) =>
      refund ? QUEUED : here("Payment Closed", "Nothing of it was left to send back."),
  }),
  retry: unmatched.form({
    ...SENDING_BACK,
    run: ({ paymentId }, { deps, actor }) => retryRefund(deps, actor, paymentId),
    done: (refund) => ({ ...QUEUED, ...nothingSent(refund) }),
  }),
});

export { action, loader };

export default function Unmatched(props: Route.ComponentProps) {
  const page = useFormPage(props);
  const { payments, refunds } = page.view;
  const sought = page.more;
  return (
    <>
      <PageHead title="Unmatched payments">
        Money that came in for a booking that does not exist here, for example one deleted
        meanwhile. Send it back, or say which booking it pays.
      </PageHead>
      <Problem refusal={page.refusal} />
      {payments.length === 0 && (
        <div className="card">
          <EmptyList title="Every payment has its booking">
            There is nothing to do here. What needs you is on the dashboard too.
          </EmptyList>
        </div>
      )}
      <ul className="grid gap-4 lg:grid-cols-2 lg:items-start">
        {payments.map((payment) => (
          <UnmatchedPayment
            key={payment.paymentId}
            payment={payment}
            reply={page.typed.paymentId === payment.paymentId ? page.replyTo() : null}
            sought={sought?.paymentId === payment.paymentId ? sought : null}
          />
        ))}
      </ul>
      {refunds.length > 0 && <LostRefunds refunds={refunds} />}
    </>
  );
}

type Loaded = Route.ComponentProps["loaderData"]["view"];

function LostRefunds({ refunds }: Pick<Loaded, "refunds">) {
  return (
    <section aria-labelledby="refunds" className="mt-8">
      <h2 id="refunds" className="display mb-3 text-xl">
        Refunds without a booking
      </h2>
      <ul className="grid gap-4 lg:grid-cols-2">
        {refunds.map((refund) => (
          <li key={refund.id} className="card p-4">
            <p>
              <strong className="figures">{refund.amount}</strong> {refund.words}
            </p>
            <p className="break-all font-mono text-sm text-muted">{refund.paymentId}</p>
            <RefundError error={refund.error} />
            {refund.warning && <p className="text-stop">{refund.warning}</p>}
            {refund.canRetry && (
              <ButtonForm sends={{ paymentId: refund.id }} className="mt-3">
                <SubmitButton intent="retry" look="quiet">
                  Try the refund again
                </SubmitButton>
              </ButtonForm>
            )}
            {refund.settleTo && (
              <Link to={refund.settleTo} className="link inline-flex min-h-11 items-center">
                Mark as paid back
              </Link>
            )}
          </li>
        ))}
      </ul>
    </section>
  );
}
