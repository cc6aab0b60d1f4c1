/** A new password, typed twice. */
import { type Field, TextField } from "#app/components/field.tsx";

interface PasswordPairProps {
  fields: Record<"newPassword" | "confirmPassword", Field>;
  labels: readonly [first: string, again: string];
}

export function PasswordPair({ fields, labels }: PasswordPairProps) {
  const both = { type: "password", autoComplete: "new-password", maxLength: 200 } as const;
  return (
    <>
      <TextField
        field={fields.newPassword}
        label={labels[0]}
        hint="At least 6 characters; a sentence is better."
        {...both}
      />
      <TextField field={fields.confirmPassword} label={labels[1]} {...both} />
    </>
  );
}
