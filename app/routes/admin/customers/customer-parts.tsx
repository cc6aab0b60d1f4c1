/** What the page of a customer is made of. */
import { getFormProps } from "@conform-to/react";
import { Children, type ReactNode } from "react";
import { Form, Link, useNavigation } from "react-router";
import { FieldError, TextField } from "#app/components/field.tsx";
import { StatusBadge } from "#app/routes/admin/parts/status-badge.tsx";
import { type Reply, useAnsweredForm } from "#app/routes/admin/parts/use-answered-form.ts";
import type { CustomerView } from "./customer-view.server.ts";

type BookingViews = Pick<CustomerView, "bookings">;

export function Bookings({ bookings }: BookingViews) {
  return (
    <section aria-label="Sessions" className="card">
      <h2 className="display px-4 pt-4 text-xl">Sessions</h2>
      <table className="board">
        <thead>
          <tr>
            <th scope="col">Booking</th>
            <th scope="col">Session</th>
            <th scope="col">Captain</th>
            <th scope="col">Status</th>
            <th scope="col" className="number">
              Price
            </th>
            <th scope="col">Notes</th>
          </tr>
        </thead>
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
              <td data-label="Captain">
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

export function Lines(props: { title: string; empty: string; children: ReactNode }) {
  const { title, empty, children } = props;
  return (
    <section aria-label={title} className="card min-w-0 p-5">
      <h2 className="display mb-2 text-xl">{title}</h2>
      {Children.count(children) === 0 && <p className="text-muted">{empty}</p>}
      <ul className="grid gap-2 [overflow-wrap:anywhere]">{children}</ul>
    </section>
  );
}

export function MoveForm({ bookings, reply }: BookingViews & { reply: Reply | null | undefined }) {
  const [form, fields] = useAnsweredForm<"email" | "bookings">("move", reply);
  const pending = useNavigation().formMethod === "POST";
  const { bookings: chosen } = fields;
  return (
    <section aria-label="Correct the address" className="card p-5">
      <h2 className="display text-xl">Correct the address</h2>
      <p className="mb-4 text-muted">
        The bookings you choose go over to the customer with the right address. Of a paid one the
        confirmation is sent again.
      </p>
      <Form {...getFormProps(form)} method="post" className="grid gap-4">
        <TextField
          field={fields.email}
          label="Right email"
          type="email"
          maxLength={254}
          autoComplete="off"
        />
        <fieldset aria-describedby={chosen.errors ? chosen.errorId : undefined}>
          <legend className="font-semibold">Bookings</legend>
          {bookings.map(({ id, session, shortId }) => (
            <label key={id} className="flex min-h-11 items-center gap-3">
              <input
                type="checkbox"
                name="bookings"
                value={id}
                defaultChecked={bookings.length === 1}
                className="size-5"
              />
              {session} ({shortId})
            </label>
          ))}
          <FieldError id={chosen.errorId} errors={chosen.errors} />
        </fieldset>
        <button
          type="submit"
          disabled={pending}
          className="button button-primary justify-self-start"
        >
          Correct the address
        </button>
      </Form>
    </section>
  );
}
