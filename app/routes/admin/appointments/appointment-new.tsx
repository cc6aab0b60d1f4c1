/** Books for a customer who is on the phone or at the desk. */
import { useState } from "react";
import { href, Link } from "react-router";
import { z } from "zod";
import { bookForCustomer } from "#app/booking/book-for-customer.server.ts";
import { formFieldOf, staffBookingFormSchema } from "#app/booking/change-fields.ts";
import type { Appointment } from "#app/model/appointment.ts";
import { shownTotalOf } from "#app/model/catalogue.ts";
import { adminInstant, adminSession, formatDeadline } from "#app/model/dates.ts";
import { formatAmount } from "#app/model/money.ts";
import { type Outcome, success } from "#app/model/outcome.ts";
import { AreaField, ErrorOf, InputField } from "#app/routes/admin/parts/fields.tsx";
import type { Typed } from "#app/routes/admin/parts/form-data.ts";
import { type Shown, screen } from "#app/routes/admin/parts/form-page.server.ts";
import {
  type FormPageOf,
  PageForm,
  SubmitButton,
  useFormPage,
} from "#app/routes/admin/parts/form-page.tsx";
import { Choice, Choices, Part } from "#app/routes/admin/parts/form-parts.tsx";
import { typedOf } from "#app/routes/admin/parts/forms.server.ts";
import { boardHref, withList } from "#app/routes/admin/parts/list-search.ts";
import { PageHead, Problem } from "#app/routes/admin/parts/page-parts.tsx";
import { Captains, TimeChoices, useShownDay } from "#app/routes/admin/parts/time-choices.tsx";
import { findAppointment } from "#db/queries/appointments.server.ts";
import type { Route } from "./+types/appointment-new";
import {
  type Beside,
  customerOf,
  findCustomers,
  mayOverride,
  readNewBooking,
} from "./booking-form-view.server.ts";
import {
  CompanyPart,
  ConsentPart,
  ContactFields,
  PaymentPart,
  SearchPart,
  StudentPart,
} from "./new-booking-fields.tsx";

const FAILED = "Booking Failed";

const booking = screen({
  view: ({ deps, typed }: Shown<Route.LoaderArgs, unknown>) => readNewBooking(deps, typed),
});

