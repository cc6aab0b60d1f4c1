/** Asks for the booking's e-mail address: who only has the page's address may look, not change. */
import type { FieldMetadata } from "@conform-to/react";
import { TextField } from "#app/components/field.tsx";

interface OwnerEmailProps {
  field: FieldMetadata<string | undefined>;
  /** The address with most of it hidden. */
  hint: string;
}

export function OwnerEmail({ field, hint }: OwnerEmailProps) {
  return (
    <TextField
      field={field}
      label="Email of this booking"
      hint={
        <>
          The one you booked with, <span className="whitespace-nowrap">{hint}</span>. We ask so that
          nobody else can change your booking.
        </>
      }
      type="email"
      inputMode="email"
      autoComplete="email"
      maxLength={254}
      required
      autoFocus={false}
    />
  );
}
