/** The payment provider's window: its script is loaded when first needed, from the provider's host. */
import { formatSession } from "#app/model/dates.ts";

export interface CheckoutAnswer {
  razorpay_order_id: string;
  razorpay_payment_id: string;
  razorpay_signature: string;
}

export interface CheckoutOrder {
  keyId: string;
  /** Paise. */
  amountPaise: number;
  currency: string;
  orderId: string;
  name: string;
  description: string;
  prefill: { name: string; email: string; contact: string };
}

interface RazorpayWindow {
  open(): void;
  on(event: "payment.failed", listener: (failure: unknown) => void): void;
}

declare global {
  interface Window {
    Razorpay?: new (options: Record<string, unknown>) => RazorpayWindow;
  }
}

/** The blue of `--color-action`, as the provider wants it. */
const THEME_COLOR = "#005bbf";
const SCRIPT_TIMEOUT_MS = 15_000;
const LOAD_FAILURE = "The payment window could not be loaded. Please check your connection.";

/** In-app browsers that do not carry the provider's window; they pay on the provider's own page. */
export function canShowWindow(userAgent = navigator.userAgent): boolean {
  return !/Instagram|FBAN|FBAV|FB_IAB|Opera Mini|UCBrowser/i.test(userAgent);
}

/** What the provider's window and page say is being paid; Razorpay wants a Latin letter first. */
export function checkoutDescription(session: {
  counselor: string;
  date: string;
  timeSlot: string;
}): string {
  return `Session with ${session.counselor}, ${formatSession(session.date, session.timeSlot)}`;
}

let loading: Promise<void> | null = null;

function loadCheckout(url: string): Promise<void> {
  if (window.Razorpay) return Promise.resolve();
  loading ??= new Promise<void>((resolve, reject) => {
    const script = document.createElement("script");
    const fail = () => {
      script.remove();
      loading = null;
      reject(new Error(LOAD_FAILURE));
    };
    const timer = setTimeout(fail, SCRIPT_TIMEOUT_MS);
    script.src = url;
    script.async = true;
    script.onerror = () => {
      clearTimeout(timer);
      fail();
    };
    script.onload = () => {
      clearTimeout(timer);
      if (window.Razorpay) resolve();
      else fail();
    };
    document.head.append(script);
  });
  return loading;
}

/**
 * Opens the window. Resolves with what the provider hands back, or null when the visitor closes
 * it; a closed window does not mean that no money moved.
 */
export async function openCheckout(
  url: string,
  order: CheckoutOrder,
): Promise<CheckoutAnswer | null> {
  await loadCheckout(url);
  return new Promise((resolve) => {
    const checkout = new window.Razorpay!({
      key: order.keyId,
      amount: order.amountPaise,
      currency: order.currency,
      order_id: order.orderId,
      name: order.name,
      description: order.description,
      prefill: order.prefill,
      theme: { color: THEME_COLOR },
      retry: { enabled: true },
      modal: { ondismiss: () => resolve(null) },
      handler: (answer: CheckoutAnswer) => resolve(answer),
    });
    // The window stays open for another try; nothing is released and nothing is said behind it.
    checkout.on("payment.failed", () => {});
    checkout.open();
  });
}
