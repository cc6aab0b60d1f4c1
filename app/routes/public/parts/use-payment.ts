/** The way from a finished form to a paid session: appointment, order, provider's window, check. */
import { useRef, useState } from "react";
import { href, useNavigate } from "react-router";
import type { AppointmentJson } from "#app/booking/appointment-json.ts";
import { BRAND } from "#app/catalogue.ts";
import { BookingRequestError, bookingRequest } from "#app/components/api-client.ts";
import { clearToast, showFailure, showToast } from "#app/components/toasts.ts";
import { isPaid } from "#app/model/appointment.ts";
import { formatRupees } from "#app/model/money.ts";
import { priceOf } from "#app/model/price.ts";
import {
  type CheckoutAnswer,
  canShowWindow,
  checkoutDescription,
  openCheckout,
} from "./checkout.ts";

interface OrderView {
  /** Rupees. */
  amount: number;
  currency: string;
  orderId: string;
  keyId: string;
  appointmentDetails: { id: string; name: string; email: string; phone: string };
  payBefore: string;
}

export type PaymentStep =
  | { name: "idle" }
  | { name: "creating" | "setting-up" | "paying" | "verifying" }
  /** The booking's own page says the rest, and is on its way. */
  | { name: "settled"; id: string; confirmed: boolean };

export const PENDING_TEXT: Partial<Record<PaymentStep["name"], string>> = {
  creating: "Creating Appointment...",
  "setting-up": "Setting up Payment...",
  paying: "Setting up Payment...",
  verifying: "Verifying Payment...",
};

const NO_CONNECTION = "We could not reach our server. Please check your connection and try again.";

/** Said while nobody knows yet what became of a payment. */
export const ANSWER_LOST =
  "We do not know yet whether your payment went through. Please do not pay again. If the money has left your account, we will find the payment and confirm your session by email.";

/** What the provider's window says is being paid, and the price that the page says. */
export type PayableSession = Pick<
  AppointmentJson,
  "id" | "counselor" | "date" | "timeSlot" | "packagePrice"
>;

/** While our server does not answer, for about three minutes; then it finds out by itself. */
const ASK_AGAIN_MS = 2_000;
const MOST_TRIES = 20;

interface PaymentOptions {
  checkoutUrl: string;
  /** Told of a refused appointment or a time given to somebody else, after the notification. */
  onRefused?: (error: BookingRequestError) => void;
}

