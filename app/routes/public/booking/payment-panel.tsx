/** Paying on the booking page: with scripts in the provider's window, without on its hosted page. */
import { type FormEvent, useEffect, useState } from "react";
import { href, useRevalidator } from "react-router";
import { Icon } from "#app/components/icons.tsx";
import { OFFLINE_WORDS } from "#app/model/wording.ts";
import { canShowWindow } from "#app/routes/public/parts/checkout.ts";
import { useCountdown } from "#app/routes/public/parts/use-countdown.ts";
import { useFocusNext } from "#app/routes/public/parts/use-focus-next.ts";
import { useOffline } from "#app/routes/public/parts/use-offline.ts";
import { ANSWER_LOST, PENDING_TEXT, usePayment } from "#app/routes/public/parts/use-payment.ts";
import { useRefresh } from "#app/routes/public/parts/use-refresh.ts";
import type { BookingView } from "./booking-view.server.ts";

/** Milliseconds. After the window was closed, another app may still be paying. */
const REFRESH_EVERY_MS = 10_000;
const REFRESH_FOR_MS = 5 * 60_000;

export function PaymentPanel({ booking }: { booking: BookingView }) {
  const { session, state, hosted, total, checkoutUrl } = booking;
  const { offline, waitForServer } = useOffline(() => void payAgain(session));
  const { step, payAgain } = usePayment({ checkoutUrl, onNoAnswer: waitForServer });
  const pending = PENDING_TEXT[step.name];
  useFocusNext(pending !== undefined);
  const [tried, setTried] = useState(false);
  // A refresh could remove this panel and lose the answer of the open payment window.
  const refresh = useRefresh({
    every: tried ? REFRESH_EVERY_MS : null,
    during: REFRESH_FOR_MS,
    paused: pending !== undefined,
  });

  // After each try the page shows what the server says.
  // biome-ignore lint/correctness/useExhaustiveDependencies: acts on the outcome alone
  useEffect(() => {
    if (pending) setTried(true);
    else if (tried && step.name === "idle") refresh();
  }, [step.name]);

  if (step.name === "settled") return <PaymentDone confirmed={step.confirmed} />;

  function onSubmit(event: FormEvent) {
    if (!canShowWindow()) return;
    event.preventDefault();
    void payAgain(session);
  }

  return (
    <section id="pay" aria-label="Payment" className="card p-5 shadow-low">
      <TimeLeft booking={booking} onEnd={refresh} />
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
            (state === "renewable" ? `Still free: hold it again and pay ${total}` : `Pay ${total}`)}
        </button>
        <p role="status" className={offline ? "mt-2 text-sm font-semibold" : "sr-only"}>
          {offline ? OFFLINE_WORDS[offline] : pending}
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

/** Shown until the page's data have been read again, which may take a while on a bad connection. */
function PaymentDone({ confirmed }: { confirmed: boolean }) {
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

function TimeLeft({ booking, onEnd }: { booking: BookingView; onEnd: () => void }) {
  const { state, payBefore, payBeforeWords, now } = booking;
  const left = useCountdown(state === "payable" ? payBefore : null, now, onEnd);
  if (state === "renewable") return <p>The time to pay ended at {payBeforeWords}.</p>;
  return (
    <div className="flex flex-wrap items-baseline justify-between gap-x-4">
      <p>
        Start paying by <strong className="figures">{payBeforeWords}</strong>
      </p>
      {/* Keeps its space, so that nothing moves when it is filled. */}
      <p className="display figures min-h-7 min-w-24 text-lg text-waiting-ink" role="timer">
        {left || "\u00a0"}
      </p>
    </div>
  );
}

/** Milliseconds. A bank may take a quarter of an hour; after that the customer gets an email. */
const CHECK_FOR_MS = 15 * 60_000;

/** Seconds between two reads of the page while a payment is being checked. */
const CHECK_EVERY = 4;

/** While a payment is being checked, the page reads its state again by itself. */
export function CheckingPanel({ booking }: { booking: BookingView }) {
  const { id, email, lookedAt, waiting } = booking;
  const refresh = useRefresh({ every: CHECK_EVERY * 1000, during: CHECK_FOR_MS });
  const checking = useRevalidator().state === "loading";

  function onCheck(event: FormEvent) {
    event.preventDefault();
    refresh();
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
        <button type="submit" aria-disabled={checking} className="button button-quiet min-w-40">
          {checking ? "Checking..." : "Check again"}
        </button>
      </form>
      <noscript>
        <meta httpEquiv="refresh" content={String(CHECK_EVERY)} />
      </noscript>
    </section>
  );
}
