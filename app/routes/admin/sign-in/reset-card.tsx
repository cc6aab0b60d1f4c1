/** The three steps of a reset, each a form that works as a plain post. */
import { type ReactNode, useRef } from "react";
import { Form, useNavigation } from "react-router";
import type { FieldErrors } from "#app/model/outcome.ts";
import { Problem } from "#app/routes/admin/parts/notice.tsx";
import { AdminField, CodeField } from "#app/routes/admin/parts/text-field.tsx";
import { useFirstError } from "#app/routes/admin/parts/use-first-error.ts";

export type ResetStep =
  | { step: "email"; email: string }
  | { step: "otp"; email: string }
  | { step: "password" };

interface ResetRefusal {
  title: string;
  message: string;
  errors?: FieldErrors | undefined;
}

interface ResetCardProps {
  state: ResetStep;
  refusal: ResetRefusal | null;
}

export function ResetCard({ state, refusal }: ResetCardProps) {
  const errors = refusal?.errors;
  switch (state.step) {
    case "email":
      return (
        <Step
          key="email"
          title="Reset Password"
          text="Enter your email. We send a one-time code to it."
          refusal={refusal}
          buttons={["send", "Send OTP", "Sending..."]}
          back={["cancel", "Cancel"]}
        >
          <AdminField
            name="email"
            label="Email"
            type="email"
            autoComplete="email"
            maxLength={254}
            defaultValue={state.email}
            errors={errors}
          />
        </Step>
      );
    case "otp":
      return (
        <Step
          key="otp"
          title="Verify OTP"
          text={
            <>
              An OTP was sent to <strong className="break-words text-ink">{state.email}</strong>, if
              an account has this address. It is good for 10 minutes. One that you asked for in the
              last 10 minutes still holds, and no other is sent meanwhile.
            </>
          }
          refusal={refusal}
          buttons={["verify", "Verify OTP", "Verifying..."]}
          back={["restart", "Back"]}
          extra={
            <button
              type="submit"
              name="intent"
              value="restart"
              className="link cursor-pointer py-1"
            >
              Use different email?
            </button>
          }
        >
          <CodeField name="otp" label="Six-digit code" errors={errors} />
        </Step>
      );
    case "password":
      return (
        <Step
          key="password"
          title="New Password"
          text="This ends every session of your account."
          refusal={refusal}
          buttons={["reset", "Reset Password", "Resetting..."]}
          back={["back", "Back"]}
        >
          <AdminField
            name="newPassword"
            label="New Password"
            hint="At least 6 characters; a sentence is better."
            type="password"
            autoComplete="new-password"
            maxLength={200}
            errors={errors}
          />
          <AdminField
            name="confirmPassword"
            label="Confirm Password"
            type="password"
            autoComplete="new-password"
            maxLength={200}
            errors={errors}
          />
        </Step>
      );
  }
}

interface StepProps {
  title: string;
  text: ReactNode;
  refusal: ResetRefusal | null;
  /** Intent, word and word while pending of the button that goes on. */
  buttons: readonly [intent: string, word: string, pending: string];
  back: readonly [intent: string, word: string];
  extra?: ReactNode;
  children: ReactNode;
}

function Step({ title, text, refusal, buttons, back, extra, children }: StepProps) {
  const [intent, word, pendingWord] = buttons;
  const form = useRef<HTMLFormElement>(null);
  useFirstError(form, refusal);
  const pending = useNavigation().formData?.get("intent") === intent;
  return (
    <section className="card mx-auto mt-6 max-w-112 p-6 shadow-low">
      <title>{`${title} – Admin`}</title>
      <h1 className="display text-2xl">{title}</h1>
      <p className="mb-5 text-muted">{text}</p>
      {refusal && !refusal.errors && <Problem title={refusal.title} message={refusal.message} />}
      <Form ref={form} method="post" noValidate className="grid gap-4">
        {/* First in the form, so that Enter in a field goes on and not back. */}
        <button type="submit" name="intent" value={intent} hidden tabIndex={-1} aria-hidden="true">
          {word}
        </button>
        {children}
        {extra && <p>{extra}</p>}
        <div className="flex flex-wrap gap-3">
          <button
            type="submit"
            name="intent"
            value={back[0]}
            className="button button-quiet flex-1"
          >
            {back[1]}
          </button>
          <button
            type="submit"
            name="intent"
            value={intent}
            disabled={pending}
            className="button button-primary flex-1"
          >
            {pending ? pendingWord : word}
          </button>
        </div>
      </Form>
    </section>
  );
}
