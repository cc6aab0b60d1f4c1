/** What the dialogs about a booking's money stand in: whom it is about, the fields, one press. */
import { getFormProps } from "@conform-to/react";
import { type ReactNode, useState } from "react";
import { Form, Link, useNavigation } from "react-router";
import { SessionFacts } from "#app/routes/admin/parts/facts.tsx";
import { Problem, type Refusal } from "#app/routes/admin/parts/notice.tsx";
import { Overlay } from "#app/routes/admin/parts/overlay.tsx";
import { type Reply, useAnsweredForm } from "#app/routes/admin/parts/submission.ts";
import type { SessionView } from "#app/routes/admin/parts/views.server.ts";
import type { Typed } from "./booking-form-view.server.ts";
import type { Of } from "./new-booking-fields.tsx";

interface MoneyDialogProps {
  title: string;
  closeTo: string;
  session: SessionView | null;
  /** Of a form that is sent with the row's version, and done once; without it neither goes along. */
  formKey?: string;
  answer: Answer | undefined;
  /** The button, its words while it is pressed, its look; null if there is nothing left to do. */
  press: readonly [word: string, pending: string, look: "primary" | "danger"] | null;
  /** The safe way. */
  keep?: string;
  children: (of: Of) => ReactNode;
}

interface Answer {
  refusal: Refusal | null;
  reply?: Reply | null;
  /** As it was typed; it stands over a row that was changed meanwhile. */
  values?: Typed;
}

export function MoneyDialog(props: MoneyDialogProps) {
  const { title, closeTo, session, answer, press, keep = "Close", children } = props;
  const pending = useNavigation().formMethod === "POST";
  const values = answer?.values ?? {};
  const [formKey] = useState(values.formKey ?? props.formKey);
  const [form, fields] = useAnsweredForm<string>("money", answer?.reply);
  return (
    <Overlay title={title} closeTo={closeTo}>
      <Problem refusal={answer?.refusal} />
      {session && <SessionFacts session={session} />}
      <Form {...getFormProps(form)} method="post" preventScrollReset className="mt-4 grid gap-4">
        {session && formKey && (
          <>
            <input type="hidden" name="version" value={session.version} />
            <input type="hidden" name="formKey" value={formKey} />
          </>
        )}
        {children((name) => ({ field: fields[name]!, shown: values[name] }))}
        <div className="mt-2 flex flex-wrap gap-3">
          <Link
            to={closeTo}
            preventScrollReset
            data-first={press?.[2] === "danger" ? "" : undefined}
            className="button button-quiet"
          >
            {keep}
          </Link>
          {press && (
            <button type="submit" disabled={pending} className={`button button-${press[2]}`}>
              {press[pending ? 1 : 0]}
            </button>
          )}
        </div>
      </Form>
    </Overlay>
  );
}
