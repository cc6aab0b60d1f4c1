/** The steps of a reset, each a form that also works without scripts. */

import { type FormMetadata, getFormProps } from "@conform-to/react";
import { type ComponentProps, type ReactNode, useEffect } from "react";
import { Form, useNavigation, useSubmit } from "react-router";
import { type Field, FieldFrame, TextField } from "#app/components/field.tsx";
import { SHORTEST_RESET_PASSWORD } from "#app/model/actor.ts";
import type { Reply } from "#app/routes/admin/parts/form-data.ts";
import { useAnsweredForm } from "#app/routes/admin/parts/form-page.tsx";
import { PasswordPair } from "#app/routes/admin/parts/form-parts.tsx";
import { Problem, type Refusal } from "#app/routes/admin/parts/notice.tsx";

export type ResetStep =
  | { step: "email"; email: string }
  | { step: "otp"; email: string }
  | { step: "password" }
  | { step: "complete" };

/** Long enough to read the message. */
const RETURN_AFTER_MS = 3000;

/** The response to a refused form. */
type Refused = { refusal: Refusal | null; reply?: Reply | null } | null;

export function ResetCard({ state, refused }: { state: ResetStep; refused: Refused }) {
  switch (state.step) {
    case "email":
      return <EmailStep email={state.email} refused={refused} />;
    case "otp":
      return <OtpStep email={state.email} refused={refused} />;
    case "password":
      return <PasswordStep refused={refused} />;
    case "complete":
      return <CompleteStep refused={refused} />;
  }
}

function EmailStep({ email, refused }: { email: string; refused: Refused }) {
  const [form, fields] = useAnsweredForm("reset-email", refused?.reply, { email });
  return (
    <Step
      form={form}
      title="Reset Password"
      text="Enter your email. We send a one-time code to it."
      refused={refused}
      buttons={["send", "Send OTP", "Sending..."]}
      back={["cancel", "Cancel"]}
    >
      <TextField
        field={fields.email}
        label="Email"
        type="email"
        autoComplete="email"
        maxLength={254}
      />
    </Step>
  );
}

function OtpStep({ email, refused }: { email: string; refused: Refused }) {
  const [form, fields, { onInput, isMended }] = useAnsweredForm<"otp">("reset-otp", refused?.reply);
  return (
    <Step
      form={form}
      onInput={onInput}
      title="Verify OTP"
      text={
        <>
          An OTP was sent to <strong className="break-words text-ink">{email}</strong>, if an
          account has this address. It is good for 10 minutes. One that you asked for in the last 10
          minutes still holds, and no other is sent meanwhile.
        </>
      }
      refused={isMended ? null : refused}
      buttons={["verify", "Verify OTP", "Verifying..."]}
      back={["restart", "Back"]}
      extra={
        <button type="submit" name="intent" value="restart" className="link cursor-pointer py-1">
          Use different email?
        </button>
      }
    >
      <CodeField field={fields.otp} label="Six-digit code" />
    </Step>
  );
}

function PasswordStep({ refused }: { refused: Refused }) {
  const [form, fields] = useAnsweredForm<"newPassword" | "confirmPassword">(
    "reset-password",
    refused?.reply,
  );
  return (
    <Step
      form={form}
      title="New Password"
      text="This ends every session of your account."
      refused={refused}
      buttons={["reset", "Reset Password", "Resetting..."]}
      back={["back", "Back"]}
    >
      <PasswordPair
        least={SHORTEST_RESET_PASSWORD}
        of={(name) => ({ field: fields[name] })}
        labels={["New Password", "Confirm Password"]}
      />
    </Step>
  );
}

/** With scripts, it returns to the sign-in by itself. */
function CompleteStep({ refused }: { refused: Refused }) {
  const [form] = useAnsweredForm("reset-complete", refused?.reply);
  const submit = useSubmit();
  useEffect(() => {
    const finish = () => void submit({ intent: "finish" }, { method: "post" });
    const timer = setTimeout(finish, RETURN_AFTER_MS);
    return () => clearTimeout(timer);
  }, [submit]);
  return (
    <Step
      form={form}
      title="New Password Set"
      text="Every session of your account has ended."
      refused={refused}
      buttons={["finish", "Go to Sign In", "Going..."]}
    />
  );
}

interface StepProps {
  form: FormMetadata;
  onInput?: ComponentProps<"form">["onInput"];
  title: string;
  text: ReactNode;
  refused: Refused;
  /** Intent, label and pending label of the main button. */
  buttons: readonly [intent: string, word: string, pending: string];
  back?: readonly [intent: string, word: string];
  extra?: ReactNode;
  children?: ReactNode;
}

function Step(props: StepProps) {
  const { form, onInput, title, text, refused, buttons, back, extra, children } = props;
  const [intent, word, pendingWord] = buttons;
  const pending = useNavigation().formData?.get("intent") === intent;
  return (
    <section className="card mx-auto mt-6 max-w-112 p-6 shadow-low">
      <title>{`${title} – Admin`}</title>
      <h1 className="display text-2xl">{title}</h1>
      <p className="mb-5 text-muted">{text}</p>
      <Problem refusal={refused?.reply?.error ? null : refused?.refusal} />
      <Form {...getFormProps(form)} method="post" onInput={onInput} className="grid gap-4">
        {/* The form's first button, so that Enter in a field submits it and not Back. */}
        <button type="submit" name="intent" value={intent} hidden tabIndex={-1} aria-hidden="true">
          {word}
        </button>
        {children}
        {extra && <p>{extra}</p>}
        <div className="flex flex-wrap gap-3">
          {back && (
            <button
              type="submit"
              name="intent"
              value={back[0]}
              className="button button-quiet flex-1"
            >
              {back[1]}
            </button>
          )}
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

/** One field for the six digits, for paste and autofill; the six boxes are drawn behind it. */
function CodeField({ field, label }: { field: Field; label: string }) {
  return (
    <FieldFrame field={field} label={label}>
      {(control) => (
        <div className="code-boxes mt-2">
          <i aria-hidden="true">
            {["1", "2", "3", "4", "5", "6"].map((box) => (
              <b key={box} />
            ))}
          </i>
          <input
            {...control}
            type="text"
            inputMode="numeric"
            autoComplete="one-time-code"
            pattern="[0-9]{6}"
            maxLength={6}
            spellCheck={false}
            // biome-ignore lint/a11y/noAutofocus: the step consists of this field
            autoFocus
            onPaste={(event) => {
              // A pasted code may have text around it, which `maxLength` would cut wrongly.
              const digits = event.clipboardData.getData("text").replace(/\D/g, "");
              if (digits.length !== 6) return;
              event.preventDefault();
              event.currentTarget.value = digits;
            }}
          />
        </div>
      )}
    </FieldFrame>
  );
}
