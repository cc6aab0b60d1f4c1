import type { FieldMetadata } from "@conform-to/react";
import { useState } from "react";
import { SelectField, TextAreaField, TextField } from "#app/components/field.tsx";
import { GST_STATE_OPTIONS } from "#app/model/gstin.ts";

type Name = "state" | "notes" | "gstin" | "billingName" | "billingAddress";

interface MoreDetailsProps {
  fields: Record<Name, FieldMetadata<string | undefined>>;
}

export function MoreDetails({ fields }: MoreDetailsProps) {
  return (
    <div className="grid gap-5">
      <SelectField
        field={fields.state}
        label="State"
        hint="For the GST on your invoice. If you leave it empty, we use our own state."
        options={[["", "Not given"], ...GST_STATE_OPTIONS]}
      />
      <TextAreaField
        field={fields.notes}
        label="Your question for the captain"
        hint="Your class and subjects, how far you are, and what you most want to know."
        maxLength={1000}
      />
      <CompanyFields fields={fields} />
    </div>
  );
}

function CompanyFields({ fields }: MoreDetailsProps) {
  const { gstin, billingName, billingAddress } = fields;
  const all = [gstin, billingName, billingAddress];
  const [open, setOpen] = useState(() => all.some((field) => field.initialValue));
  const isWrong = all.some((field) => field.errors);
  return (
    <details open={open || isWrong} onToggle={(event) => setOpen(event.currentTarget.open)}>
      <summary className="link w-fit cursor-pointer py-1">Invoice for a company</summary>
      <div className="mt-3 grid gap-5">
        <TextField
          field={gstin}
          label="GSTIN"
          hint="As on the GST certificate. Not for units in a special economic zone (SEZ)."
          autoComplete="off"
          autoCapitalize="characters"
          spellCheck={false}
          maxLength={40}
        />
        <TextField
          field={billingName}
          label="Company name"
          autoComplete="organization"
          maxLength={100}
        />
        <TextAreaField field={billingAddress} label="Company address" maxLength={300} rows={2} />
      </div>
    </details>
  );
}
