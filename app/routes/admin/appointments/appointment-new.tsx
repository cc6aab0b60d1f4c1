/** Book for a customer who is on the phone or at the desk. */
import { href } from "react-router";
import { bookForCustomer } from "#app/booking/book-for-customer.server.ts";
import { formFieldOf, staffBookingFormSchema } from "#app/booking/change-fields.ts";
import { type Deps, depsContext } from "#app/core/deps.server.ts";
import type { Appointment } from "#app/model/appointment.ts";
import { adminSession, formatDeadline } from "#app/model/dates.ts";
import type { Outcome } from "#app/model/outcome.ts";
import { newFormKey, onceForForm } from "#app/routes/admin/parts/form-page.server.ts";
import { actorOf, carryOut, goOn } from "#app/routes/admin/parts/forms.server.ts";
import { listSearchOf, withList } from "#app/routes/admin/parts/list-search.ts";
import { Problem } from "#app/routes/admin/parts/notice.tsx";
import { PageHead } from "#app/routes/admin/parts/page-parts.tsx";
import { useAnswer } from "#app/routes/admin/parts/submission.ts";
import type { Route } from "./+types/appointment-new";
import { requireAppointment } from "./appointment-view.server.ts";
import {
  customerOf,
  findCustomers,
  readNewBooking,
  type Typed,
  typedOf,
} from "./booking-form-view.server.ts";
import { NewBookingForm } from "./new-booking-form.tsx";

const FAILED = "Booking Failed";

export function loader({ url, context }: Route.LoaderArgs) {
  const asked = Object.fromEntries(url.searchParams);
  return {
    view: readNewBooking(context.get(depsContext), asked),
    formKey: newFormKey(),
    listSearch: listSearchOf(url),
  };
}

export async function action({ request, url, context }: Route.ActionArgs) {
  const deps = context.get(depsContext);
  const form = await request.formData();
  const typed = typedOf(form);
  if (typed.intent !== "book") {
    const looked = lookUp(deps, typed);
    if (looked) return looked;
  }
  const done = await carryOut(form, staffBookingFormSchema, ({ ...input }) => {
    const work = () => bookForCustomer(deps, actorOf(context), input);
    return inForm(onceForForm(deps, form, "book", input, work, ({ id }) => id));
  });
  if (!done.ok) {
    const mayOverride = done.code === "slot_taken" && done.errors?.timeSlot !== undefined;
    const more = { values: typed, found: null, view: readNewBooking(deps, typed), mayOverride };
    return done.refuse(FAILED, more);
  }
  const page = href("/admin/appointments/:id", { id: done.value });
  const description = wordsOf(requireAppointment(deps, done.value), deps.now());
  return goOn(deps, withList(page, listSearchOf(url)), { title: "Booked", description });
}

/** What is asked for before booking; null for a form that is sent by the Enter key to be booked. */
function lookUp(deps: Deps, typed: Typed) {
  const { intent, pick, q = "" } = typed;
  const shown = { refusal: null, reply: null, view: readNewBooking(deps, typed) };
  if (pick) return { ...shown, values: { ...typed, ...customerOf(deps, pick) }, found: null };
  if (intent === "times") return { ...shown, values: typed, found: null };
  if (intent === "enter" && q.trim() === "") return null;
  return { ...shown, values: typed, found: findCustomers(deps, q) };
}

/** With each fault at its place in the form. */
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
    : `${booked} It is paid and confirmed: the confirmation with the invoice goes out, and the captain is told.`;
}

export default function BookForCustomer({ loaderData, actionData }: Route.ComponentProps) {
  const answer = useAnswer(actionData, FAILED);
  return (
    <>
      <PageHead title="Book for a customer">
        The customer gets the same messages and documents as after a booking of their own.
      </PageHead>
      <Problem refusal={answer?.refusal} />
      <NewBookingForm {...loaderData} answer={answer} />
    </>
  );
}
