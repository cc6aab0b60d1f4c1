import type { FieldMetadata } from "@conform-to/react";
import { useState } from "react";
import { TextField } from "#app/components/field.tsx";
import { likelyEmail } from "./email-typo.ts";

type PersonField = "name" | "email" | "phone";

interface PersonFieldsProps {
  fields: Record<PersonField, FieldMetadata<string | undefined>>;
  onEmail: () => void;
}

export function PersonFields({ fields, onEmail }: PersonFieldsProps) {
  const [meant, setMeant] = useState<string | null>(null);

  function acceptMeant() {
    const input = document.getElementById(fields.email.id) as HTMLInputElement;
    input.value = meant ?? input.value;
    input.dispatchEvent(new Event("input", { bubbles: true }));
    setMeant(null);
    onEmail();
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
          onBlur={(event) => {
            if (event.target instanceof HTMLInputElement) setMeant(likelyEmail(event.target.value));
          }}
        >
          <TextField
            field={fields.email}
            label="Email"
            hint="We send the confirmation and invoice here."
            type="email"
            inputMode="email"
            autoComplete="email"
            maxLength={254}
            required
            autoFocus={false}
          >
            <p role="status" className="text-sm">
              {meant && (
                <button
                  type="button"
                  onClick={acceptMeant}
                  className="link mt-1 min-h-6 cursor-pointer text-left"
                >
                  Did you mean {meant}?
                </button>
              )}
            </p>
          </TextField>
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
    </div>
  );
}
