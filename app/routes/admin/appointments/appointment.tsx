/** The panel of an appointment: its details and actions, and resending of messages and refunds. */
import { href, Link } from "react-router";
import { sendAgainSchema } from "#app/booking/change-fields.ts";
import { failure } from "#app/model/outcome.ts";
import { resendMessage } from "#app/notifications/queue.server.ts";
import { retryRefund } from "#app/payments/stuck-refunds.server.ts";
import { Expandable, Facts } from "#app/routes/admin/parts/facts.tsx";
import { screen } from "#app/routes/admin/parts/form-page.server.ts";
import { useFormPage } from "#app/routes/admin/parts/form-page.tsx";
import { HelpCalls } from "#app/routes/admin/parts/help-call.tsx";
import { boardHref, withList } from "#app/routes/admin/parts/list-search.ts";
import { DialogLink, Overlay, useListSearch } from "#app/routes/admin/parts/overlay.tsx";
import { AdminIcon, Problem, useMay } from "#app/routes/admin/parts/page-parts.tsx";
import { Answers, InvoiceLink, PlanLink } from "#app/routes/admin/parts/session-parts.tsx";
import { nothingSent, resentWords } from "#app/routes/admin/parts/words.ts";
import type { Route } from "./+types/appointment";
import {
  type AppointmentDetails,
  appointmentAsked,
  readDetails,
} from "./appointment-view.server.ts";
import { PaymentPart } from "./details-money.tsx";
import {
  BookingPage,
  HistoryPart,
  Lead,
  MessagesPart,
  Part,
  StaffNotePart,
} from "./details-parts.tsx";

const details = screen({
  find: appointmentAsked,
  view: ({ deps, about }) => readDetails(deps, about.id),
});

const { loader, action } = details.page({
  resend: details.form({
    fields: sendAgainSchema,
    run: ({ resend, sends }, { deps, actor }) =>
      resend === undefined
        ? failure("not_found", "There is nothing to do here.")
        : resendMessage(deps, actor, resend, sends),
    failed: "Message Not Sent",
    done: (message, { about, listSearch }) => ({
      to: panelAt(about.id, listSearch),
      ...resentWords(message),
    }),
  }),
  refund: details.form({
    fields: sendAgainSchema,
    run: ({ refund = "" }, { deps, actor }) => retryRefund(deps, actor, refund),
    failed: "Refund Not Sent",
    done: (refund, { about, listSearch }) => ({
      to: panelAt(about.id, listSearch),
      title: "Refund Queued",
      description: "The refund is sent again in a moment.",
      ...nothingSent(refund),
    }),
  }),
});

export { action, loader };

function panelAt(id: string, listSearch: string): string {
  return withList(href("/admin/appointments/:id", { id }), listSearch);
}

export default function Appointment(props: Route.ComponentProps) {
  const { view: details, listSearch, refusal } = useFormPage(props);
  const { session } = details;
  const editAt = href("/admin/appointments/:id/edit", { id: session.id });
  return (
    <Overlay
      title={`${session.name}, ${session.time}`}
      kind="panel"
      actions={<Actions details={details} />}
    >
      <Problem refusal={refusal} />
      <Lead details={details} />
      <PlanLink plan={details.plan} />
      <HelpCalls help={details.help} />
      <Part title="Customer Information">
        <Facts
          facts={[
            ["Full name", session.name],
            ["Student", details.student],
            ["Email", <ContactLink key="email" by="mailto" at={details.email} />],
            ["Phone", <ContactLink key="phone" by="tel" at={details.phone} />],
            ["State", details.state],
            ["Company", details.company?.name],
            ["GSTIN", details.company?.gstin],
            ["Company address", details.company?.address],
            ["Address", details.abroad?.address],
            ["Country", details.abroad?.country],
            [
              "Appointment ID",
              <span key="id" className="font-mono">
                {session.shortId}
              </span>,
            ],
          ]}
        />
        {details.customerId && (
          <>
            <DialogLink to={editAt} className="link mt-2 inline-flex min-h-8 items-center gap-1.5">
              <AdminIcon name="edit" className="size-4" />
              Correct contact data
            </DialogLink>
            <Link
              to={href("/admin/customers/:id", { id: details.customerId })}
              className="link ml-4 mt-2 inline-flex min-h-8 items-center gap-1.5"
            >
              <AdminIcon name="view" className="size-4" />
              All bookings of the customer
            </Link>
          </>
        )}
        <BookingPage url={details.bookingUrl} erased={session.erased} />
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
      {details.guardian && (
        <Part title="Guardian">
          <p className="break-words">{details.guardian.state}</p>
          {details.guardian.words && (
            <Expandable words="What they agreed to" raw={details.guardian.words} />
          )}
        </Part>
      )}
      {details.answers.length > 0 && (
        <Part title="Answers before the session">
          <Answers answers={details.answers} />
        </Part>
      )}
      {details.notes && (
        <Part title="Notes">
          <p className="whitespace-pre-wrap break-words">{details.notes}</p>
        </Part>
      )}
      <StaffNotePart note={details.staffNote} editAt={editAt} />
      <MessagesPart {...details} />
      <HistoryPart history={details.history} />
      <p className="mt-6 border-t border-line pt-4">
        <Link to={boardHref(listSearch)} preventScrollReset className="button button-quiet">
          Close
        </Link>
      </p>
    </Overlay>
  );
}

function ContactLink({ by, at }: { by: "mailto" | "tel"; at: string }) {
  if (at === "") return "Erased";
  return (
    <a href={`${by}:${at}`} className="link break-words">
      {at}
    </a>
  );
}

function Actions({ details: { session, invoice, customerId } }: { details: AppointmentDetails }) {
  const { id } = session;
  const listSearch = useListSearch();
  const over = session.status === "cancelled";
  const mayDelete = useMay("business");
  const link = (words: string, path: string, colour = "") => (
    <DialogLink to={path} className={`button button-small button-quiet ${colour}`}>
      {words}
    </DialogLink>
  );
  return (
    <div className="panel-actions">
      {!over &&
        customerId &&
        link("Reschedule", href("/admin/appointments/:id/reschedule", { id }))}
      {!over && link("Cancel appointment", href("/admin/appointments/:id/cancel", { id }))}
      <InvoiceLink
        url={invoice?.url ?? null}
        absentTo={withList(href("/admin/appointments/:id/invoice", { id }), listSearch)}
        className={`button button-small button-quiet ${invoice ? "" : "text-muted"}`}
      >
        Download Invoice
      </InvoiceLink>
      {mayDelete && link("Delete", href("/admin/appointments/:id/delete", { id }), "text-stop")}
    </div>
  );
}
