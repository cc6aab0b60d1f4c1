/** The staff booking form: customer, time and payment. Some buttons look something up, one books. */
import { type ComponentProps, useState } from "react";
import { href, Link } from "react-router";
import { FieldError, TextAreaField, TextField } from "#app/components/field.tsx";
import { StudentFields } from "#app/components/student-fields.tsx";
import type { Typed } from "#app/routes/admin/parts/form-data.ts";
import { type FormPageOf, PageForm, SubmitButton } from "#app/routes/admin/parts/form-page.tsx";
import { Choice } from "#app/routes/admin/parts/form-parts.tsx";
import { boardHref, withList } from "#app/routes/admin/parts/list-search.ts";
import { Captains, TimeChoices, useShownDay } from "#app/routes/admin/parts/time-choices.tsx";
import type { Beside, readNewBooking } from "./booking-form-view.server.ts";
import {
  CompanyPart,
  ConsentPart,
  ContactFields,
  PaymentPart,
  SearchPart,
} from "./new-booking-fields.tsx";

type View = ReturnType<typeof readNewBooking>;

export function NewBookingForm({ page }: { page: FormPageOf<View, Beside> }) {
  const { view, listSearch, formKey, more } = page;
  // Submitted values stay when another day is shown.
  const sent = page.answer?.typed;
  const [kept, setKept] = useState({ sent, values: { ...sent, ...more?.filled } });
  if (sent && sent !== kept.sent) setKept({ sent, values: { ...sent, ...more?.filled } });
  const values: Typed = kept.values;
  const { showDay, isLoading } = useShownDay(
    href("/admin/appointments/new"),
    ["counselor", "package", "date"],
    { today: view.today, listSearch },
  );
  return (
    <PageForm
      id="new"
      reply={page.replyTo()}
      typed={values}
      sends={{ formKey }}
      preventScrollReset
      className="grid gap-5"
    >
      {(of) => (
        <>
          {/* The Enter key submits a form by its first button. */}
          <button type="submit" name="intent" value="enter" formNoValidate hidden />
          <div className="grid items-start gap-5 lg:grid-cols-2">
            <Card title="Customer">
              <SearchPart {...of("q")} found={more?.found ?? null} />
              <ContactFields of={of} required {...(values.pick && { autoFocus: true })} />
              <StudentFields
                key={`student ${values.pick}`}
                of={of}
                legend="Who the session is for"
                words={["For the customer", "For someone else"]}
                guardian="The customer then gets a link by email to confirm as parent or guardian."
              />
              <CompanyPart key={values.pick} of={of} />
              <ConsentPart key={`consent ${values.pick}`} of={of} whatsapp={view.whatsapp} />
              <TextAreaField {...of("notes")} label="Question for the captain" maxLength={1000} />
              <TextAreaField
                {...of("staffNote")}
                label="Staff note"
                hint="The customer never sees it."
                maxLength={2000}
                rows={2}
              />
            </Card>
            <Card title="Session" className="lg:row-span-2">
              {view.captains.length === 1 && (
                <input type="hidden" name="counselor" value={view.counselor} />
              )}
              <Captains view={view} showDay={showDay} />
              <fieldset key={view.minutes}>
                <legend className="font-semibold">Package</legend>
                <FieldError id="new-package-error" errors={of("package").field.errors} />
                {view.packages.map(({ minutes, base, gst, total }) => (
                  <Choice
                    key={minutes}
                    type="radio"
                    name="package"
                    value={minutes}
                    defaultChecked={minutes === view.minutes}
                    onChange={(event) => showDay(event.currentTarget.form)}
                  >
                    <span className="figures">
                      {minutes} minutes, <strong>{total}</strong>{" "}
                      <span className="text-sm text-muted">
                        ({base} and GST {gst})
                      </span>
                    </span>
                  </Choice>
                ))}
              </fieldset>
              <div className="flex flex-wrap items-end gap-3">
                <TextField
                  {...of("date")}
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
                errors={of("timeSlot").field.errors}
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
            </Card>
            <Card title="Payment" className="lg:col-start-1 lg:row-start-2">
              <PaymentPart of={of} by={values.payBy ?? "link"} today={view.today} />
              <div className="flex flex-wrap gap-3">
                <SubmitButton intent="book" pending="Booking..." disabled={isLoading}>
                  Book for the customer
                </SubmitButton>
                <Link to={boardHref(listSearch)} className="button button-quiet">
                  Close
                </Link>
              </div>
            </Card>
          </div>
        </>
      )}
    </PageForm>
  );
}

function Card({ title, className = "", children }: ComponentProps<"section">) {
  return (
    <section aria-label={title} className={`card grid min-w-0 gap-4 p-5 ${className}`}>
      <h2 className="display text-xl">{title}</h2>
      {children}
    </section>
  );
}
