/** Asks before it does: whom it is about, what happens, and the safe way first. */
import type { ReactNode } from "react";
import { Form, Link, useNavigation } from "react-router";
import { SessionFacts } from "#app/routes/admin/parts/facts.tsx";
import { Problem, type Refusal } from "#app/routes/admin/parts/notice.tsx";
import { Overlay } from "#app/routes/admin/parts/overlay.tsx";
import type { SessionView } from "#app/routes/admin/parts/views.server.ts";

interface ConfirmDialogProps {
  title: string;
  closeTo: string;
  refusal: Refusal | null | undefined;
  session: SessionView;
  /** The button, and its words while it is pressed; null if there is nothing left to do. */
  press: readonly [word: string, pending: string] | null;
  children: ReactNode;
}

export function ConfirmDialog(props: ConfirmDialogProps) {
  const { title, closeTo, refusal, session, press, children } = props;
  const pending = useNavigation().formMethod === "POST";
  return (
    <Overlay title={title} closeTo={closeTo}>
      <Problem refusal={refusal} />
      <SessionFacts session={session} />
      {children}
      <Form method="post" preventScrollReset className="mt-6 flex flex-wrap gap-3">
        <input type="hidden" name="version" value={session.version} />
        <Link to={closeTo} preventScrollReset data-first="" className="button button-quiet">
          Keep Appointment
        </Link>
        {press && (
          <button type="submit" disabled={pending} className="button button-danger">
            {press[pending ? 1 : 0]}
          </button>
        )}
      </Form>
    </Overlay>
  );
}

/** As items of a list. */
export function WhatHappens({ children }: { children: ReactNode }) {
  return (
    <div className="mt-4">
      <p className="font-semibold">What happens</p>
      <ul className="mt-1 list-disc pl-5">{children}</ul>
    </div>
  );
}
