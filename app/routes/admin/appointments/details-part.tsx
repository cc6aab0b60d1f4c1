/** What the parts of the details are made of. */
import type { ReactNode } from "react";
import { Form, useNavigation } from "react-router";

export function Part({ title, children }: { title: string; children: ReactNode }) {
  return (
    <section className="mt-5 border-t border-line pt-4">
      <h2 className="display mb-2 text-base">{title}</h2>
      {children}
    </section>
  );
}

/** Sends a message or a refund again. */
export function SendAgain({
  intent,
  of,
  sends,
  name,
  children,
}: {
  intent: string;
  of: string;
  /** How often it was sent again before: a second press of the same counts no more. */
  sends?: number;
  name?: string;
  children: ReactNode;
}) {
  const pending = useNavigation().formMethod === "POST";
  return (
    <Form method="post" preventScrollReset className="mt-1">
      <input type="hidden" name={intent} value={of} />
      {sends !== undefined && <input type="hidden" name="sends" value={sends} />}
      <button
        type="submit"
        aria-label={name}
        disabled={pending}
        className="button button-small button-quiet"
      >
        {children}
      </button>
    </Form>
  );
}
