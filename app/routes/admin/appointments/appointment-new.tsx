/** Books for a customer who is on the phone or at the desk. */
import { href } from "react-router";
import { z } from "zod";
import { bookForCustomer } from "#app/booking/book-for-customer.server.ts";
import { formFieldOf, staffBookingFormSchema } from "#app/booking/change-fields.ts";
import type { Appointment } from "#app/model/appointment.ts";
import { adminSession, formatDeadline } from "#app/model/dates.ts";
import { type Outcome, success } from "#app/model/outcome.ts";
import { type Shown, screen } from "#app/routes/admin/parts/form-page.server.ts";
import { useFormPage } from "#app/routes/admin/parts/form-page.tsx";
import { withList } from "#app/routes/admin/parts/list-search.ts";
import { Problem } from "#app/routes/admin/parts/notice.tsx";
import { PageHead } from "#app/routes/admin/parts/page-parts.tsx";
import type { Route } from "./+types/appointment-new";
import { requireAppointment } from "./appointment-view.server.ts";
import {
  type Beside,
  customerOf,
  findCustomers,
  mayOverride,
  readNewBooking,
} from "./booking-form-view.server.ts";
import { NewBookingForm } from "./new-booking-form.tsx";

const FAILED = "Booking Failed";

const booking = screen({
  view: ({ deps, typed }: Shown<Route.LoaderArgs, unknown>) => readNewBooking(deps, typed),
});

const book = booking.form({
  fields: staffBookingFormSchema,
  run: (input, { deps, actor, once }) => {
    const work = () => bookForCustomer(deps, actor, input);
    return inForm(once("book", input, work, ({ id }) => id));
  },
  failed: FAILED,
  beside: mayOverride,
  done: (id, { deps, listSearch }) => ({
    to: withList(href("/admin/appointments/:id", { id }), listSearch),
    title: "Booked",
    description: wordsOf(requireAppointment(deps, id), deps.now()),
  }),
});

/** Lookups before booking: the times of a day, earlier customers, or the data of one of them. */
const lookUp = booking.form({
  fields: z.object({}),
  run: () => success(null),
  failed: FAILED,
  done: (_, { deps, intent, typed: { pick = "", q = "" } }): { more: Beside } => {
    if (intent === "pick") return { more: { filled: customerOf(deps, pick) } };
    return { more: intent === "find" ? { found: findCustomers(deps, q) } : {} };
  },
});

const { loader, action } = booking.page(
  { find: lookUp, times: lookUp, pick: lookUp, book },
  (form) => {
    if (form.get("intent") !== "enter") return null;
    // The Enter key submits by the form's first button: a search if there is a query, else a booking.
    return String(form.get("q") ?? "").trim() === "" ? "book" : "find";
  },
);

export { action, loader };

/** Turns the paths of errors into names of form fields. */
function inForm<T>(outcome: Outcome<T>): Outcome<T> {
  if (outcome.ok || !outcome.errors) return outcome;
  const named = Object.entries(outcome.errors).map(([path, texts]) => [formFieldOf(path), texts]);
  return { ...outcome, errors: Object.fromEntries(named) };
}

function wordsOf(appointment: Appointment, now: number): string {
  const { contact, date, timeSlot, counselor, window } = appointment;
  const booked = `${contact.name} has ${adminSession(date, timeSlot)} with ${counselor}.`;
  return window
    ? `${booked} The payment link goes out by email; it can be paid until ${formatDeadline(window.payBefore, now)}, and stands under Payment Information to copy.`
    : `${booked} It is paid and confirmed: the confirmation with the invoice goes out, and the captain is notified.`;
}

export default function BookForCustomer(props: Route.ComponentProps) {
  const page = useFormPage(props);
  return (
    <>
      <PageHead title="Book for a customer">
        The customer gets the same messages and documents as after a booking of their own.
      </PageHead>
      <Problem refusal={page.refusal} />
      <NewBookingForm page={page} />
    </>
  );
}
