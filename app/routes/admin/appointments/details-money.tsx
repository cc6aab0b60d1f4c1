/** The price of an appointment, its payments and refunds, and their actions. */
import { href } from "react-router";
import { GST_LABEL } from "#app/model/money.ts";
import { CopyField, Facts, RefundError } from "#app/routes/admin/parts/facts.tsx";
import { DialogLink } from "#app/routes/admin/parts/overlay.tsx";
import { useMay } from "#app/routes/admin/parts/page-parts.tsx";
import type { AppointmentDetails } from "./appointment-view.server.ts";
import { Part, SendAgain } from "./details-parts.tsx";

const SMALL = "button button-small button-quiet";

export function PaymentPart({ details }: { details: AppointmentDetails }) {
  const { invoice, money, payments, session } = details;
  const { id } = session;
  const mayRefund = useMay("refunds") && money.mayRefund;
  const noted = new Set(payments.flatMap(({ refunds }) => refunds.map((refund) => refund.id)));
  const others = details.creditNotes.filter(({ refundId }) => !noted.has(refundId));
  return (
    <Part title="Payment Information">
      <Facts
        facts={[
          ["Base amount", details.price.base],
          [GST_LABEL, details.price.gst],
          ["Total amount", details.price.total],
          ...money.sums.map(({ label, value }) => [label, value] as const),
          ["Payment ID", details.paymentId && <Mono key="payment" text={details.paymentId} />],
          ["Invoice", invoice && `${invoice.number}, ${invoice.date}`],
          [
            "Credit notes",
            others.length > 0 && others.map((note) => <CreditNote key={note.number} note={note} />),
          ],
        ]}
      />
      {money.payLink && (
        <div className="mt-3">
          <CopyField label="Payment link" text={money.payLink.url} />
          <p className="mt-1 text-sm text-muted">{money.payLink.until}</p>
        </div>
      )}
      {(money.isUnpaid || mayRefund) && (
        <div className="mt-3 flex flex-wrap gap-3">
          {money.isUnpaid && details.customerId && (
            <DialogLink to={href("/admin/appointments/:id/payment", { id })} className={SMALL}>
              Mark as paid
            </DialogLink>
          )}
          {mayRefund && (
            <DialogLink to={href("/admin/appointments/:id/refund", { id })} className={SMALL}>
              {session.status === "cancelled" ? "Refund" : "Refund without cancelling"}
            </DialogLink>
          )}
        </div>
      )}
      {payments.length > 0 && (
        <ul className="mt-3 grid gap-2">
          {payments.map((payment) => (
            <PaymentItem key={payment.paymentId} payment={payment} {...details} />
          ))}
        </ul>
      )}
    </Part>
  );
}

type PaymentView = AppointmentDetails["payments"][number];
type CreditNotes = Pick<AppointmentDetails, "creditNotes">;

function PaymentItem({ payment, creditNotes }: CreditNotes & { payment: PaymentView }) {
  const maySettle = useMay("refunds");
  return (
    <li className="rounded-sm bg-sunken px-3 py-2">
      <p>
        <strong className="figures">{payment.amount}</strong> {payment.words}
      </p>
      {payment.disputes.map((dispute) => (
        <p key={dispute.id}>
          <strong className="text-stop">{dispute.words}</strong>: {dispute.sum}
        </p>
      ))}
      {payment.source && <p className="break-words text-sm">{payment.source}</p>}
      <p className="text-sm text-muted">
        <Mono text={payment.paymentId} />, {payment.when}
      </p>
      {payment.fee && <p className="figures text-sm text-muted">{payment.fee}</p>}
      {payment.refunds.map((refund) => (
        <div key={refund.id} className="mt-2 border-t border-line pt-2">
          <p>
            <strong className="figures">{refund.amount}</strong> {refund.words}
          </p>
          {refund.reason && <p className="break-words text-sm">{refund.reason}</p>}
          <p className="text-sm text-muted">
            {refund.providerId && (
              <>
                <Mono text={refund.providerId} />,{" "}
              </>
            )}
            {refund.reference && `Reference ${refund.reference}, `}
            {refund.when}
          </p>
          {creditNotes
            .filter(({ refundId }) => refundId === refund.id)
            .map((note) => (
              <CreditNote key={note.number} note={note} label="Credit note " />
            ))}
          <RefundError error={refund.error} />
          {maySettle && (refund.canRetry || refund.settleTo) && payment.warning && (
            <p className="text-stop">{payment.warning}</p>
          )}
          <div className="flex flex-wrap items-center gap-x-3">
            {maySettle && refund.canRetry && (
              <SendAgain sends={{ refund: refund.id }}>Try the refund again</SendAgain>
            )}
            {maySettle && refund.settleTo && (
              <DialogLink to={refund.settleTo} className={`${SMALL} mt-1`}>
                Mark as paid back
              </DialogLink>
            )}
          </div>
        </div>
      ))}
    </li>
  );
}

type NoteView = AppointmentDetails["creditNotes"][number];

function CreditNote({ note, label = "" }: { note: NoteView; label?: string }) {
  return (
    <a href={note.url} target="_blank" rel="noreferrer" className="link block w-fit py-0.5">
      {label}
      {note.words}
    </a>
  );
}

function Mono({ text }: { text: string }) {
  return <span className="break-all font-mono text-sm">{text}</span>;
}
