/** The way from a finished form to a paid session: appointment, order, provider's window, check. */
import { useRef, useState } from "react";
import type { AppointmentJson } from "#app/booking/appointment-json.ts";
import { BRAND } from "#app/catalogue.ts";
import { BookingRequestError, bookingRequest } from "#app/components/api-client.ts";
import { clearToast, showFailure, showToast } from "#app/components/toasts.ts";
import { isPaid } from "#app/model/appointment.ts";
import { type CheckoutAnswer, canShowWindow, openCheckout } from "./checkout.ts";

interface OrderView {
  /** Rupees. */
  amount: number;
  currency: string;
  orderId: string;
  keyId: string;
  appointmentDetails: { id: string; name: string; email: string; phone: string };
  payBefore: string;
}

export interface HeldBooking {
  id: string;
  /** ISO instant until when paying may be started. */
  payBefore: string | null;
}

export type PaymentStep =
  | { name: "idle" }
  | { name: "creating" | "setting-up" | "paying" | "verifying" }
  | { name: "confirmed"; appointment: AppointmentJson }
  | { name: "checking"; id: string };

export const PENDING_TEXT: Partial<Record<PaymentStep["name"], string>> = {
  creating: "Creating Appointment...",
  "setting-up": "Setting up Payment...",
  paying: "Setting up Payment...",
  verifying: "Verifying Payment...",
};

export const NO_CONNECTION =
  "We could not reach our server. Please check your connection and try again.";

/** Said while nobody knows yet what became of a payment. */
export const ANSWER_LOST =
  "We could not hear the result yet. Please do not pay again: if the money has left your account, we will find it and confirm your session by email.";

interface PaymentOptions {
  checkoutUrl: string;
  /** Told of a refused appointment or a time given to somebody else, after the notification. */
  onRefused?: (error: BookingRequestError) => void;
}

export function usePayment({ checkoutUrl, onRefused }: PaymentOptions) {
  const [step, setStep] = useState<PaymentStep>({ name: "idle" });
  const [held, setHeld] = useState<HeldBooking | null>(null);
  const attempt = useRef<{ body: string; key: string } | null>(null);
  const busy = useRef(false);

  /** One press at a time; every way out leaves a step that the visitor can go on from. */
  async function exclusively(work: () => Promise<void>) {
    if (busy.current) return;
    busy.current = true;
    clearToast();
    try {
      await work();
    } finally {
      busy.current = false;
    }
  }

  async function create(input: Record<string, unknown>): Promise<AppointmentJson | null> {
    setStep({ name: "creating" });
    const body = JSON.stringify(input);
    if (attempt.current?.body !== body) attempt.current = { body, key: randomKey() };
    try {
      const appointment = await bookingRequest<AppointmentJson>(
        "POST",
        "/api/appointments",
        input,
        { "Idempotency-Key": attempt.current.key },
      );
      setHeld({ id: appointment.id, payBefore: appointment.payBefore ?? null });
      return appointment;
    } catch (error) {
      setStep({ name: "idle" });
      if (error instanceof BookingRequestError) attempt.current = null;
      showFailure("Booking Failed", wordsOf(error));
      if (error instanceof BookingRequestError) onRefused?.(error);
      return null;
    }
  }

  async function pay(id: string): Promise<void> {
    if (!canShowWindow()) {
      // Back to this page, the browser may show it as it was left.
      setStep({ name: "idle" });
      location.assign(`/booking/${id}`);
      return;
    }
    setStep({ name: "setting-up" });
    let answer: CheckoutAnswer | null;
    try {
      const order = await bookingRequest<OrderView>("POST", "/api/payments/create-order", {
        appointmentId: id,
      });
      setHeld({ id, payBefore: order.payBefore });
      setStep({ name: "paying" });
      answer = await openCheckout(checkoutUrl, checkoutOrder(order));
    } catch (error) {
      setStep({ name: "idle" });
      if (error instanceof BookingRequestError && isSettled(error.code)) {
        location.assign(`/booking/${id}`);
        return;
      }
      showFailure("Payment Setup Failed", wordsOf(error));
      if (error instanceof BookingRequestError && error.code === "slot_taken") {
        setHeld(null);
        onRefused?.(error);
      }
      return;
    }
    if (answer) await verify(id, answer);
    else cancelled();
  }

  function cancelled() {
    setStep({ name: "idle" });
    showFailure("Payment Cancelled", "Payment was cancelled. You can try again later.");
  }

  async function verify(id: string, answer: CheckoutAnswer): Promise<void> {
    setStep({ name: "verifying" });
    try {
      const appointment = await bookingRequest<AppointmentJson>("POST", "/api/payments/verify", {
        ...answer,
        appointmentId: id,
      });
      if (isPaid(appointment)) {
        setStep({ name: "confirmed", appointment });
        showToast({
          title: "Payment Successful",
          description: "Your appointment has been confirmed!",
          variant: "default",
        });
      } else if (appointment.status === "cancelled") location.assign(`/booking/${id}`);
      else setStep({ name: "checking", id });
    } catch (error) {
      // Money may have moved: without a clear refusal the booking page finds out, nobody pays twice.
      const refused =
        error instanceof BookingRequestError && error.status < 500 && error.status !== 429;
      setStep(refused ? { name: "idle" } : { name: "checking", id });
      if (refused) showFailure("Payment Verification Failed", error.message);
    }
  }

  return {
    step,
    held,
    /** Takes the time, then asks for the payment. */
    bookAndPay: (input: Record<string, unknown>) =>
      exclusively(async () => {
        const appointment = await create(input);
        if (appointment) await pay(appointment.id);
      }),
    payAgain: (id: string) => exclusively(() => pay(id)),
  };
}

/** Nothing is left to pay: the booking page says what became of it. */
function isSettled(code: string | null): boolean {
  return code === "already_paid" || code === "already_cancelled" || code === "payment_window_over";
}

function checkoutOrder(order: OrderView) {
  const { name, email, phone } = order.appointmentDetails;
  return {
    keyId: order.keyId,
    amountPaise: Math.round(order.amount * 100),
    currency: order.currency,
    orderId: order.orderId,
    name: BRAND.name,
    description: "One-on-one session with a captain",
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
