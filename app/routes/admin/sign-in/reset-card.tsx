/** The steps of a reset, each a form that also works without scripts. */
import { getFormProps } from "@conform-to/react";
import { type ReactNode, useEffect } from "react";
import { Form, useSubmit } from "react-router";
import { FieldFrame } from "#app/components/field.tsx";
import { SHORTEST_RESET_PASSWORD } from "#app/model/actor.ts";
import { FormFields, InputField, useFieldOf } from "#app/routes/admin/parts/fields.tsx";
import {
  type FormPage,
  SubmitButton,
  useAnsweredForm,
} from "#app/routes/admin/parts/form-page.tsx";
import { PasswordPair } from "#app/routes/admin/parts/form-parts.tsx";
import { Problem } from "#app/routes/admin/parts/page-parts.tsx";

export type ResetStep =
  | { step: "email"; email: string }
  | { step: "otp"; email: string }
  | { step: "password" }
  | { step: "complete" };

/** Long enough to read the message. */
const RETURN_AFTER_MS = 3000;

export function ResetCard({ state, page }: { state: ResetStep; page: FormPage }) {
  switch (state.step) {
    case "email":
      return (
        <Step
          id="reset-email"
          page={page}
          filled={{ email: state.email }}
          title="Reset Password"
          text="Enter your email. We send a one-time code to it."
          buttons={["send", "Send OTP", "Sending..."]}
          back={["cancel", "Cancel"]}
        >
          <InputField
            name="email"
            label="Email"
            type="email"
            autoComplete="email"
            maxLength={254}
          />
        </Step>
      );
    case "otp":
      return (
        <Step
          id="reset-otp"
          page={page}
          title="Verify OTP"
          text={
            <>
              An OTP was sent to <strong className="break-words text-ink">{state.email}</strong>, if
              an account has this address. It is good for 10 minutes. One that you asked for in the
              last 10 minutes still holds, and no other is sent meanwhile.
            </>
          }
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
          <CodeField />
        </Step>
      );
    case "password":
      return (
        <Step
          id="reset-password"
          page={page}
          title="New Password"
          text="This ends every session of your account."
          buttons={["reset", "Reset Password", "Resetting..."]}
          back={["back", "Back"]}
        >
          <PasswordPair
            least={SHORTEST_RESET_PASSWORD}
            labels={["New Password", "Confirm Password"]}
          />
        </Step>
      );
    case "complete":
      return <CompleteStep page={page} />;
  }
}

/** With scripts, it returns to the sign-in by itself. */
function CompleteStep({ page }: { page: FormPage }) {
  const submit = useSubmit();
  useEffect(() => {
    const finish = () => void submit({ intent: "finish" }, { method: "post" });
    const timer = setTimeout(finish, RETURN_AFTER_MS);
    return () => clearTimeout(timer);
  }, [submit]);
  return (
    <Step
      id="reset-complete"
      page={page}
      title="New Password Set"
      text="Every session of your account has ended."
      buttons={["finish", "Go to Sign In", "Going..."]}
    />
  );
}

interface StepProps {
  id: string;
  page: FormPage;
  filled?: Readonly<Record<string, string>>;
  title: string;
  text: ReactNode;
  /** Intent, label and pending label of the main button. */
  buttons: readonly [intent: string, word: string, pending: string];
  back?: readonly [intent: string, word: string];
  extra?: ReactNode;
  children?: ReactNode;
}

function Step({ id, page, filled, title, text, buttons, back, extra, children }: StepProps) {
  const reply = page.replyTo();
  const [form, fields, { onInput, isMended }] = useAnsweredForm<string>(id, reply, filled);
  const [intent, word, pending] = buttons;
  return (
    <section className="card mx-auto mt-6 max-w-112 p-6 shadow-low">
      <title>{`${title} – Admin`}</title>
      <h1 className="display text-2xl">{title}</h1>
      <p className="mb-5 text-muted">{text}</p>
      <Problem refusal={isMended || reply?.error ? null : page.refusal} />
      <Form {...getFormProps(form)} method="post" onInput={onInput} className="grid gap-4">
        {/* The form's first button, so that Enter in a field submits it and not Back. */}
        <button type="submit" name="intent" value={intent} hidden tabIndex={-1} aria-hidden="true">
          {word}
        </button>
        <FormFields value={(name) => ({ field: fields[name]! })}>{children}</FormFields>
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
          <SubmitButton intent={intent} pending={pending} className="flex-1">
            {word}
          </SubmitButton>
        </div>
      </Form>
    </section>
  );
}

/** One field for the six digits, for paste and autofill; the six boxes are drawn behind it. */
function CodeField() {
  return (
    <FieldFrame {...useFieldOf()("otp")} label="Six-digit code">
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
