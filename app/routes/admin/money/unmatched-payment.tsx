/** One unmatched payment: who paid, the bookings it may be for, and its actions. */
import { href, Link } from "react-router";
import { personName } from "#app/model/wording.ts";
import { ContactLinks } from "#app/routes/admin/parts/facts.tsx";
import { LineField } from "#app/routes/admin/parts/fields.tsx";
import type { Reply } from "#app/routes/admin/parts/form-data.ts";
import { PageForm, SubmitButton } from "#app/routes/admin/parts/form-page.tsx";
import { ButtonForm } from "#app/routes/admin/parts/page-parts.tsx";
import type { BookingChoice, soughtBookings, UnmatchedView } from "./unmatched-view.server.ts";

type Sought = ReturnType<typeof soughtBookings>;

interface UnmatchedPaymentProps {
  payment: UnmatchedView;
  reply: Reply | null;
  sought: Sought | null;
}

export function UnmatchedPayment({ payment, reply, sought }: UnmatchedPaymentProps) {
  const { paymentId, likely } = payment;
  return (
    <li className="card min-w-0 p-4">
      <p>
        <strong className="display figures text-xl">{payment.amount}</strong>{" "}
        <span className="text-muted">
          {payment.method && `by ${payment.method}, `}
          {payment.when}
        </span>
      </p>
      {payment.disputes.map((dispute) => (
        <p key={dispute.id}>
          <strong className="text-stop">{dispute.words}</strong>: {dispute.sum}
        </p>
      ))}
      {payment.email || payment.phone ? (
        <ContactLinks {...payment} />
      ) : (
        <p className="text-muted">Who paid is not known or no longer kept.</p>
      )}
      <p className="break-all font-mono text-sm text-muted">
        {paymentId}
        {payment.orderId && `, ${payment.orderId}`}
      </p>
      <h2 className="mt-3 font-semibold">
        {likely.length > 0 ? "It may be for" : "No unpaid booking looks like it"}
      </h2>
      <Choices payment={payment} bookings={likely} />
      <PageForm
        id={`seek-${paymentId}`}
        reply={reply}
        sends={{ paymentId }}
        preventScrollReset
        className="mt-3 flex flex-wrap items-end gap-3"
      >
        <LineField
          name="q"
          shown={sought?.q}
          label="Another booking"
          placeholder="Name, phone, email or ID"
          type="search"
          maxLength={100}
          className="min-w-48 flex-1"
        />
        <SubmitButton intent="seek" look="quiet">
          Search
        </SubmitButton>
      </PageForm>
      {sought && (
        <p role="status" className="mt-2 font-semibold">
          {sought.bookings.length === 0 && "No booking found"}
          {sought.hasMore && "These are the newest of them. Please search for more."}
        </p>
      )}
      {sought && <Choices payment={payment} bookings={sought.bookings} q={sought.q} />}
      <details className="mt-3">
        <summary className="link w-fit cursor-pointer py-1">Send it back instead</summary>
        <ButtonForm
          sends={{ paymentId, warned: payment.warning || !payment.isLeft ? "yes" : "no" }}
          preventScrollReset
          className="mt-2 flex flex-wrap items-center gap-3"
        >
          <p className="min-w-48 flex-1 text-sm">
            {payment.isLeft
              ? `${payment.amount} goes back to where it came from. This cannot be undone.`
              : "Nothing of it is left: it went back before."}
          </p>
          {payment.isLeft && payment.warning && (
            <p className="text-sm text-stop">{payment.warning}</p>
          )}
          <SubmitButton intent="refund" look="danger">
            {payment.isLeft ? `Refund ${payment.amount}` : "Close"}
          </SubmitButton>
        </ButtonForm>
      </details>
    </li>
  );
}

interface ChoicesProps {
  payment: UnmatchedView;
  bookings: readonly BookingChoice[];
  /** The query that found them; a refused assignment repeats the search. */
  q?: string;
}

function Choices({ payment: { paymentId }, bookings, q }: ChoicesProps) {
  return (
    <ul className="mt-1 grid gap-2">
      {bookings.map((booking) => (
        <li
          key={booking.id}
          className="flex flex-wrap items-center gap-x-3 gap-y-1 rounded-sm bg-sunken px-3 py-2"
        >
          <div className="min-w-48 flex-1">
            <Link to={href("/admin/appointments/:id", { id: booking.id })} className="link">
              {personName(booking.name)}
            </Link>
            <p className="text-sm text-muted">{booking.words}</p>
            {(booking.why ?? booking.refusal) && (
              <p className="text-sm">{booking.why ?? booking.refusal}</p>
            )}
          </div>
          {booking.refusal === null && (
            <ButtonForm sends={{ paymentId, appointmentId: booking.id, q }} preventScrollReset>
              <SubmitButton
                intent="assign"
                look="quiet"
                aria-label={`Assign to ${personName(booking.name)}, ${booking.words}`}
                className="button-small"
              >
                Assign
              </SubmitButton>
            </ButtonForm>
          )}
        </li>
      ))}
    </ul>
  );
}
