/** View Details: all that is known of an appointment, and what can be done with it. */
import type { ReactNode } from "react";
import { Form, href, Link, useNavigation } from "react-router";
import { Icon } from "#app/components/icons.tsx";
import { AdminIcon } from "#app/routes/admin/parts/icons.tsx";
import { InvoiceLink } from "#app/routes/admin/parts/invoice-link.tsx";
import { withList } from "#app/routes/admin/parts/list-search.ts";
import type { HistoryEntryView, RefundView } from "#app/routes/admin/parts/row-views.server.ts";
import { Facts, type SessionView } from "#app/routes/admin/parts/session-facts.tsx";
import { StatusBadge } from "#app/routes/admin/parts/status-badge.tsx";

interface DocumentLink {
  number: string;
  date: string;
  url: string;
}

export interface AppointmentDetails {
  session: SessionView;
  email: string;
  phone: string;
  state: string | null;
  createdAt: string;
  base: string;
  gst: string;
  paymentId: string | null;
  notes: string | null;
  cancelReason: string | null;
  invoice: DocumentLink | null;
  creditNote: DocumentLink | null;
  payments: readonly {
    paymentId: string;
    amount: string;
    words: string;
    when: string;
    dispute: string | null;
    refunds: readonly RefundView[];
  }[];
  messages: readonly {
    id: string;
    label: string;
    channel: string;
    recipient: string;
    words: string;
    failed: boolean;
    when: string;
    attempts: number;
    /** Why it was not sent, or not yet. */
    reason: string | null;
    canResend: boolean;
  }[];
  history: readonly HistoryEntryView[];
}

interface DetailsProps {
  details: AppointmentDetails;
  closeTo: string;
  listSearch: string;
}

export function AppointmentDetailsBody({ details, closeTo, listSearch }: DetailsProps) {
  const { session } = details;
  return (
    <>
      <p className="flex flex-wrap items-center gap-x-3 gap-y-1">
        <StatusBadge status={session.status} />
        {session.note && <span className="text-muted">{session.note}</span>}
        {details.cancelReason && <span className="text-muted">{details.cancelReason}</span>}
      </p>
      <Part title="Customer Information">
        <Facts
          facts={[
            ["Full name", session.name],
            ["Email", details.email],
            ["Phone", details.phone],
            ...(details.state ? [["State", details.state] as const] : []),
            [
              "Appointment ID",
              <span key="id" className="font-mono">
                {session.shortId}
              </span>,
            ],
          ]}
        />
        <Link
          to={withList(href("/admin/appointments/:id/edit", { id: session.id }), listSearch)}
          preventScrollReset
          className="link mt-2 inline-flex min-h-8 items-center gap-1.5"
        >
          <AdminIcon name="edit" className="size-4" />
          Correct contact data
        </Link>
      </Part>
      <Part title="Appointment Details">
        <Facts
          facts={[
            ["Counselor", session.counselor],
            ["Date", session.date],
            ["Time", session.time],
            ["Package", `${session.minutes} minutes`],
            ["Created at", details.createdAt],
          ]}
        />
      </Part>
      <PaymentPart details={details} />
      {details.notes && (
        <Part title="Notes">
          <p className="whitespace-pre-wrap break-words">{details.notes}</p>
        </Part>
      )}
      <MessagesPart messages={details.messages} />
      <HistoryPart history={details.history} />
      <Buttons details={details} closeTo={closeTo} listSearch={listSearch} />
    </>
  );
}

function Part({ title, children }: { title: string; children: ReactNode }) {
  return (
    <section className="mt-5 border-t border-line pt-4">
      <h2 className="display mb-2 text-base">{title}</h2>
      {children}
    </section>
  );
}

