/** From a complete form to a paid session: appointment, order, provider's window, verification. */
import { useRef, useState } from "react";
import { href, useNavigate } from "react-router";
import type { AppointmentJson } from "#app/booking/appointment-json.ts";
import { BookingRequestError, bookingRequest } from "#app/components/api-client.ts";
import { useBrand } from "#app/components/brand.tsx";
import { clearToast, showFailure, showToast } from "#app/components/toasts.tsx";
import { isPaid } from "#app/model/appointment.ts";
import { formatRupees, priceOf } from "#app/model/money.ts";
import {
  type CheckoutAnswer,
  type CheckoutOrder,
  canShowWindow,
  openCheckout,
  type PayableSession,
  paiseOf,
} from "./checkout.ts";

export type PaymentStep =
  | { name: "idle" }
  | { name: "creating" | "setting-up" | "verifying" }
  | { name: "paying"; id: string }
  /** The booking page is loading. */
  | { name: "settled"; id: string; confirmed: boolean };

export const PENDING_TEXT: Partial<Record<PaymentStep["name"], string>> = {
  creating: "Creating Appointment...",
  "setting-up": "Setting up Payment...",
  paying: "Setting up Payment...",
  verifying: "Verifying Payment...",
};

/** Shown while the outcome of a payment is not known. */
export const ANSWER_LOST =
  "We do not know yet whether your payment went through. Please do not pay again. If the money has left your account, we will find the payment and confirm your session by email.";

/** Retries of a verification while the server does not answer: about three minutes in all. */
const RETRY_MS = 2_000;
const MAX_TRIES = 20;

interface PaymentOptions {
  checkoutUrl: string;
  /** Called if the server does not answer; once it does, the same request can be repeated. */
  onNoAnswer: () => void;
  /** Called if the appointment is refused or its time is taken, after the visitor has been notified. */
  onRefused?: (error: BookingRequestError) => void;
}

