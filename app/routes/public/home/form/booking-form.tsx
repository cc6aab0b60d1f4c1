/** The booking form. Without scripts it is a plain form; with them the page goes on to the payment. */
import { getFormProps } from "@conform-to/react";
import { use, useEffect } from "react";
import { href, Link } from "react-router";
import { HONEYPOT_FIELD } from "#app/booking/honeypot-field.ts";
import { TextAreaField } from "#app/components/field.tsx";
import { NonceContext } from "#app/components/nonce.ts";
import { StudentFields } from "#app/components/student-fields.tsx";
import { statusHeading } from "#app/model/wording.ts";
import { FormSection } from "#app/routes/public/parts/form-parts.tsx";
import { FormProblem } from "#app/routes/public/parts/form-problem.tsx";
import { clearEntries, ENTRIES_KEY } from "#app/routes/public/parts/saved-entries.ts";
import { ANSWER_LOST } from "#app/routes/public/parts/use-payment.ts";
import { CaptainChoice, PackageChoice } from "./captain-and-package.tsx";
import { ChosenLine } from "./chosen-line.tsx";
import { DateChoice, TimeChoice } from "./date-and-time.tsx";
import { InvoiceFields, PersonFields } from "./person-fields.tsx";
import { isHeld, SubmitPanel } from "./submit-panel.tsx";
import { type BookingFormProps, useBookingForm } from "./use-booking-form.ts";

export function BookingForm(props: BookingFormProps) {
  const { returned } = props;
  const { offer, own } = props.home;
  const isStateAsked = props.home.askState === "required";
  const booking = useBookingForm(props);
  const { form, fields, choice, counselor, chosenPackage, step, fold } = booking;

  if (step.name === "settled") return <Settled {...step} />;
  return (
    <>
      <h2 className="display mb-8 text-2xl lg:text-3xl">Book your session</h2>
      <form
        {...getFormProps(form)}
        ref={booking.formRef}
        method="post"
        action={`${href("/")}?index`}
        onSubmit={booking.onSubmit}
        onInput={booking.readForm}
        onFocus={booking.onFocus}
        onPointerDown={() => booking.onPointer(true)}
        onKeyDown={() => booking.onPointer(false)}
        noValidate
        data-holds={own && isHeld(own, choice) ? "" : undefined}
        className="lg:grid lg:grid-cols-[minmax(0,1fr)_23rem] lg:items-start lg:gap-12"
      >
        {/* While the booking is being made, its entries cannot be changed. */}
        <div className="grid min-w-0 gap-8" inert={booking.pending}>
          <FormProblem
            title="Please check these entries"
            notice={returned?.notice ?? null}
            lines={booking.lines}
            autoFocus={booking.startsAtErrors}
          />
          <input type="hidden" name="shownTotal" value={offer.shownTotals} />
          <input type="hidden" name="shownCutoff" value={props.home.cutoffHours} />
          <input type="hidden" name="knowsPaid" value={String(own?.state === "paid")} />
          <input type="hidden" name="askedEmail" value={returned?.askedEmail ?? ""} />
          <Honeypot />
          {/* Loads the scripts of the booking page while there is a network. */}
          {step.name === "paying" && (
            <Link hidden prefetch="render" to={href("/booking/:id", { id: step.id })} />
          )}
          <ChosenLine booking={booking} />
          <FormSection
            id="booking-captain"
            number={1}
            title="Captain"
            done={counselor !== null}
            note={booking.noteFor("counselor")}
            className={fold.classOf("counselor")}
            field={fields.counselor}
          >
            <CaptainChoice booking={booking} />
          </FormSection>
          <FormSection
            id="booking-package"
            number={2}
            title="Session"
            done={chosenPackage !== null}
            note={booking.noteFor("package")}
            className={fold.classOf("package")}
            field={fields.package}
          >
            <PackageChoice booking={booking} />
          </FormSection>
          {/* If there is room, the month and the times of a day stand side by side. */}
          <div
            className={`@container border-t border-line pt-6 ${fold.classOf("date", "timeSlot")}`}
          >
            <div className="grid gap-8 @min-[35rem]:grid-cols-[21rem_minmax(0,1fr)]">
              <FormSection
                id="booking-day"
                number={3}
                title="Date"
                done={choice.date !== ""}
                note={booking.noteFor("date")}
                className={fold.classOf("date")}
              >
                <DateChoice booking={booking} />
              </FormSection>
              <FormSection
                id="booking-slots"
                number={4}
                title="Time"
                done={choice.timeSlot !== ""}
                note={booking.noteFor("timeSlot")}
                className="@min-[35rem]:border-t-0 @min-[35rem]:pt-0"
              >
                <TimeChoice booking={booking} />
              </FormSection>
            </div>
          </div>
          <FormSection
            id="booking-you"
            number={5}
            title="Your details"
            done={booking.personDone}
            note={booking.noteFor("name") ?? booking.noteFor("email") ?? booking.noteFor("phone")}
          >
            <PersonFields booking={booking} />
            <div className="mt-5">
              <StudentFields
                of={(name) => ({ field: fields[name] })}
                legend="Who is the session for?"
                words={["For me", "For someone else"]}
                guardian="Then a parent or guardian books. Once you have paid, we mail you a link to a page where you confirm that you agree."
              />
            </div>
          </FormSection>
          <FormSection
            id="booking-invoice"
            number={6}
            title="For your invoice"
            aside={isStateAsked ? "state required" : "optional"}
          >
            <InvoiceFields fields={fields} isStateAsked={isStateAsked} />
          </FormSection>
          <FormSection id="booking-more" number={7} title="Anything to add" aside="optional">
            <TextAreaField
              field={fields.notes}
              label="Your question for the captain"
              hint="Your class and subjects, how far you are, and what you most want to know."
              maxLength={1000}
            />
          </FormSection>
        </div>
        <SubmitPanel booking={booking} />
        <SavedEntriesScript />
      </form>
    </>
  );
}

