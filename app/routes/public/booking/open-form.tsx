/** Asks for the booking's email address before this browser is shown personal data. */
import { getFormProps, type SubmissionResult, useForm } from "@conform-to/react";
import type { ReactNode } from "react";
import { Form } from "react-router";
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
  /** Hidden fields to send along. */
  children?: ReactNode;
}

export function OpenForm({ id, action, reply, emailHint, keeps, children }: OpenFormProps) {
  const [form, fields] = useForm<{ email: string }>({ id, lastResult: reply });
  return (
    <Form
      {...getFormProps(form)}
      method="post"
      action={action}
      noValidate
      className="grid max-w-112 gap-6"
    >
      <OwnerEmail field={fields.email} hint={emailHint} keeps={keeps} />
      {children}
      <button type="submit" name="intent" value="open" className="button button-primary sm:w-fit">
        Open in this browser
      </button>
      <p className="text-muted">
        It stays open here for six hours. On a computer that others use, close the browser
        afterwards.
      </p>
    </Form>
  );
}
