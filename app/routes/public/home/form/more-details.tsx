import type { FieldMetadata } from "@conform-to/react";
import { SelectField, TextAreaField } from "#app/components/field.tsx";
import { GST_STATE_OPTIONS } from "#app/model/gstin.ts";

interface MoreDetailsProps {
  fields: Record<"state" | "notes", FieldMetadata<string | undefined>>;
}

export function MoreDetails({ fields }: MoreDetailsProps) {
  return (
    <div className="grid gap-5">
      <SelectField
        field={fields.state}
        label="State"
        hint="For the GST invoice; without it we take our own state."
        options={[["", "Not given"], ...GST_STATE_OPTIONS]}
      />
      <TextAreaField
        field={fields.notes}
        label="Your question for the captain"
        hint="Class and subjects, where you stand, what you most want to know. Please send no medical documents."
        maxLength={1000}
      />
    </div>
  );
}