export function usePayment({ checkoutUrl, onNoAnswer, onRefused }: PaymentOptions) {
  const brand = useBrand();
  const [step, setStep] = useState<PaymentStep>({ name: "idle" });
  const attempt = useRef<{ body: string; key: string } | null>(null);
  const busy = useRef(false);
  const navigate = useNavigate();

  /** Ignores a call while another one runs. */
  async function exclusively(work: () => Promise<boolean>): Promise<boolean> {
    if (busy.current) return false;
    busy.current = true;
    clearToast();
    try {
      return await work();
    } finally {
      busy.current = false;
    }
  }

  /** Shows the failure and goes back to the step from which the visitor can try again. */
  function fail(title: string, text: string): false {
    setStep({ name: "idle" });
    showFailure(title, text);
    return false;
  }

  /** Like `fail`, for an API call; without an answer the form waits for the server by itself. */
  function failBy(title: string, error: unknown): false {
    if (!hasNoAnswer(error)) return fail(title, (error as Error).message);
    setStep({ name: "idle" });
    onNoAnswer();
    return false;
  }

  async function create(input: Record<string, unknown>): Promise<AppointmentJson | null> {
    setStep({ name: "creating" });
    const body = JSON.stringify(input);
    if (attempt.current?.body !== body) attempt.current = { body, key: randomKey() };
    try {
      return await bookingRequest<AppointmentJson>("POST", "/api/appointments", input, {
        "Idempotency-Key": attempt.current.key,
      });
    } catch (error) {
      failBy("Booking Failed", error);
      if (error instanceof BookingRequestError && !hasNoAnswer(error)) {
        attempt.current = null;
        onRefused?.(error);
      }
      return null;
    }
  }

  /** True if the booking page takes over. */
  async function pay(session: PayableSession): Promise<boolean> {
    const { id, packagePrice } = session;
    if (!canShowWindow()) return leaveTo(id);
    setStep({ name: "setting-up" });
    let order: CheckoutOrder | null = null;
    let answer: CheckoutAnswer | null;
    try {
      order = await orderFor(id);
      const ordered = paiseOf(order);
      if (ordered !== priceOf(packagePrice).totalPaise) {
        // The booking was changed in another tab; the next try creates a new appointment.
        attempt.current = null;
        return fail(
          "Payment Setup Failed",
          `This booking was changed meanwhile and costs ${formatRupees(ordered)} now. Nothing was charged. Please look at it again before you pay.`,
        );
      }
      setStep({ name: "paying", id });
      answer = await openCheckout(checkoutUrl, order, session, brand);
    } catch (error) {
      const refusal = error instanceof BookingRequestError ? error : null;
      if (refusal && isSettled(refusal.code)) return leaveTo(id);
      if (order) fail("Payment Setup Failed", (error as Error).message);
      else failBy("Payment Setup Failed", error);
      if (refusal?.code === "slot_taken") onRefused?.(refusal);
      return false;
    }
    if (answer) return verify(id, answer);
    if (await isSettledNow(id)) return leaveTo(id);
    return fail("Payment Cancelled", "Payment was cancelled. You can try again later.");
  }

  /** The browser may show this page as it was left when the visitor comes back. */
  function leaveTo(id: string): true {
    setStep({ name: "idle" });
    location.assign(href("/booking/:id", { id }));
    return true;
  }

  async function verify(id: string, answer: CheckoutAnswer): Promise<boolean> {
    setStep({ name: "verifying" });
    for (let tries = 1; ; tries += 1) {
      try {
        const { status } = await bookingRequest<AppointmentJson>("POST", "/api/payments/verify", {
          ...answer,
          appointmentId: id,
        });
        showBooking(id, isPaid({ status }));
        return true;
      } catch (error) {
        const refusal = error instanceof BookingRequestError ? error : null;
        if (refusal && refusal.status < 500 && refusal.status !== 429) {
          return fail("Payment Verification Failed", refusal.message);
        }
        // The payment may have succeeded, so nobody may pay again until the outcome is known.
        if (tries === 1) {
          setStep({ name: "settled", id, confirmed: false });
          void navigate(`${href("/booking/:id", { id })}?payment=checking`, { replace: true });
        }
        if (tries === MAX_TRIES) return true;
        await waitForNetwork(Math.min(tries, 5) * RETRY_MS);
      }
    }
  }

  /** Replaces this page in the history, so that Back does not lead to a submitted form. */
  function showBooking(id: string, confirmed: boolean): void {
    setStep({ name: "settled", id, confirmed });
    if (confirmed) {
      showToast({
        title: "Payment Successful",
        description: "Your appointment has been confirmed!",
        variant: "default",
      });
    }
    void navigate(href("/booking/:id", { id }), { replace: true, state: { paid: confirmed } });
  }

  return {
    step,
    bookAndPay: (input: Record<string, unknown>) =>
      exclusively(async () => {
        const appointment = await create(input);
        return appointment !== null && pay(appointment);
      }),
    payAgain: (session: PayableSession) => exclusively(() => pay(session)),
  };
}

function orderFor(appointmentId: string, windowClosed?: true): Promise<CheckoutOrder> {
  const asked = { appointmentId, windowClosed };
  return bookingRequest<CheckoutOrder>("POST", "/api/payments/create-order", asked);
}

/** A window that is closed may have taken the money, and lost only its answer. */
async function isSettledNow(id: string): Promise<boolean> {
  try {
    await orderFor(id, true);
    return false;
  } catch (error) {
    return error instanceof BookingRequestError && isSettled(error.code);
  }
}

/** Waits so many milliseconds, or until the network comes back. */
function waitForNetwork(longestMs: number): Promise<void> {
  return new Promise((resolve) => {
    const done = () => {
      clearTimeout(timer);
      removeEventListener("online", done);
      resolve();
    };
    const timer = setTimeout(done, longestMs);
    addEventListener("online", done);
  });
}

/** True if nothing is left to pay; the booking page says why. */
function isSettled(code: string | null): boolean {
  return code === "already_paid" || code === "already_cancelled" || code === "payment_window_over";
}

/** True without a connection, after a timeout, or if a proxy answered instead of the app's server. */
function hasNoAnswer(error: unknown): boolean {
  if (error instanceof BookingRequestError) return error.status >= 502 && error.code === null;
  // Chrome before 124 calls a timeout of `fetch` an AbortError.
  return error instanceof TypeError || /^(Timeout|Abort)Error$/.test((error as Error).name);
}

/** `randomUUID` exists only on secure origins; a phone on the home network has none. */
function randomKey(): string {
  const bytes = crypto.getRandomValues(new Uint8Array(16));
  return Array.from(bytes, (byte) => byte.toString(16).padStart(2, "0")).join("");
}
