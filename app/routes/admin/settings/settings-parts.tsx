/** The forms of the settings' page. */
import { Form, href } from "react-router";
import { Portrait } from "#app/components/captain-card.tsx";
import {
  FieldError,
  SelectField,
  sentAs,
  TextAreaField,
  TextField,
} from "#app/components/field.tsx";
import { LONGEST, type Question } from "#app/model/settings.ts";
import type { Reply } from "#app/routes/admin/parts/form-data.ts";
import {
  type ConcurrentEdit,
  type Of,
  PageForm,
  SubmitButton,
} from "#app/routes/admin/parts/form-page.tsx";
import { Part } from "#app/routes/admin/parts/form-parts.tsx";
import type { SettingsView, SettingValues } from "./settings-view.server.ts";

interface PartProps {
  edit: ConcurrentEdit<SettingValues>;
  reply: Reply | null;
}

interface SavedPartProps extends PartProps {
  /** Of the part, and of its form by its button. */
  id: string;
  title: string;
  text: string;
  button: string;
  children: (of: Of) => React.ReactNode;
}

/** A part whose form saves some of the settings. */
function SavedPart({ id, title, text, button, edit, reply, children }: SavedPartProps) {
  return (
    <Part id={id} title={title} text={text}>
      <PageForm
        id={`settings-${id}`}
        reply={reply}
        edit={edit}
        preventScrollReset
        className="grid gap-4"
      >
        {(of) => (
          <>
            {children(of)}
            <SubmitButton intent={id} pending="Saving..." className="justify-self-start">
              {button}
            </SubmitButton>
          </>
        )}
      </PageForm>
    </Part>
  );
}

export function BusinessPart({ view, ...props }: PartProps & { view: SettingsView }) {
  return (
    <SavedPart
      id="business"
      title="Business"
      text="The supplier on invoices, policy pages and mails. Documents issued before keep what they say."
      button="Save Business"
      {...props}
    >
      {(of) => (
        <>
          <TextField {...of("businessName")} label="Legal name" maxLength={LONGEST.name} />
          <TextField {...of("businessAddress")} label="Address" maxLength={LONGEST.address} />
          <div className="grid gap-4 sm:grid-cols-2">
            <SelectField
              field={of("businessState").field}
              label="State"
              options={view.states}
              defaultValue={props.edit.values.businessState}
            />
            <TextField {...of("businessGstin")} label="GSTIN" maxLength={15} />
            <TextField {...of("businessCin")} label="CIN or LLPIN, if any" maxLength={21} />
            <TextField {...of("businessSac")} label="SAC" inputMode="numeric" maxLength={8} />
            <TextField {...of("businessEmail")} label="Email" type="email" maxLength={254} />
            <TextField {...of("businessPhone")} label="Phone" type="tel" maxLength={32} />
          </div>
          <TextField
            {...of("grievanceContact")}
            label="Grievance contact"
            hint="Name and address of the person who answers complaints. Every page shows it."
            maxLength={LONGEST.contact}
          />
        </>
      )}
    </SavedPart>
  );
}

export function BrandPart(props: PartProps) {
  return (
    <SavedPart
      id="brand"
      title="Brand"
      text="Above every page, in mails and in calendars."
      button="Save Brand"
      {...props}
    >
      {(of) => (
        <>
          <TextField {...of("brand")} label="Brand" maxLength={LONGEST.brand} />
          <TextField {...of("tagline")} label="Tagline" maxLength={LONGEST.tagline} />
          <TextField
            {...of("accent")}
            label="Colour of buttons and links"
            hint="It is made darker, or in the dark theme lighter, until its text can be read."
            type="color"
          />
        </>
      )}
    </SavedPart>
  );
}

interface LogoPartProps {
  logo: string | null;
  version: string;
  /** What was wrong with the file that was sent. */
  errors?: string[] | undefined;
}

