/** Marks an unpaid booking as paid, with money that staff took themselves, and so confirms it. */
import { href } from "react-router";
import { offlinePaymentSchema } from "#app/booking/change-fields.ts";
import { markPaidOutside } from "#app/booking/confirm-appointment.server.ts";
import { dateInIndia } from "#app/model/dates.ts";
import { screen } from "#app/routes/admin/parts/form-page.server.ts";
import { FormDialog, useFormPage } from "#app/routes/admin/parts/form-page.tsx";
import { withList } from "#app/routes/admin/parts/list-search.ts";
import { sessionView } from "#app/routes/admin/parts/views.server.ts";
import type { Route } from "./+types/appointment-payment";
import { appointmentAsked } from "./appointment-view.server.ts";
import { OfflineFields, overIfNotUnpaid } from "./new-booking-fields.tsx";

const { loader, action } = screen({
  find: appointmentAsked,
  view: ({ deps, about }) => {
    const now = deps.now();
    return { session: sessionView(about, now), today: dateInIndia(now) };
  },
}).one({
  fields: offlinePaymentSchema,
  run: (input, { deps, actor, about: { id }, once }) =>
    once(`payment ${id}`, input, () => markPaidOutside(deps, actor, id, input)),
  failed: "Not Marked as Paid",
  done: (id, { about, listSearch }) => ({
    to: withList(href("/admin/appointments/:id", { id }), listSearch),
    title: "Marked as Paid",
    description: `The booking of ${about.contact.name} is confirmed. The confirmation with the invoice goes out, and the captain is notified.`,
  }),
});

export { action, loader };

export default function MarkAsPaid(props: Route.ComponentProps) {
  const page = useFormPage(props);
  const { session, today } = page.view;
  const { id, name, total } = session;
  return (
    <FormDialog
      id="money"
      page={page}
      title="Mark as Paid"
      backTo={href("/admin/appointments/:id", { id })}
      session={session}
      once
      submit={["Mark as paid", "Marking..."]}
      over={overIfNotUnpaid(session)}
    >
      <p>
        You have received <strong className="figures">{total}</strong> from {name} yourself. The
        booking is confirmed and the invoice is issued. Should a payment by the link still arrive,
        it goes back by itself.
      </p>
      <OfflineFields today={today} />
    </FormDialog>
  );
}
