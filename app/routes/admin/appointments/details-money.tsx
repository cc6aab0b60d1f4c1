/** What an appointment costs, the payments for it and what went back. */
import { GST_LABEL } from "#app/model/price.ts";
import { Facts } from "#app/routes/admin/parts/session-facts.tsx";
import { RefundError } from "#app/routes/admin/parts/told.tsx";
import type { AppointmentDetails } from "./appointment-view.server.ts";
import { Part, SendAgain } from "./details-part.tsx";

export function PaymentPart({ details }: { details: AppointmentDetails }) {
  const { invoice, creditNotes } = details;
  return (
    <Part title="Payment Information">
      <Facts
        facts={[
          ["Base amount", details.price.base],
          [GST_LABEL, details.price.gst],
          ["Total amount", details.price.total],
          ...(details.paymentId
            ? [["Payment ID", <Mono key="payment" text={details.paymentId} />] as const]
            : []),
          ...(invoice ? [["Invoice", `${invoice.number}, ${invoice.date}`] as const] : []),
          ...(creditNotes.length > 0
            ? [
                [
                  "Credit notes",
                  creditNotes.map(({ number, words, url }) => (
                    <a
                      key={number}
                      href={url}
                      target="_blank"
                      rel="noreferrer"
                      className="link block"
                    >
                      {words}
                    </a>
                  )),
                ] as const,
              ]
            : []),
        ]}
      />
      {details.payments.length > 0 && (
        <ul className="mt-3 grid gap-2">
          {details.payments.map((payment) => (
            <li key={payment.paymentId} className="rounded-sm bg-sunken px-3 py-2">
              <p>
                <strong className="figures">{payment.amount}</strong> {payment.words}
                {payment.dispute && <strong className="text-stop"> {payment.dispute}</strong>}
              </p>
              <p className="text-sm text-muted">
                <Mono text={payment.paymentId} />, {payment.when}
              </p>
              {payment.fee && <p className="figures text-sm text-muted">{payment.fee}</p>}
              {payment.refunds.map((refund) => (
                <div key={refund.id} className="mt-2 border-t border-line pt-2">
                  <p>
                    <strong className="figures">{refund.amount}</strong> {refund.words}
                  </p>
                  <p className="text-sm text-muted">
                    {refund.providerId && (
                      <>
                        <Mono text={refund.providerId} />,{" "}
                      </>
                    )}
                    {refund.when}
                  </p>
                  <RefundError error={refund.error} />
                  {refund.canRetry && (
                    <SendAgain intent="refund" of={refund.id}>
                      Try the refund again
                    </SendAgain>
                  )}
                </div>
              ))}
            </li>
          ))}
        </ul>
      )}
    </Part>
  );
}

function Mono({ text }: { text: string }) {
  return <span className="break-all font-mono text-sm">{text}</span>;
}