export function LogoPart({ logo, version, errors }: LogoPartProps) {
  return (
    <Part
      title="Logo"
      text="Beside the brand. PNG, JPEG or WebP, at most 4 MB and 24 megapixels; a square one on nothing looks best."
    >
      <div className="flex flex-wrap items-end gap-4">
        {logo && <Portrait portrait={logo} alt="The logo" size={64} className="size-16" />}
        <Form
          // Empty again after an upload.
          key={logo}
          method="post"
          action={`${href("/admin/settings/logo")}?version=${version}`}
          encType="multipart/form-data"
          className="grid min-w-0 flex-1 basis-64 gap-3"
        >
          <div>
            <label htmlFor="logo" className="block font-semibold">
              New logo
            </label>
            <input
              id="logo"
              type="file"
              name="logo"
              accept="image/png,image/jpeg,image/webp"
              required
              aria-invalid={errors ? true : undefined}
              aria-describedby={errors ? "logo-error" : undefined}
              className="input mt-1.5"
            />
            <FieldError id="logo-error" errors={errors} />
          </div>
          <SubmitButton className="justify-self-start">Upload</SubmitButton>
        </Form>
      </div>
    </Part>
  );
}

const RULES = [
  ["minNoticeMinutes", "Shortest notice, in minutes", "From booking to the session’s start."],
  ["bookingWindowDays", "How far ahead people book, in days", undefined],
  ["paymentWindowSeconds", "Time to start paying, in seconds", "900 are 15 minutes."],
  [
    "holdSeconds",
    "Time that is held, in seconds",
    "At least 12 minutes (720 seconds) longer than the time to start paying: a payment takes time.",
  ],
  ["selfServiceCutoffHours", "Last change by the customer, in hours before", undefined],
  ["retentionUnpaidDays", "Unpaid bookings are kept, in days", "Then their personal data goes."],
] as const;

const ASKED = [
  ["optional", "May be left empty"],
  ["required", "Has to be given"],
] as const;

export function RulesPart(props: PartProps) {
  return (
    <SavedPart
      id="rules"
      title="Rules"
      text="For bookings to come: those made before keep the time and the price they were made under. The policy pages say the new ones at once."
      button="Save Rules"
      {...props}
    >
      {(of) => (
        <>
          {RULES.map(([name, label, hint]) => (
            <TextField
              key={name}
              hint={hint}
              {...of(name)}
              label={label}
              inputMode="decimal"
              autoComplete="off"
            />
          ))}
          <SelectField
            field={of("askState").field}
            label="The customer’s state, in the booking form"
            options={ASKED}
            defaultValue={props.edit.values.askState}
          />
        </>
      )}
    </SavedPart>
  );
}

export function QuestionsPart({ view, ...props }: PartProps & { view: SettingsView }) {
  const { faq, faqRows } = view;
  const typed = props.reply?.initialValue?.faq as Question[] | undefined;
  return (
    <SavedPart
      id="questions"
      title="Questions and answers"
      text="On the booking page. A row left empty is none; two more come with each saving. Once saved they stay as they are written: if a rule changes, change its answer too."
      button="Save Questions"
      {...props}
    >
      {(of) => (
        <>
          <FieldError id={of("faq").field.errorId} errors={of("faq").field.errors} />
          {faqRows.map((row, i) => (
            <div key={row} className="grid gap-3 lg:grid-cols-[2fr_3fr]">
              <TextField
                field={sentAs(of(`${row}.question`).field, "faqQuestion")}
                label={`Question ${i + 1}`}
                shown={(typed ?? faq)[i]?.question ?? ""}
                maxLength={LONGEST.question}
              />
              <TextAreaField
                field={sentAs(of(`${row}.answer`).field, "faqAnswer")}
                label={`Answer ${i + 1}`}
                shown={(typed ?? faq)[i]?.answer ?? ""}
                maxLength={LONGEST.answer}
              />
            </div>
          ))}
        </>
      )}
    </SavedPart>
  );
}

export function ServicesPart({ services }: Pick<SettingsView, "services">) {
  return (
    <Part
      id="outside"
      title="Services and keys"
      text="Set on the server; no key or secret is shown. The doctor looks at them once a day, and at once with “npm run doctor”; docs/operations.md says how to set each."
    >
      <dl className="grid gap-x-8 gap-y-3 md:grid-cols-2">
        {services.map(({ name, variables, isSet, note }) => (
          <div key={name} className="min-w-0 wrap-anywhere">
            <dt className="font-semibold">
              {name} <span className="text-sm font-normal text-muted">{variables}</span>
            </dt>
            <dd className={isSet ? "text-sm" : "text-sm text-waiting-ink"}>
              {isSet ? "Set. " : "Not set."}
              {note}
            </dd>
          </div>
        ))}
      </dl>
      <Form method="post" action={href("/admin/first-steps")} className="mt-4">
        <button type="submit" name="away" value="false" className="button button-quiet">
          Show the First Steps on the Dashboard
        </button>
      </Form>
    </Part>
  );
}
