/** Fields of the staff booking form: the customer and the payment. */
import type { ComponentProps } from "react";
import { FieldFrame } from "#app/components/field.tsx";
import { StudentFields } from "#app/components/student-fields.tsx";
import { PLACE_OPTIONS } from "#app/model/gstin.ts";
import { OFFLINE_METHODS } from "#app/model/statuses.ts";
import { paymentMethodLabel } from "#app/model/wording.ts";
import {
  AreaField,
  InputField,
  LineField,
  OptionsField,
  useFieldOf,
} from "#app/routes/admin/parts/fields.tsx";
import { Choice, Choices } from "#app/routes/admin/parts/form-parts.tsx";
import type { SessionView } from "#app/routes/admin/parts/views.server.ts";
import type { FoundCustomer } from "./booking-form-view.server.ts";

/** `found` is null before a search. */
export function SearchPart({ found }: { found: readonly FoundCustomer[] | null }) {
  const { field, shown } = useFieldOf()("q");
  return (
    <div className="grid gap-2 rounded-sm bg-sunken p-3">
      <div className="flex flex-wrap items-end gap-3">
        <FieldFrame
          field={field}
          label="Known customer"
          hint="Name, phone or email"
          className="min-w-44 flex-1"
        >
          {(control) => (
            <input
              key={shown}
              defaultValue={shown}
              {...control}
              type="search"
              autoComplete="off"
              maxLength={100}
              // biome-ignore lint/a11y/noAutofocus: a call begins with the caller's name
              autoFocus={found === null || found.length === 0}
              className="input mt-1.5"
            />
          )}
        </FieldFrame>
        <button
          type="submit"
          name="intent"
          value="find"
          formNoValidate
          className="button button-quiet"
        >
          Find customer
        </button>
      </div>
      <div role="status">
        {found?.length === 0 && (
          <p>Nobody with these words has booked before. Please type the customer below.</p>
        )}
        {found && found.length > 0 && (
          <p className="sr-only">{`${found.length} found. Choose who it is.`}</p>
        )}
      </div>
      {found && found.length > 0 && (
        <ul className="grid gap-1">
          {found.map(({ id, name, reach, last }, i) => (
            <li key={id}>
              <button
                type="submit"
                name="pick"
                value={id}
                formNoValidate
                // biome-ignore lint/a11y/noAutofocus: Enter chooses the first result
                autoFocus={i === 0}
                className="w-full cursor-pointer rounded-sm border border-line bg-surface px-3 py-2 text-left hover:border-action"
              >
                <strong className="break-words">{name}</strong>{" "}
                <span className="block break-words text-sm">{reach}</span>{" "}
                <span className="block text-sm text-muted">{last}</span>
              </button>
            </li>
          ))}
        </ul>
      )}
    </div>
  );
}

interface ContactFieldsProps extends Pick<ComponentProps<"input">, "autoFocus" | "required"> {
  "data-first"?: "";
}

/** Of the customer; the name may take the focus. */
export function ContactFields({ required, ...first }: ContactFieldsProps) {
  return (
    <>
      <LineField name="name" required={required} label="Full name" maxLength={100} {...first} />
      <LineField name="email" required={required} label="Email" type="email" maxLength={254} />
      <LineField name="phone" required={required} label="Phone" type="tel" maxLength={32} />
    </>
  );
}

/** What the customer was told and agreed to on the phone; neither is ticked in advance. */
export function ConsentPart({ whatsapp }: { whatsapp: boolean }) {
  const of = useFieldOf();
  const box = (name: string, words: string) => (
    <Choice type="checkbox" name={name} defaultChecked={of(name).shown !== undefined}>
      {words}
    </Choice>
  );
  return (
    <div>
      {box("noticeRead", "I read the notice to the customer")}
      <p className="text-sm text-muted">
        “We use your details to hold the session, to send booking messages by email, and for the
        invoice. If the student is under 18, a parent or guardian books and gives their own
        details.” And where our privacy page is.
      </p>
      {whatsapp && box("whatsapp", "The customer agrees to booking messages by WhatsApp")}
    </div>
  );
}

export function StudentPart() {
  return (
    <StudentFields
      of={useFieldOf()}
      legend="Who the session is for"
      words={["For the customer", "For someone else"]}
      guardian="The customer then gets a link by email to confirm as parent or guardian."
    />
  );
}

/** Details for the invoice only, folded unless one is filled in or wrong. */
export function CompanyPart() {
  const of = useFieldOf();
  const names = ["state", "gstin", "billingName", "billingAddress", "country"];
  const open = names.some((name) => of(name).shown || of(name).field.errors);
  return (
    <details open={open}>
      <summary className="link w-fit cursor-pointer py-1">
        State, and invoice for a company or outside India
      </summary>
      <div className="mt-3 grid gap-4">
        <OptionsField name="state" label="State" options={[["", "Not given"], ...PLACE_OPTIONS]} />
        <LineField name="gstin" label="GSTIN" maxLength={40} />
        <LineField name="billingName" label="Company name" maxLength={100} />
        <AreaField
          name="billingAddress"
          label="Address"
          hint="Of the company, or the customer’s outside India"
          maxLength={300}
          rows={2}
        />
        <LineField name="country" label="Country" hint="Only outside India" maxLength={60} />
      </div>
    </details>
  );
}

const WAYS = [
  ["link", "Payment link by email"],
  ["offline", "Paid outside, to you"],
] as const;

/** Both ways of payment are rendered; CSS hides the one not chosen, so it works without scripts. */
export function PaymentPart({ by, today }: { by: string; today: string }) {
  return (
    <fieldset key={by} className="group/pay grid gap-4">
      <legend className="sr-only">How it is paid</legend>
      <div className="flex flex-wrap gap-x-6">
        <Choices name="payBy" chosen={by} options={WAYS} />
      </div>
      <div className="group-has-[input[value=offline]:checked]/pay:hidden">
        <LinkUntilField />
      </div>
      <div className="grid gap-4 group-has-[input[value=link]:checked]/pay:hidden">
        <OfflineFields today={today} />
      </div>
    </fieldset>
  );
}

/** For dialogs about an unpaid booking: false while it is unpaid. */
export function overIfNotUnpaid({ status, paid }: SessionView) {
  if (status === "pending_payment") return false;
  return <p>This booking is {paid ? "paid" : "cancelled"} already.</p>;
}

export function LinkUntilField() {
  return (
    <InputField
      name="payBefore"
      label="The link can be paid until (IST)"
      hint="Empty: 24 hours from now, or two hours before the session if that is sooner. At most 7 days ahead. Until then the time is kept."
      type="datetime-local"
    />
  );
}

const METHODS = OFFLINE_METHODS.map((method) => [method, paymentMethodLabel(method)] as const);

/** Fields for money that staff took themselves; `today` is the date in India. */
export function OfflineFields({ today }: { today: string }) {
  return (
    <>
      <OptionsField
        name="method"
        label="How it was paid"
        options={[["", "Please select"], ...METHODS]}
      />
      <LineField
        name="reference"
        label="Reference"
        hint="Receipt number or bank reference, if any; printed on the invoice, which is never erased"
        maxLength={100}
      />
      <InputField
        name="receivedOn"
        label="Date received"
        hint="Empty: today. Money of an earlier month is listed apart for the accountant, since its tax belongs to that month; of an earlier financial year, two years back at most, only the owner can enter it."
        type="date"
        max={today}
      />
    </>
  );
}
