/** One customer: bookings, payments, documents and messages. Can be printed. */
import { Children, type ReactNode } from "react";
import { href, Link } from "react-router";
import { may } from "#app/auth/require-admin.server.ts";
import { moveBookings } from "#app/customers/customers.server.ts";
import { moveBookingsSchema } from "#app/customers/fields.ts";
import { ContactLinks } from "#app/routes/admin/parts/facts.tsx";
import { ErrorOf, LineField } from "#app/routes/admin/parts/fields.tsx";
import type { Reply } from "#app/routes/admin/parts/form-data.ts";
import { type Asked, screen } from "#app/routes/admin/parts/form-page.server.ts";
import { PageForm, SubmitButton, useFormPage } from "#app/routes/admin/parts/form-page.tsx";
import { BoardHead } from "#app/routes/admin/parts/list-parts.tsx";
import { PageHead, Problem, useMay } from "#app/routes/admin/parts/page-parts.tsx";
import { StatusBadge } from "#app/routes/admin/parts/session-parts.tsx";
import type { Route } from "./+types/customer";
import { type CustomerView, readCustomerView } from "./customer-view.server.ts";

const { loader, action } = screen({
  find: ({ deps, context, params }: Asked<Route.LoaderArgs>) =>
    readCustomerView(deps, params.id, may(context, "refunds")),
  view: ({ about }) => about,
}).one({
  fields: moveBookingsSchema,
  lists: true,
  run: (input, { deps, actor, params }) => moveBookings(deps, actor, params.id, input),
  failed: "Address Not Corrected",
  done: ({ id, moved }) => ({
    to: href("/admin/customers/:id", { id }),
    title: "Address Corrected",
    description: `${moved === 1 ? "One booking has" : `${moved} bookings have`} this address now.`,
  }),
});

export { action, loader };

export default function Customer(props: Route.ComponentProps) {
  const page = useFormPage(props);
  const { customer, bookings, payments, documents, messages } = page.view;
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
      <Problem refusal={page.refusal} />
      <div className="grid gap-6">
        <Bookings bookings={bookings} />
        <div className="grid gap-6 lg:grid-cols-2 lg:items-start">
          <Lines title="Payments" empty="No payments yet: each is here with what went back of it.">
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
          <Lines title="Documents" empty="No invoice yet: one comes with each payment.">
            {documents.map((document) => (
              <li key={document.number}>
                <a href={document.to} target="_blank" rel="noreferrer" className="link">
                  {document.number}
                </a>
                <p className="text-sm text-muted">{document.words}</p>
              </li>
            ))}
          </Lines>
          <Lines title="Messages" empty="No messages yet: confirmations and reminders are here.">
            {messages.map((message) => (
              <li key={message.id}>
                {message.words}
                <p className="text-sm text-muted">{message.when}</p>
              </li>
            ))}
          </Lines>
          <div className="no-print grid gap-6">
            <MoveForm key={id} bookings={bookings} reply={page.replyTo()} />
            {mayErase && <Rights id={id} />}
          </div>
        </div>
      </div>
    </>
  );
}

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

type BookingViews = Pick<CustomerView, "bookings">;

function Bookings({ bookings }: BookingViews) {
  return (
    <section aria-label="Sessions" className="card">
      <h2 className="display px-4 pt-4 text-xl">Sessions</h2>
      <table className="board">
        <BoardHead
          names={["Booking", "Session", "Captain", "Status", "Price", "Notes"]}
          numbers={["Price"]}
        />
        <tbody>
          {bookings.map((booking) => (
            <tr key={booking.id}>
              <th scope="row" data-label="Booking" className="steady">
                <Link to={booking.to} className="link font-mono">
                  {booking.shortId}
                </Link>
              </th>
              <td data-label="Session" className="steady">
                {booking.session}
              </td>
              <td data-label="Captain" className="wrap-anywhere md:min-w-28">
                {booking.captain}, {booking.minutes} minutes
              </td>
              <td data-label="Status">
                <div>
                  <StatusBadge status={booking.status} />
                  {booking.note && <span className="ml-2 text-muted">{booking.note}</span>}
                </div>
              </td>
              <td data-label="Price" className="number">
                {booking.total}
              </td>
              <td data-label="Notes" className="loose">
                <div className="whitespace-pre-wrap">
                  {booking.question && <p>Question: {booking.question}</p>}
                  {booking.staffNote && <p>Staff note: {booking.staffNote}</p>}
                  {!booking.question && !booking.staffNote && "–"}
                </div>
              </td>
            </tr>
          ))}
        </tbody>
      </table>
    </section>
  );
}

function Lines(props: { title: string; empty: string; children: ReactNode }) {
  const { title, empty, children } = props;
  return (
    <section aria-label={title} className="card min-w-0 p-5">
      <h2 className="display mb-2 text-xl">{title}</h2>
      {Children.count(children) === 0 && <p className="text-muted">{empty}</p>}
      <ul className="grid gap-2 [overflow-wrap:anywhere]">{children}</ul>
    </section>
  );
}

function MoveForm({ bookings, reply }: BookingViews & { reply: Reply | null }) {
  return (
    <section aria-label="Correct the address" className="card p-5">
      <h2 className="display text-xl">Correct the address</h2>
      <p className="mb-4 text-muted">
        The bookings you choose go over to the customer with the right address. Of a paid one the
        confirmation is sent again.
      </p>
      <PageForm id="move" reply={reply} className="grid gap-4">
        <LineField name="email" label="Right email" type="email" maxLength={254} />
        <fieldset aria-describedby="move-bookings-error">
          <legend className="font-semibold">Bookings</legend>
          {bookings.map(({ id, session, shortId }) => (
            <label key={id} className="flex min-h-11 items-center gap-3">
              <input
                type="checkbox"
                name="bookings"
                value={id}
                defaultChecked={
                  bookings.length === 1 || [reply?.initialValue?.bookings].flat().includes(id)
                }
                className="size-5 shrink-0"
              />
              {session} ({shortId})
            </label>
          ))}
          <ErrorOf name="bookings" id="move-bookings-error" />
        </fieldset>
        <SubmitButton className="justify-self-start">Correct the address</SubmitButton>
      </PageForm>
    </section>
  );
}