/** Replaces the form while the booking page loads. */
function Settled({ id, confirmed }: { id: string; confirmed: boolean }) {
  useEffect(clearEntries, []);
  return (
    <div role="status" className="card mx-auto max-w-text p-6 md:p-8">
      <h2 className="display text-2xl">
        {confirmed ? statusHeading("confirmed") : "Your payment is being checked"}
      </h2>
      <p className="mt-3">
        {!confirmed && `${ANSWER_LOST} `}
        <a className="link font-semibold" href={href("/booking/:id", { id })}>
          See your booking
        </a>
      </p>
    </div>
  );
}

/** The field of `app/booking/honeypot.server.ts`: hidden from people and screen readers, not from programs. */
function Honeypot() {
  return (
    <div inert aria-hidden="true" className="absolute -left-[200vw] h-px w-px overflow-hidden">
      <label>
        Leave this empty
        <input
          type="text"
          name={HONEYPOT_FIELD}
          tabIndex={-1}
          autoComplete="off"
          data-1p-ignore
          data-lpignore="true"
        />
      </label>
    </div>
  );
}

/** React escapes it, so it contains none of `" ' & < >`. */
const CODE = `(window.keepEntries=function(){
var form=document.getElementById(\`booking\`),e,v,kept;form.isKept=true;
function leave(){if(sessionStorage.${ENTRIES_KEY})if(/counselor=|package=/.test(location.search))history.replaceState(history.state,\`\`,location.pathname+location.hash)}
function read(){try{return JSON.parse(sessionStorage.${ENTRIES_KEY})}catch(x){return {}}}
kept=read();
for(e of form.elements){
v=kept[e.name];
if(v)if(e.type==\`radio\`){if(e.name!=\`timeSlot\`)if(e.value==v)if(!form.elements[e.name].value||e.name==\`forWhom\`)e.checked=true}
else if(e.type==\`checkbox\`)e.checked=true;
else if(e.type!=\`hidden\`){if(!e.value)e.value=v;e=e.closest(\`details\`);if(e)e.open=true}
}
form.addEventListener(\`input\`,function(){
try{sessionStorage.${ENTRIES_KEY}=JSON.stringify(Object.assign(read(),{noWhatsApp:\`\`,underEighteen:\`\`},Object.fromEntries(new FormData(form))));
leave();addEventListener(\`popstate\`,leave)}catch(x){}
})
})()`.replaceAll("\n", "");

/**
 * Saves the entries, and restores them after a reload before the page is painted. What a link has
 * chosen is then one of them, and leaves the address.
 */
function SavedEntriesScript() {
  return (
    <script nonce={use(NonceContext)} suppressHydrationWarning>
      {CODE}
    </script>
  );
}
