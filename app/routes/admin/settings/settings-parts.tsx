/** The parts of the settings page. */
import type { ComponentProps, ReactNode } from "react";
import { href } from "react-router";
import { SelectField, TextAreaField, TextField } from "#app/components/field.tsx";
import { GST_STATES } from "#app/model/gstin.ts";
import { LONGEST, type Rule, SETTINGS } from "#app/model/settings.ts";
import type { Question } from "#app/model/settings-fields.ts";
import { withLineFeeds } from "#app/model/text-blocks.ts";
import { lookUp } from "#app/model/unknown-code.ts";
import { ErrorOf, useFieldOf } from "#app/routes/admin/parts/fields.tsx";
import type { Typed } from "#app/routes/admin/parts/form-data.ts";
import { Saved } from "#app/routes/admin/parts/form-page.tsx";
import { Part } from "#app/routes/admin/parts/form-parts.tsx";
import { ButtonForm } from "#app/routes/admin/parts/page-parts.tsx";
import type { SettingsView } from "./settings-view.server.ts";

type Options = ComponentProps<typeof SelectField>["options"];

type InputProps = Partial<ComponentProps<typeof TextField>>;

/** The label defaults to that of the setting. */
interface Given extends Pick<InputProps, "label" | "hint" | "type" | "inputMode" | "autoComplete"> {
  options?: Options;
}

interface FieldsPartProps {
  id: string;
  title: string;
  text: string;
  fields: readonly (readonly [name: string, given?: Given])[];
  children?: ReactNode;
}

const number = { inputMode: "decimal", autoComplete: "off" } as const;

const ASKED: Options = [
  ["optional", "May be left empty"],
  ["required", "Has to be given"],
];

export const BUSINESS: FieldsPartProps = {
  id: "business",
  title: "Business",
  text: "The supplier on invoices, policy pages and mails. Documents issued before keep what they say.",
  fields: [
    ["businessName"],
    ["businessAddress"],
    ["businessState", { options: [...GST_STATES] }],
    ["businessGstin"],
    ["businessCin", { label: "CIN or LLPIN, if any" }],
    ["businessSac", { inputMode: "numeric" }],
    ["businessEmail", { type: "email" }],
    ["businessPhone", { type: "tel" }],
    [
      "grievanceContact",
      {
        hint: "Name and address of the person who answers complaints. Every page shows it.",
      },
    ],
  ],
};

export const BRAND: FieldsPartProps = {
  id: "brand",
  title: "Brand",
  text: "Above every page, in mails, on documents and in calendars.",
  fields: [
    ["brand"],
    ["tagline"],
    [
      "accent",
      {
        label: "Colour of buttons and links",
        hint: "It is made darker, or in the dark theme lighter, until its text can be read.",
        type: "color",
      },
    ],
  ],
};

export const RULES: FieldsPartProps = {
  id: "rules",
  title: "Rules",
  text: "For bookings to come: those made before keep the time and the price they were made under. The policy pages say the new ones at once.",
  fields: [
    ["minNoticeMinutes", { hint: "From booking to the session’s start.", ...number }],
    ["bookingWindowDays", number],
    ["paymentWindowSeconds", { hint: "900 are 15 minutes.", ...number }],
    [
      "holdSeconds",
      {
        hint: "At least 12 minutes (720 seconds) longer than the time to start paying: a payment takes time.",
        ...number,
      },
    ],
    [
      "selfServiceCutoffHours",
      { label: "Last change by the customer, in hours before", ...number },
    ],
    ["retentionUnpaidDays", { hint: "Then their personal data goes.", ...number }],
    ["askState", { label: "The customer’s state, in the booking form", options: ASKED }],
  ],
};

const ruleOf = lookUp<string, Rule>(SETTINGS);

export function FieldsPart({ fields, children, ...part }: FieldsPartProps) {
  const of = useFieldOf();
  return (
    <Part {...part}>
      <div className="grid gap-4">
        {fields.map(([name, { options, ...given } = {}]) => {
          const { shown, ...filled } = of(name);
          const [label = "", , maxLength] = ruleOf(name) ?? [];
          const all = { label, ...given, maxLength, ...filled };
          return options ? (
            <SelectField key={name} {...all} options={options} defaultValue={shown} />
          ) : (
            <TextField key={name} {...all} shown={shown} />
          );
        })}
        {children}
      </div>
    </Part>
  );
}

/** A letter for each row, as field names may have only letters. */
export const ROWS = [..."ABCDEFGHIJKLMNOPQRST"];

/** Empty rows below the existing questions. */
const MORE_ROWS = 2;

interface QuestionsPartProps {
  view: SettingsView;
  /** The rows of the refused form; null if they are the saved ones. */
  typed: Typed | null;
}

export function QuestionsPart({ view, typed }: QuestionsPartProps) {
  const of = useFieldOf();
  const { faq, faqNote } = view;
  const shown = ROWS.map((row, i) => ({
    row,
    question: (typed ? typed[`question${row}`] : faq[i]?.question) ?? "",
    answer: withLineFeeds((typed ? typed[`answer${row}`] : faq[i]?.answer) ?? ""),
  }));
  const last = shown.findLastIndex(({ question, answer }) => question || answer);
  const given = (place: number, part: keyof Question) => {
    const { row, [part]: text } = shown[place]!;
    const saved = faq[place]?.[part] ?? "";
    return {
      field: of(part + row, `faq[${place}].${part}`).field,
      shown: text,
      ...(typed && text !== saved && { hint: <Saved text={saved} /> }),
      maxLength: part === "question" ? LONGEST.question : LONGEST.answer,
    };
  };
  return (
    <Part
      id="questions"
      title="Questions and answers"
      text="On the booking page. A row left empty is none; two more come with each saving."
    >
      <p className="mb-4 font-medium">{faqNote}</p>
      <div className="grid gap-4">
        <ErrorOf name="faq" />
        {shown.slice(0, last + 1 + MORE_ROWS).map(({ row }, i) => (
          <div key={row} className="grid gap-3 lg:grid-cols-[2fr_3fr]">
            <TextField label={`Question ${i + 1}`} {...given(i, "question")} />
            <TextAreaField label={`Answer ${i + 1}`} {...given(i, "answer")} />
          </div>
        ))}
      </div>
    </Part>
  );
}

export function ServicesPart({ services, lookNote }: Pick<SettingsView, "services" | "lookNote">) {
  return (
    <Part
      id="outside"
      title="Services and keys"
      text={`Set on the server; no key or secret is shown. ${lookNote}; “npm run doctor” on the server tells at once what it finds. docs/operations.md says how to set each.`}
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
      <ButtonForm action={href("/admin/first-steps")} className="mt-4">
        <button type="submit" name="away" value="false" className="button button-quiet">
          Show the First Steps on the Dashboard
        </button>
      </ButtonForm>
    </Part>
  );
}
