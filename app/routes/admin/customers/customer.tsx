/** One customer: all their bookings and what hangs on them. Prints as it stands. */
import { href, Link } from "react-router";
import { may } from "#app/auth/require-admin.server.ts";
import { depsContext } from "#app/core/deps.server.ts";
import { moveBookingsSchema } from "#app/customers/fields.ts";
import { moveBookings } from "#app/customers/move-bookings.server.ts";
import { PageHead } from "#app/routes/admin/parts/admin-page.tsx";
import { ContactLinks } from "#app/routes/admin/parts/contact-links.tsx";
import { actorOf, carryOut, goOn } from "#app/routes/admin/parts/forms.server.ts";
import { useMay } from "#app/routes/admin/parts/may.tsx";
import { Problem } from "#app/routes/admin/parts/notice.tsx";
import { useAnswer } from "#app/routes/admin/parts/press.ts";
import type { Route } from "./+types/customer";
import { Bookings, Lines, MoveForm } from "./customer-parts.tsx";
import { readCustomerView } from "./customer-view.server.ts";

const FAILED = "Address Not Corrected";

export function loader({ params, context }: Route.LoaderArgs) {
  return readCustomerView(context.get(depsContext), params.id, may(context, "refunds"));
}

export async function action({ params, request, context }: Route.ActionArgs) {
  const deps = context.get(depsContext);
  readCustomerView(deps, params.id, false);
  const form = await request.formData();
  const done = await carryOut(
    form,
    moveBookingsSchema,
    (input) => moveBookings(deps, actorOf(context), params.id, input),
    { lists: true },
  );
  if (!done.ok) return done.refuse(FAILED, {});
  const { id, moved } = done.value;
  return goOn(deps, href("/admin/customers/:id", { id }), {
    title: "Address Corrected",
    description: `${moved === 1 ? "One booking has" : `${moved} bookings have`} this address now.`,
  });
}

export default function Customer({ loaderData, actionData }: Route.ComponentProps) {
  const answer = useAnswer(actionData, FAILED);
  const { customer, bookings, payments, documents, messages } = loaderData;
  const mayErase = useMay("erasure");
  const { id, name, email, phone } = customer;
  return (
    <>
      <PageHead title={name}>
        <ContactLinks email={email} phone={phone} />
        <p>
          {customer.sessions} booked, {customer.paid} paid, last session {customer.last}
        </p>
      </PageHead>
      <Problem refusal={answer?.refusal} />
      <div className="grid gap-6">
        <Bookings bookings={bookings} />
        <div className="grid gap-6 lg:grid-cols-2 lg:items-start">
          <Lines title="Payments" empty="No payments yet.">
            {payments.map((payment) => (
              <li key={payment.id}>
                {payment.words}
                <p className="text-sm text-muted">
                  {payment.id}, {payment.when}
                </p>
                {payment.disputes.map((dispute) => (
                  <p key={dispute.id}>
                    {dispute.words}: {dispute.sum}
                  </p>
                ))}
                {payment.refunds.map((refund) => (
                  <p key={refund.id}>{refund.words}</p>
                ))}
              </li>
            ))}
          </Lines>
          <Lines title="Documents" empty="No invoice yet.">
            {documents.map((document) => (
              <li key={document.number}>
                <a href={document.to} target="_blank" rel="noreferrer" className="link">
                  {document.number}
                </a>
                <p className="text-sm text-muted">{document.words}</p>
              </li>
            ))}
          </Lines>
          <Lines title="Messages" empty="No messages yet.">
            {messages.map((message) => (
              <li key={message.id}>
                {message.words}
                <p className="text-sm text-muted">{message.when}</p>
              </li>
            ))}
          </Lines>
          <div className="no-print grid gap-6">
            <MoveForm key={id} bookings={bookings} reply={answer?.reply} />
            {mayErase && <Rights id={id} />}
          </div>
        </div>
      </div>
    </>
  );
}

/** What the owner does when a customer asks. */
function Rights({ id }: { id: string }) {
  return (
    <section aria-label="Privacy requests" className="card p-5">
      <h2 className="display text-xl">Privacy requests</h2>
      <p className="mb-4 text-muted">
        All data goes out as one file (JSON); this page prints. Erasing says first what it does.
      </p>
      <p className="flex flex-wrap gap-3">
        <a href={href("/admin/customers/:id/data", { id })} className="button button-quiet">
          Download all data
        </a>
        <Link
          to={href("/admin/customers/:id/erase", { id })}
          className="button button-quiet text-stop"
        >
          Erase this customer
        </Link>
      </p>
    </section>
  );
}
