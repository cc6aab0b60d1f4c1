/** The payment provider's window; its script is loaded from the provider when first needed. */
import type { AppointmentJson } from "#app/booking/appointment-json.ts";
import { formatSession } from "#app/model/dates.ts";
import type { Brand } from "#app/model/settings.ts";

/** The session to pay for, with the price that the page shows. */
export type PayableSession = Pick<
  AppointmentJson,
  "id" | "counselor" | "date" | "timeSlot" | "packagePrice"
>;

/** The answer of `/api/payments/create-order`. */
export interface CheckoutOrder {
  /** Rupees. */
  amount: number;
  currency: string;
  orderId: string;
  keyId: string;
  appointmentDetails: { id: string; name: string; email: string; phone: string };
  payBefore: string;
}

export interface CheckoutAnswer {
  razorpay_order_id: string;
  razorpay_payment_id: string;
  razorpay_signature: string;
}

declare global {
  interface Window {
    Razorpay?: new (
      options: Record<string, unknown>,
    ) => { open(): void; on(event: "payment.failed", listener: () => void): void };
  }
}

const SCRIPT_TIMEOUT_MS = 15_000;
const LOAD_FAILURE = "The payment window could not be loaded. Please check your connection.";

/** False in in-app browsers that cannot show the window; there people pay on the hosted page. */
export function canShowWindow(): boolean {
  return !/Instagram|FBAN|FBAV|FB_IAB|Opera Mini|UCBrowser/i.test(navigator.userAgent);
}

/** The description in the provider's window and page; Razorpay requires a Latin letter first. */
export function checkoutDescription(
  session: Pick<PayableSession, "counselor" | "date" | "timeSlot">,
): string {
  return `Session with ${session.counselor}, ${formatSession(session.date, session.timeSlot)}`;
}

export function paiseOf({ amount }: CheckoutOrder): number {
  return Math.round(amount * 100);
}

let loading: Promise<void> | null = null;

function loadCheckout(url: string): Promise<void> {
  if (window.Razorpay) return Promise.resolve();
  loading ??= new Promise<void>((resolve, reject) => {
    const script = document.createElement("script");
    const settle = () => {
      clearTimeout(timer);
      if (window.Razorpay) return resolve();
      script.remove();
      loading = null;
      reject(new Error(LOAD_FAILURE));
    };
    const timer = setTimeout(settle, SCRIPT_TIMEOUT_MS);
    script.src = url;
    script.async = true;
    script.onerror = settle;
    script.onload = settle;
    document.head.append(script);
  });
  return loading;
}

/**
 * Opens the window. Resolves with the provider's answer, or null if the visitor closes it, which does
 * not mean that nothing was paid. Rejects if the script cannot be loaded.
 */
export async function openCheckout(
  url: string,
  order: CheckoutOrder,
  session: PayableSession,
  brand: Pick<Brand, "name" | "accent">,
): Promise<CheckoutAnswer | null> {
  await loadCheckout(url);
  const { name, email, phone } = order.appointmentDetails;
  return new Promise((resolve) => {
    const checkout = new window.Razorpay!({
      key: order.keyId,
      amount: paiseOf(order),
      currency: order.currency,
      order_id: order.orderId,
      name: brand.name,
      description: checkoutDescription(session),
      prefill: { name, email, contact: phone },
      theme: { color: brand.accent },
      retry: { enabled: true },
      modal: { ondismiss: () => resolve(null) },
      handler: (answer: CheckoutAnswer) => resolve(answer),
    });
    // The window stays open for another try.
    checkout.on("payment.failed", () => {});
    checkout.open();
  });
}