const book = booking.form({
  fields: staffBookingFormSchema,
  run: (input, { deps, actor, form, once }) => {
    const shown = shownTotalOf(form, input.package);
    const work = () => bookForCustomer(deps, actor, input, shown);
    return inForm(once("book", input, work, ({ id }) => id));
  },
  failed: FAILED,
  beside: mayOverride,
  done: (id, { deps, listSearch }) => ({
    to: withList(href("/admin/appointments/:id", { id }), listSearch),
    title: "Booked",
    description: wordsOf(findAppointment(deps.db, id)!, deps.now()),
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
    // The Enter key submits by the form's first button: a search if there is a new query, or nobody
    // to book for yet, else a booking.
    const { q = "", searched, name = "" } = typedOf(form);
    const isBooking = q.trim() === "" || (q === searched && name.trim() !== "");
    return isBooking ? "book" : "find";
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
  const { contact, date, timeSlot, counselor, price, window } = appointment;
  const booked = `${contact.name} has ${adminSession(date, timeSlot)} with ${counselor}.`;
  return window
    ? `${booked} The payment link goes out by email; it can be paid until ${formatDeadline(window.payBefore, now, adminInstant)}, and stands under Payment Information to copy.`
    : `${booked} ${formatAmount(price.totalPaise)} is paid and the session confirmed: the confirmation with the invoice goes out, and the captain is notified.`;
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

const GRID = "grid min-w-0 gap-4 p-5";

type View = ReturnType<typeof readNewBooking>;
type Page = FormPageOf<View, Beside>;

/** Customer, time and payment. Some buttons look something up, one books. */
function NewBookingForm({ page }: { page: Page }) {
  const { view, listSearch, formKey, more } = page;
  // Submitted values stay when another day is shown.
  const sent = page.answer?.typed;
  const searched = page.answer?.intent === "find" ? sent?.q : sent?.searched;
  const [kept, setKept] = useState({
    sent,
    /** The query that was answered last. */
    searched,
    values: { ...sent, ...more?.filled },
    fills: 0,
  });
  // Only a chosen customer or a refusal fills the fields: something may be typed while others are asked.
  if (sent && sent !== kept.sent) {
    const isFilled = more?.filled !== undefined;
    const values = isFilled || page.refusal ? { ...sent, ...more?.filled } : kept.values;
    setKept({ sent, searched, values, fills: kept.fills + Number(isFilled) });
  }
  const values: Typed = kept.values;
  const { showDay, isLoading } = useShownDay(
    href("/admin/appointments/new"),
    ["counselor", "package", "date", "timeSlot"],
    view.today,
  );
  return (
    <PageForm
      id="new"
      reply={page.replyTo()}
      typed={values}
      sends={{ formKey, shownTotal: view.shownTotal, searched: kept.searched }}
      preventScrollReset
      className="grid gap-5"
    >
      {/* The Enter key submits a form by its first button. */}
      <button type="submit" name="intent" value="enter" formNoValidate hidden />
      <div className="grid items-start gap-5 lg:grid-cols-2">
        <Part key={kept.fills} title="Customer" className={GRID}>
          <SearchPart found={more?.found ?? null} />
          <ContactFields required {...(values.pick && { autoFocus: true })} />
          <StudentPart />
          <CompanyPart />
          <ConsentPart whatsapp={view.whatsapp} />
          <AreaField name="notes" label="Question for the captain" maxLength={1000} />
          <AreaField
            name="staffNote"
            label="Staff note"
            hint="The customer never sees it."
            maxLength={2000}
            rows={2}
          />
        </Part>
        <Part title="Session" className={`${GRID} lg:row-span-2`}>
          {view.captains.length === 1 && (
            <input type="hidden" name="counselor" value={view.counselor} />
          )}
          <Captains view={view} showDay={showDay} />
          <fieldset key={view.minutes}>
            <legend className="font-semibold">Package</legend>
            <ErrorOf name="package" id="new-package-error" />
            <Choices
              name="package"
              chosen={view.minutes}
              options={view.packages.map((one) => [one.minutes, <Package key="words" {...one} />])}
              onChange={(event) => showDay(event.currentTarget.form)}
            />
          </fieldset>
          <div className="flex flex-wrap items-end gap-3">
            <InputField
              name="date"
              shown={view.date}
              label="Date"
              type="date"
              min={view.today}
              required
              className="min-w-44 flex-1"
              onChange={(event) => showDay(event.currentTarget.form)}
            />
            <button
              type="submit"
              name="intent"
              value="times"
              formNoValidate
              className="button button-quiet"
            >
              Show times
            </button>
          </div>
          <TimeChoices
            key={`${view.counselor} ${view.date} ${view.minutes} ${view.times.length}`}
            legend={`Free times of ${view.counselor} on ${view.day}, IST`}
            type="radio"
            name="timeSlot"
            times={view.times}
            asked={view.time}
            errors={page.replyTo()?.error?.timeSlot}
            empty="No time is free on this day. Please choose another date."
            busy={isLoading}
          />
          <Link
            to={withList(href("/admin/slots"), listSearch, {
              tab: "block",
              counselor: view.counselor,
              date: view.date,
              ...(view.time && { time: view.time }),
            })}
            className="link w-fit py-1"
          >
            Block times of this day instead
          </Link>
          {more?.mayOverride && (
            <Choice type="checkbox" name="override" className="font-semibold">
              Use the time all the same
            </Choice>
          )}
        </Part>
        <Part title="Payment" className={`${GRID} lg:col-start-1 lg:row-start-2`}>
          <PaymentPart by={values.payBy ?? "link"} today={view.today} />
          <div className="flex flex-wrap gap-3">
            <SubmitButton intent="book" pending="Booking..." disabled={isLoading}>
              Book for the customer
            </SubmitButton>
            <Link to={boardHref(listSearch)} className="button button-quiet">
              Close
            </Link>
          </div>
        </Part>
      </div>
    </PageForm>
  );
}

function Package({ minutes, base, gst, total }: View["packages"][number]) {
  return (
    <span className="figures">
      {minutes} minutes, <strong>{total}</strong>{" "}
      <span className="text-sm text-muted">
        ({base} and GST {gst})
      </span>
    </span>
  );
}
