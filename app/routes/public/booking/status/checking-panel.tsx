/** While money is on its way: the page looks again by itself, for as long as that is likely to help. */
import type { FormEvent } from "react";
import { href, useRevalidator } from "react-router";
import { Icon } from "#app/components/icons.tsx";
import { useLookAgain } from "#app/routes/public/parts/use-look-again.ts";

/** A bank may take a quarter of an hour; after that the customer is told by mail. */
const LOOK_FOR_MS = 15 * 60_000;

interface CheckingPanelProps {
  id: string;
  seconds: number;
  email: string;
  /** When the page was made, worded. */
  lookedAt: string;
  /** True while the payment itself has not been seen yet. */
  waiting: boolean;
}

export function CheckingPanel({ id, seconds, email, lookedAt, waiting }: CheckingPanelProps) {
  const look = useLookAgain({ every: seconds * 1000, during: LOOK_FOR_MS });
  const looking = useRevalidator().state === "loading";

  function onCheck(event: FormEvent) {
    event.preventDefault();
    look();
  }

  return (
    <section aria-label="Payment" className="card border-waiting p-5 shadow-low">
      <p className="flex gap-3" role="status">
        <Icon name="clock" className="mt-0.5 size-5 text-waiting-ink" />
        <span>
          Please do not pay again. Your bank may need a few minutes. This page checks by itself, and
          we send an email to {email} once your session is confirmed. You can close this page.
        </span>
      </p>
      <p className="figures mt-2 text-sm text-muted">Last checked at {lookedAt} IST</p>
      <form method="get" action={href("/booking/:id", { id })} onSubmit={onCheck} className="mt-4">
        {waiting && <input type="hidden" name="payment" value="checking" />}
        <button type="submit" aria-disabled={looking} className="button button-quiet min-w-40">
          {looking ? "Checking..." : "Check again"}
        </button>
      </form>
    </section>
  );
}
