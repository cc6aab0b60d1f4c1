/** Holds the time of an unpaid booking again and sends its customer the payment link. */
import { href } from "react-router";
import { holdAgainSchema } from "#app/booking/change-fields.ts";
import { refuseLink } from "#app/booking/payment-window.ts";
import { holdAgain } from "#app/payments/hold-again.server.ts";
import { screen } from "#app/routes/admin/parts/form-page.server.ts";
import { FormDialog, useFormPage } from "#app/routes/admin/parts/form-page.tsx";
import { withList } from "#app/routes/admin/parts/list-search.ts";
import { sessionView } from "#app/routes/admin/parts/views.server.ts";
import { isOptedOut } from "#db/queries/message-leases.server.ts";
import type { Route } from "./+types/appointment-hold";
import { appointmentAsked } from "./appointment-view.server.ts";
import { HOLD_AGAIN } from "./details-parts.tsx";
import { LinkUntilField, overIfNotUnpaid } from "./new-booking-fields.tsx";

const { loader, action } = screen({
  find: appointmentAsked,
  view: ({ deps, about }) => {
    const { email, phone } = about.contact;
    const byWhatsApp = deps.env.whatsapp && about.whatsapp && !isOptedOut(deps.db, phone);
    return {
      session: sessionView(about, deps.now()),
      begun: refuseLink(about.startsAt, deps.now()),
      sentTo: `by email to ${email}${byWhatsApp ? ` and by WhatsApp to ${phone}` : ""}`,
    };
  },
}).one({
  fields: holdAgainSchema,
  run: (input, { deps, actor, about: { id }, once }) =>
    holdAgain(deps, actor, id, input, (hold) => once(`hold ${id}`, input, hold)),
  failed: "Not Held Again",
  done: (id, { about, listSearch }) => ({
    to: withList(href("/admin/appointments/:id", { id }), listSearch),
    title: "Held Again",
    description: `The time is kept, and ${about.contact.name} is sent the link to pay.`,
  }),
});

export { action, loader };

export default function HoldAgain(props: Route.ComponentProps) {
  const page = useFormPage(props);
  const { session, begun, sentTo } = page.view;
  const { id, total } = session;
  return (
    <FormDialog
      id="hold"
      page={page}
      title="Hold Again"
      backTo={href("/admin/appointments/:id", { id })}
      session={session}
      once
      submit={[HOLD_AGAIN, "Holding..."]}
      over={overIfNotUnpaid(session) || (begun && <p>{begun}.</p>)}
    >
      <p className="break-words">
        The time is kept at the price agreed, <strong className="figures">{total}</strong>, and the
        link to pay goes out {sentTo}.
      </p>
      <LinkUntilField />
    </FormDialog>
  );
}
