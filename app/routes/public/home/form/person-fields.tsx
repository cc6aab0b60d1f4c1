/** The customer's name, email and phone, and the fields for the invoice. */
import { useEffect, useRef, useState } from "react";
import { href } from "react-router";
import { EmailField, SelectField, TextAreaField, TextField } from "#app/components/field.tsx";
import { GST_STATES, PLACE_OPTIONS, stateOfGstin } from "#app/model/gstin.ts";
import { PassNote } from "#app/routes/public/parts/boarding-pass.tsx";
import { MEANT_ID } from "./form-hooks.ts";
import type { BookingFormState } from "./use-booking-form.ts";

type Fields = BookingFormState["fields"];

export function PersonFields({ booking }: { booking: BookingFormState }) {
  const { fields, mistyped } = booking;
  const { meant: suggestion } = mistyped;

  function acceptSuggestion() {
    const input = document.getElementById(fields.email.id) as HTMLInputElement;
    input.value = suggestion ?? input.value;
    input.dispatchEvent(new Event("input", { bubbles: true }));
    mistyped.settle();
    booking.readForm();
    input.focus();
  }

  return (
    <div className="grid gap-5">
      <TextField
        field={fields.name}
        label="Full name"
        hint="As it should be on the invoice."
        type="text"
        autoComplete="name"
        maxLength={100}
        required
        autoFocus={false}
      />
      <div className="grid gap-5 sm:grid-cols-2">
        {/* biome-ignore lint/a11y/noStaticElementInteractions: listens to the field inside */}
        <div
          onBlur={({ target, relatedTarget }) => {
            // The submit button asks by itself. In Safari a clicked button does not get the focus.
            const goesOn =
              relatedTarget instanceof HTMLElement &&
              !(relatedTarget instanceof HTMLButtonElement && relatedTarget.form);
            if (target instanceof HTMLInputElement && goesOn) mistyped.ask(target.value);
          }}
        >
          <EmailField
            field={fields.email}
            label="Email"
            hint="We send the confirmation and invoice here."
            required
            autoFocus={false}
          >
            <p role="status" className="text-sm">
              {suggestion && (
                <button
                  type="button"
                  id={MEANT_ID}
                  onClick={acceptSuggestion}
                  className="link mt-1 min-h-6 cursor-pointer text-left"
                >
                  Did you mean {suggestion}?
                </button>
              )}
            </p>
          </EmailField>
        </div>
        <TextField
          field={fields.phone}
          label="Phone"
          hint="Outside India, start with +."
          type="tel"
          inputMode="tel"
          autoComplete="tel"
          maxLength={32}
          required
          autoFocus={false}
        />
      </div>
      <DataNotice booking={booking} />
    </div>
  );
}

/** Above the submit button wherever the page is read: on a phone the button stays in sight. */
function DataNotice({ booking: { home, returned } }: { booking: BookingFormState }) {
  const { whatsapp } = home;
  return (
    <div className="grid gap-2.5">
      <PassNote icon="document">
        We use what you enter here to hold the session, to send booking messages by email
        {whatsapp && " and WhatsApp"}, and for the invoice. If the student is under 18, a parent or
        guardian books and gives their own details.{" "}
        <a className="link" href={href("/privacy")}>
          Privacy
        </a>
      </PassNote>
      {whatsapp && (
        <label className="flex min-h-11 items-center gap-2">
          <input
            type="checkbox"
            name="noWhatsApp"
            defaultChecked={returned?.reply.initialValue?.noWhatsApp === "on"}
            className="size-5 shrink-0 accent-action"
          />
          No WhatsApp messages, please
        </label>
      )}
    </div>
  );
}

export function InvoiceFields({ fields, isStateAsked }: { fields: Fields; isStateAsked: boolean }) {
  const unknown = isStateAsked
    ? ""
    : " If you leave it empty, we use the state of your GSTIN, or else our own.";
  return (
    <div className="grid gap-5">
      <SelectField
        field={fields.state}
        label="State"
        hint={`For the GST on your invoice.${unknown} If you live outside India, choose “Outside India”, and give your address and country below.`}
        options={[["", isStateAsked ? "Please choose" : "Not given"], ...PLACE_OPTIONS]}
      />
      <CompanyFields fields={fields} />
    </div>
  );
}

function CompanyFields({ fields }: { fields: Fields }) {
  const { gstin, billingName, billingAddress, country } = fields;
  const all = [gstin, billingName, billingAddress, country];
  const [open, setOpen] = useState(() => all.some((field) => field.initialValue));
  const isWrong = all.some((field) => field.errors);
  const box = useRef<HTMLDetailsElement>(null);
  // Opened before the scripts had loaded: by the visitor, or with what is restored.
  useEffect(() => setOpen(box.current?.open === true), []);

  /** Chooses the company's state, which is part of its GSTIN. */
  function fillState(typed: string) {
    const number = typed.replace(/\s/g, "");
    const code = stateOfGstin(number);
    const state = document.getElementById(fields.state.id);
    if (number.length !== 15 || !GST_STATES.has(code) || !(state instanceof HTMLSelectElement))
      return;
    state.value = code;
    state.dispatchEvent(new Event("input", { bubbles: true }));
  }

  return (
    <details
      ref={box}
      open={open || isWrong}
      onToggle={(event) => setOpen(event.currentTarget.open)}
    >
      <summary className="link w-fit cursor-pointer py-1">
        Invoice for a company, or outside India
      </summary>
      <div className="mt-3 grid gap-5">
        <TextField
          field={gstin}
          label="GSTIN"
          hint="As on the GST certificate. Not for units in a special economic zone (SEZ)."
          autoComplete="off"
          autoCapitalize="characters"
          spellCheck={false}
          maxLength={40}
          onInput={(event) => fillState(event.currentTarget.value)}
        />
        <TextField
          field={billingName}
          label="Company name"
          autoComplete="organization"
          maxLength={100}
        />
        <TextAreaField
          field={billingAddress}
          label="Address"
          hint="Of the company, or yours outside India."
          maxLength={300}
          rows={2}
        />
        <TextField
          field={country}
          label="Country"
          hint="Only outside India."
          autoComplete="country-name"
          maxLength={60}
        />
      </div>
    </details>
  );
}
