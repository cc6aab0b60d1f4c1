/** What forms of the admin area are made of. */
import type { ReactNode } from "react";
import { useNavigation } from "react-router";
import { type Field, TextField } from "#app/components/field.tsx";

export function Part({
  id,
  title,
  text,
  children,
}: {
  /** Of its heading, where the page leads to it. */
  id?: string;
  title: string;
  text: string;
  children: ReactNode;
}) {
  return (
    <section aria-label={title} className="card p-5">
      <h2 id={id} className="display scroll-mt-4 text-xl">
        {title}
      </h2>
      <p className="mb-4 text-muted">{text}</p>
      {children}
    </section>
  );
}

export function CurrentPassword({ field }: { field: Field }) {
  return (
    <TextField
      field={field}
      label="Current password"
      type="password"
      autoComplete="current-password"
      maxLength={200}
    />
  );
}

export function Press({
  intent,
  quiet = false,
  children,
}: {
  intent: string;
  quiet?: boolean;
  children: ReactNode;
}) {
  const pending = useNavigation().formData?.get("intent") === intent;
  return (
    <button
      type="submit"
      name="intent"
      value={intent}
      disabled={pending}
      aria-busy={pending || undefined}
      className={`button justify-self-start ${quiet ? "button-quiet" : "button-primary"}`}
    >
      {children}
    </button>
  );
}

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