export function usePayment({ checkoutUrl, onRefused }: PaymentOptions) {
  const [step, setStep] = useState<PaymentStep>({ name: "idle" });
  const attempt = useRef<{ body: string; key: string } | null>(null);
  const busy = useRef(false);
  const navigate = useNavigate();

  /** One press at a time; every way out leaves a step that the visitor can go on from. */
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

  async function create(input: Record<string, unknown>): Promise<AppointmentJson | null> {
    setStep({ name: "creating" });
    const body = JSON.stringify(input);
    if (attempt.current?.body !== body) attempt.current = { body, key: randomKey() };
    try {
      return await bookingRequest<AppointmentJson>("POST", "/api/appointments", input, {
        "Idempotency-Key": attempt.current.key,
      });
    } catch (error) {
      setStep({ name: "idle" });
      if (error instanceof BookingRequestError) attempt.current = null;
      showFailure("Booking Failed", wordsOf(error));
      if (error instanceof BookingRequestError) onRefused?.(error);
      return null;
    }
  }

  /** True if the booking's own page takes over. */
  async function pay({ id, packagePrice, ...session }: PayableSession): Promise<boolean> {
    if (!canShowWindow()) {
      // Back to this page, the browser may show it as it was left.
      setStep({ name: "idle" });
      location.assign(href("/booking/:id", { id }));
      return true;
    }
    setStep({ name: "setting-up" });
    let answer: CheckoutAnswer | null;
    try {
      const order = await bookingRequest<OrderView>("POST", "/api/payments/create-order", {
        appointmentId: id,
      });
      const ordered = Math.round(order.amount * 100);
      if (ordered !== priceOf(packagePrice).totalPaise) {
        // In another tab; the next press asks anew.
        attempt.current = null;
        setStep({ name: "idle" });
        showFailure(
          "Payment Setup Failed",
          `This booking was changed meanwhile and costs ${formatRupees(ordered)} now. Nothing was charged. Please look at it again before you pay.`,
        );
        return false;
      }
      setStep({ name: "paying" });
      answer = await openCheckout(checkoutUrl, checkoutOrder(order, session));
    } catch (error) {
      setStep({ name: "idle" });
      const refusal = error instanceof BookingRequestError ? error : null;
      if (refusal && isSettled(refusal.code)) {
        location.assign(href("/booking/:id", { id }));
        return true;
      }
      showFailure("Payment Setup Failed", wordsOf(error));
      if (refusal?.code === "slot_taken") onRefused?.(refusal);
      return false;
    }
    if (answer) return verify(id, answer);
    setStep({ name: "idle" });
    showFailure("Payment Cancelled", "Payment was cancelled. You can try again later.");
    return false;
  }

  async function verify(id: string, answer: CheckoutAnswer): Promise<boolean> {
    setStep({ name: "verifying" });
    for (let tries = 1; ; tries += 1) {
      try {
        const { status } = await bookingRequest<AppointmentJson>("POST", "/api/payments/verify", {
          ...answer,
          appointmentId: id,
        });
        goOn(id, isPaid({ status }));
        return true;
      } catch (error) {
        const refusal = error instanceof BookingRequestError ? error : null;
        if (refusal && refusal.status < 500 && refusal.status !== 429) {
          setStep({ name: "idle" });
          showFailure("Payment Verification Failed", refusal.message);
          return false;
        }
        // Money may have moved: nobody pays twice while it is not heard what became of it.
        if (tries === 1) {
          setStep({ name: "settled", id, confirmed: false });
          void navigate(`${href("/booking/:id", { id })}?payment=checking`, { replace: true });
        }
        if (tries === MOST_TRIES) return true;
        await backOnline(Math.min(tries, 5) * ASK_AGAIN_MS);
      }
    }
  }

  /** In the place of this page, so that Back does not lead to a form that is done with. */
  function goOn(id: string, confirmed: boolean): void {
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
    /** Takes the time, then asks for the payment. */
    bookAndPay: (input: Record<string, unknown>) =>
      exclusively(async () => {
        const appointment = await create(input);
        return appointment !== null && pay(appointment);
      }),
    payAgain: (session: PayableSession) => exclusively(() => pay(session)),
  };
}

/** The wait, or less where the network comes back meanwhile. */
function backOnline(longestMs: number): Promise<void> {
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

/** Nothing is left to pay: the booking page says what became of it. */
function isSettled(code: string | null): boolean {
  return code === "already_paid" || code === "already_cancelled" || code === "payment_window_over";
}

function checkoutOrder(order: OrderView, session: Omit<PayableSession, "id" | "packagePrice">) {
  const { name, email, phone } = order.appointmentDetails;
  return {
    keyId: order.keyId,
    amountPaise: Math.round(order.amount * 100),
    currency: order.currency,
    orderId: order.orderId,
    name: BRAND.name,
    description: checkoutDescription(session),
    prefill: { name, email, contact: phone },
  };
}

function wordsOf(error: unknown): string {
  const gone = error instanceof TypeError || (error as Error).name === "TimeoutError";
  if (gone) return NO_CONNECTION;
  return error instanceof Error ? error.message : "Request failed";
}

/** `randomUUID` exists only on secure origins; a phone on the home network has none. */
function randomKey(): string {
  const bytes = crypto.getRandomValues(new Uint8Array(16));
  return Array.from(bytes, (byte) => byte.toString(16).padStart(2, "0")).join("");
}
