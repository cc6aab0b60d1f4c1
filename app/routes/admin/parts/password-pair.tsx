/** A new password, typed twice. */
import { type Field, TextField } from "#app/components/field.tsx";

interface PasswordPairProps {
  fields: Record<"newPassword" | "confirmPassword", Field>;
  labels: readonly [first: string, again: string];
  /** The fewest characters. */
  least?: number;
}

export function PasswordPair({ fields, labels, least = 6 }: PasswordPairProps) {
  const both = { type: "password", autoComplete: "new-password", maxLength: 200 } as const;
  return (
    <>
      <TextField
        field={fields.newPassword}
        label={labels[0]}
        hint={`At least ${least} characters; a sentence is better.`}
        {...both}
      />
      <TextField field={fields.confirmPassword} label={labels[1]} {...both} />
    </>
  );
}