function PaymentPart({ details }: { details: AppointmentDetails }) {
  const { invoice, creditNote } = details;
  return (
    <Part title="Payment Information">
      <Facts
        facts={[
          ["Base amount", details.base],
          ["GST (18%)", details.gst],
          ["Total amount", details.session.total],
          ...(details.paymentId
            ? [["Payment ID", <Mono key="payment" text={details.paymentId} />] as const]
            : []),
          ...(invoice ? [["Invoice", `${invoice.number}, ${invoice.date}`] as const] : []),
          ...(creditNote
            ? [
                [
                  "Credit note",
                  <a
                    key="note"
                    href={creditNote.url}
                    target="_blank"
                    rel="noreferrer"
                    className="link"
                  >
                    {creditNote.number}, {creditNote.date}
                  </a>,
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
                {payment.dispute && (
                  <strong className="text-stop"> Disputed: {payment.dispute}</strong>
                )}
              </p>
              <p className="text-sm text-muted">
                <Mono text={payment.paymentId} />, {payment.when}
              </p>
              {payment.refunds.map((refund) => (
                <div key={refund.id} className="mt-2 border-t border-line pt-2">
                  <p>
                    <strong className="figures">{refund.amount}</strong> {refund.words}
                  </p>
                  <p className="text-sm text-muted">{refund.when}</p>
                  {refund.error && <p className="break-words text-stop">{refund.error}</p>}
                  {refund.canRetry && (
                    <Small intent="refund" of={refund.id}>
                      Try the refund again
                    </Small>
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

function MessagesPart({ messages }: Pick<AppointmentDetails, "messages">) {
  return (
    <Part title="Messages">
      {messages.length === 0 && <p className="text-muted">No messages yet.</p>}
      <ul className="grid gap-2">
        {messages.map((message) => (
          <li
            key={message.id}
            className="flex flex-wrap items-start gap-x-3 rounded-sm bg-sunken px-3 py-2"
          >
            <div className="min-w-56 flex-1">
              <p>
                {message.label}: {message.channel},{" "}
                <strong className={message.failed ? "text-stop" : ""}>{message.words}</strong>
              </p>
              <p className="break-words text-sm text-muted">
                {message.recipient}, {message.when}
                {message.attempts > 1 && `, ${message.attempts} tries`}
              </p>
              {message.reason && (
                <p className={`break-words text-sm ${message.failed ? "text-stop" : "text-muted"}`}>
                  {message.reason}
                </p>
              )}
            </div>
            {message.canResend && (
              <Small intent="resend" of={message.id} name={`Send again: ${message.label}`}>
                Send again
              </Small>
            )}
          </li>
        ))}
      </ul>
    </Part>
  );
}

function HistoryPart({ history }: Pick<AppointmentDetails, "history">) {
  return (
    <Part title="History">
      {history.length === 0 && <p className="text-muted">No changes by hand.</p>}
      <ol className="grid gap-2">
        {history.map((entry) => (
          <li key={`${entry.when} ${entry.words} ${entry.changes.join()}`}>
            <p>
              <strong>{entry.words}</strong> by {entry.actor}
              <span className="text-sm text-muted">, {entry.when}</span>
            </p>
            {entry.changes.map((change) => (
              <p key={change} className="break-words text-sm text-muted">
                {change}
              </p>
            ))}
          </li>
        ))}
      </ol>
    </Part>
  );
}

function Small({
  intent,
  of,
  name,
  children,
}: {
  intent: string;
  of: string;
  name?: string;
  children: ReactNode;
}) {
  const pending = useNavigation().formMethod === "POST";
  return (
    <Form method="post" preventScrollReset className="mt-1">
      <input type="hidden" name={intent} value={of} />
      <button
        type="submit"
        aria-label={name}
        disabled={pending}
        className="button button-small button-quiet"
      >
        {children}
      </button>
    </Form>
  );
}

function Buttons({ details, closeTo, listSearch }: DetailsProps) {
  const { session, invoice } = details;
  const { id } = session;
  const to = (path: string) => withList(path, listSearch);
  const over = session.status === "cancelled";
  return (
    <div className="mt-6 grid gap-3 border-t border-line pt-4">
      <div className="flex flex-wrap gap-3">
        <Link to={closeTo} preventScrollReset className="button button-quiet">
          Close
        </Link>
        <InvoiceLink
          url={invoice?.url ?? null}
          absentTo={to(href("/admin/appointments/:id/invoice", { id }))}
          className={`button ${invoice ? "button-primary" : "button-quiet text-muted"}`}
        >
          <Icon name="download" />
          Download Invoice
        </InvoiceLink>
      </div>
      <div className="flex flex-wrap gap-x-5 gap-y-1">
        {!over && (
          <>
            <Link
              to={to(href("/admin/appointments/:id/reschedule", { id }))}
              preventScrollReset
              className="link py-1"
            >
              Reschedule
            </Link>
            <Link
              to={to(href("/admin/appointments/:id/cancel", { id }))}
              preventScrollReset
              className="link py-1"
            >
              Cancel appointment
            </Link>
          </>
        )}
        <Link
          to={to(href("/admin/appointments/:id/delete", { id }))}
          preventScrollReset
          className="link py-1 text-stop"
        >
          Delete
        </Link>
      </div>
    </div>
  );
}

function Mono({ text }: { text: string }) {
  return <span className="break-all font-mono text-sm">{text}</span>;
}
