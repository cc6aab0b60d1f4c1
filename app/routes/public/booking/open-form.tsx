/** Asks for the booking's email address before this browser is shown personal data. */
import { getFormProps, type SubmissionResult, useForm } from "@conform-to/react";
import { useNavigation } from "react-router";
import type { FieldErrors } from "#app/model/outcome.ts";
import { OnlineForm } from "#app/routes/public/parts/online-form.tsx";
import { OwnerEmail } from "./change/change-page.tsx";

interface OpenFormProps {
  /** Prefix of the fields' ids. */
  id: string;
  action: string;
  reply: SubmissionResult<string[]> | null;
  /** The masked address. */
  emailHint: string;
  /** Completes "so that nobody else can". */
  keeps: string;
  /** Entries of a form that was refused before, to be sent along. */
  typed?: Record<string, string>;
}

/** What the form shows after a refusal that did not come from Conform. */
export function refusedReply(error: FieldErrors, email = ""): SubmissionResult<string[]> {
  return { status: "error", error, initialValue: { email } };
}

export function OpenForm({ id, action, reply, emailHint, keeps, typed = {} }: OpenFormProps) {
  const [form, fields] = useForm<{ email: string }>({ id, lastResult: reply });
  const sending = useNavigation().formMethod === "POST";
  return (
    <OnlineForm
      {...getFormProps(form)}
      method="post"
      action={action}
      noValidate
      className="grid max-w-112 gap-6"
    >
      <OwnerEmail field={fields.email} hint={emailHint} keeps={keeps} />
      {Object.entries(typed).map(([name, value]) => (
        <input key={name} type="hidden" name={name} value={value} />
      ))}
      <button
        type="submit"
        name="intent"
        value="open"
        disabled={sending}
        className="button button-primary sm:w-fit"
      >
        {sending ? "Sending..." : "Open in this browser"}
      </button>
      <p className="text-muted">
        It stays open here for six hours. On a computer that others use, close the browser
        afterwards.
      </p>
    </OnlineForm>
  );
}
