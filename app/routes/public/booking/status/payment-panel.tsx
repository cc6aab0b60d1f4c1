/** Paying on the booking page: the provider's own page by a plain form, its window with scripts. */
import { type FormEvent, useEffect, useState } from "react";
import { href } from "react-router";
import { Icon } from "#app/components/icons.tsx";
import { canShowWindow } from "#app/routes/public/parts/checkout.ts";
import { useLookAgain } from "#app/routes/public/parts/use-look-again.ts";
import {
  ANSWER_LOST,
  type PayableSession,
  PENDING_TEXT,
  usePayment,
} from "#app/routes/public/parts/use-payment.ts";
import { useCountdown } from "./use-countdown.ts";

interface PaymentPanelProps {
  session: PayableSession;
  state: "payable" | "renewable";
  total: string;
  hosted: { action: string; fields: Record<string, string> } | null;
  checkoutUrl: string;
  /** Milliseconds UTC. */
  payBefore: number | null;
  payBeforeWords: string | null;
  /** The server's clock when the page was made. */
  now: number;
}

/** After a closed window an app may still be paying. */
const LOOK_EVERY_MS = 10_000;
const LOOK_FOR_MS = 5 * 60_000;

export function PaymentPanel(props: PaymentPanelProps) {
  const { session, state, hosted, total } = props;
  const { step, payAgain } = usePayment({ checkoutUrl: props.checkoutUrl });
  const pending = PENDING_TEXT[step.name];
  const [tried, setTried] = useState(false);
  // A look that removes this panel would lose the answer of the open payment window.
  const look = useLookAgain({
    every: tried ? LOOK_EVERY_MS : null,
    during: LOOK_FOR_MS,
    paused: pending !== undefined,
  });

  // Whatever came of the payment, the server's word is what the page shows.
  // biome-ignore lint/correctness/useExhaustiveDependencies: acts on the outcome alone
  useEffect(() => {
    if (pending) setTried(true);
    else if (tried && step.name === "idle") look();
  }, [step.name]);

  if (step.name === "settled") return <PayNoMore confirmed={step.confirmed} />;

  function onSubmit(event: FormEvent) {
    if (!canShowWindow()) return;
    event.preventDefault();
    void payAgain(session);
  }

  return (
    <section id="pay" aria-label="Payment" className="card p-5 shadow-low">
      <WindowWords {...props} onEnd={look} />
      <form
        method="post"
        action={hosted?.action ?? href("/booking/:id/pay", { id: session.id })}
        onSubmit={onSubmit}
        className="mt-4"
      >
        {hosted &&
          Object.entries(hosted.fields).map(([name, value]) => (
            <input key={name} type="hidden" name={name} value={value} />
          ))}
        <button
          type="submit"
          disabled={pending !== undefined}
          className="button button-primary w-full text-lg"
        >
          {pending ??
            (state === "renewable" ? `Hold the time again and pay ${total}` : `Pay ${total}`)}
        </button>
        <p role="status" className="sr-only">
          {pending ?? ""}
        </p>
      </form>
      <p className="mt-3 flex gap-2 text-sm text-muted">
        <Icon name="lock" className="mt-0.5 size-4" />
        You pay through Razorpay.
        {tried &&
          " If your bank has already taken the money, please wait. This page checks by itself."}
      </p>
    </section>
  );
}

/**
 * Shown until the page's data have been read again, which may take a while on a bad connection. That
 * the money has arrived is said by a notice already.
 */
function PayNoMore({ confirmed }: { confirmed: boolean }) {
  return (
    <section aria-label="Payment" className="card border-waiting p-5 shadow-low">
      <p role={confirmed ? undefined : "status"}>
        {confirmed
          ? "Your payment has arrived and your session is confirmed."
          : `${ANSWER_LOST} This page checks by itself.`}
      </p>
    </section>
  );
}

function WindowWords({
  state,
  payBefore,
  payBeforeWords,
  now,
  onEnd,
}: PaymentPanelProps & { onEnd: () => void }) {
  const left = useCountdown(state === "payable" ? payBefore : null, now, onEnd);
  if (state === "renewable") {
    return (
      <p>
        The time to pay ended at {payBeforeWords}. The session is still free, so you can hold it
        again.
      </p>
    );
  }
  return (
    <div className="flex flex-wrap items-baseline justify-between gap-x-4">
      <p>
        Start paying by <strong className="figures">{payBeforeWords}</strong>
      </p>
      {/* Room for what it will say, so that nothing moves. */}
      <p className="display figures min-h-7 min-w-24 text-lg text-waiting-ink" role="timer">
        {left}
      </p>
    </div>
  );
}
