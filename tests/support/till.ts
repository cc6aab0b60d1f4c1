/** Operations over a file of their own, with the app's own Razorpay wall before a provider's stub. */
import { createHmac } from "node:crypto";
import { bookForCustomer } from "#app/booking/book-for-customer.server.ts";
import { bookSession } from "#app/booking/book-session.server.ts";
import { cancelAppointment } from "#app/booking/cancel-appointment.server.ts";
import { changeCaptain } from "#app/booking/captains.server.ts";
import { staffBookingSchema } from "#app/booking/change-fields.ts";
import { changeCounselorSchema } from "#app/catalogue/fields.ts";
import type { Deps } from "#app/core/deps.server.ts";
import type { Appointment } from "#app/model/appointment.ts";
import { addDays, dateInIndia } from "#app/model/dates.ts";
import { createOrder } from "#app/payments/create-order.server.ts";
import { recordEvent, runProviderEvents } from "#app/payments/provider-events.server.ts";
import { createRazorpay } from "#app/payments/razorpay.server.ts";
import { runReconciler } from "#app/payments/reconcile.server.ts";
import type { verifyPayment } from "#app/payments/verify-payment.server.ts";
import { findAppointment } from "#db/queries/appointments.server.ts";
import { type BookingBody, bookingBody, bookingInput } from "./bookings.ts";
import { makeDeps } from "./deps.ts";
import {
  type RazorpayStub,
  type StubPayment,
  type StubRefund,
  startRazorpayStub,
  stubId,
} from "./razorpay-stub.ts";

const HOOK_SECRET = "hook-secret-of-tests";
export const ADMIN_ACTOR = { kind: "admin", username: "admin", role: "owner" } as const;

type PaymentClaim = Parameters<typeof verifyPayment>[1];

// biome-ignore lint/suspicious/noExplicitAny: a test asserts what it reads.
type Unchecked = any;

export type Till = Awaited<ReturnType<typeof openTill>>;

export async function openTill(env: Record<string, string> = {}) {
  const razorpay = await startRazorpayStub();
  const made = await makeDeps({
    RAZORPAY_KEY_ID: "rzp_test_abcdefgh",
    RAZORPAY_KEY_SECRET: "key-secret-of-tests",
    RAZORPAY_WEBHOOK_SECRET: HOOK_SECRET,
    RAZORPAY_API_URL: razorpay.origin,
    RAZORPAY_CHECKOUT_URL: razorpay.origin,
    RATE_LIMIT: "off",
    ...env,
  });
  const { clock } = made;
  const deps: Deps = { ...made.deps, provider: createRazorpay(made.deps.env.razorpay) };
  let day = 10;

  const rows = (sql: string, ...parameters: unknown[]): Unchecked[] =>
    deps.db.allRaw(sql, parameters);

  /** Books a session on a day of its own and answers its id. */
  function book(changes: Partial<BookingBody> = {}): string {
    day += 1;
    const date = addDays(dateInIndia(clock.now), day);
    const origin = { clientAddress: "192.0.2.1" };
    const booked = bookSession(deps, bookingInput({ date, ...changes }), origin);
    if (!booked.ok) throw new Error(booked.message);
    return booked.value.appointment.id;
  }

  /** Makes the order of a booking and answers the provider's id of it. */
  async function order(appointmentId: string): Promise<string> {
    const made = await createOrder(deps, appointmentId);
    if (!made.ok) throw new Error(made.message);
    return made.value.orderId;
  }

  /** Books, and makes the order. */
  async function bookAndOrder(changes?: Partial<BookingBody>) {
    const id = book(changes);
    return { id, orderId: await order(id) };
  }

  /** Money comes at the provider, who tells nobody; captured and whole unless the changes say so. */
  function pay(order_id: string | null, changes: Partial<StubPayment> = {}): StubPayment {
    const amount = razorpay.orders.find((order) => order.id === order_id)?.amount ?? 117_900;
    razorpay.payments.push({
      id: stubId("pay"),
      order_id,
      amount,
      currency: "INR",
      status: "captured",
      amount_refunded: 0,
      method: "upi",
      created_at: Math.floor(clock.now / 1000),
      ...changes,
    });
    return razorpay.payments.at(-1)!;
  }

  /** Reads what is due of orders, when the next look of every order is due. */
  async function look(): Promise<void> {
    const due = "UPDATE payment_order SET next_check_at = ? WHERE next_check_at > ?";
    deps.db.runRaw(due, [clock.now, clock.now]);
    await runReconciler(deps);
  }

  return {
    deps,
    clock,
    razorpay,
    /** How often the worker was woken. */
    wakes: made.wakes,
    rows,
    book,
    bookByStaff: (changes?: object) => bookByStaff(deps, changes),
    booking: (id: string): Appointment => findAppointment(deps.db, id)!,
    /** An admin cancels it. */
    cancel: (id: string) => cancelAppointment(deps, ADMIN_ACTOR, id),
    order,
    bookAndOrder,
    pay,
    look,
    /** Books and pays, by the reconciler. */
    async bookAndPay(changes?: Partial<BookingBody>) {
      const { id, orderId } = await bookAndOrder(changes);
      const payment = pay(orderId);
      await look();
      return { id, orderId, payment };
    },
    /** What the checkout hands over of a payment, signed. */
    claim(appointmentId: string, orderId: string, paymentId: string): PaymentClaim {
      const signed = createHmac("sha256", deps.env.razorpay.keySecret);
      const signature = signed.update(`${orderId}|${paymentId}`).digest("hex");
      return { appointmentId, orderId, paymentId, signature };
    },
    /** Does it while the provider answers so. */
    async whileProvider<T>(answers: RazorpayStub["instead"], work: () => Promise<T>): Promise<T> {
      razorpay.instead = answers;
      try {
        return await work();
      } finally {
        razorpay.instead = () => undefined;
      }
    },
    /** The provider's webhook comes and is worked on. */
    async tell(event: string, payload: object): Promise<void> {
      const body = Buffer.from(JSON.stringify({ entity: "event", event, payload }));
      const signature = createHmac("sha256", HOOK_SECRET).update(body).digest("hex");
      const recorded = recordEvent(deps, { body, signature, eventId: stubId("evt") });
      if (!recorded.ok) throw new Error(recorded.message);
      await runProviderEvents(deps);
    },
    /** The activity log, oldest first. */
    logged: () =>
      rows("SELECT actor, action, target, before, after FROM activity ORDER BY rowid").map(
        (row) => ({ ...row, before: JSON.parse(row.before), after: JSON.parse(row.after) }),
      ),
    close() {
      razorpay.close();
      made.close();
    },
  };
}

/** Staff book for a customer, paid in cash unless the changes say so. */
export function bookByStaff(deps: Deps, changes: object = {}): Appointment {
  const payment = { by: "offline", method: "cash" };
  const date = addDays(dateInIndia(deps.now()), 5);
  const { packagePrice: _, ...input } = { ...bookingBody({ date }), payment, ...changes };
  const made = bookForCustomer(deps, ADMIN_ACTOR, staffBookingSchema.parse(input));
  if (!made.ok) throw new Error(`${made.message} ${JSON.stringify(made.errors)}`);
  return made.value;
}

/** Changes a captain and answers how many customers are notified of it. */
export function setCaptain(deps: Deps, key: string, change: object): number {
  const done = changeCaptain(deps, ADMIN_ACTOR, key, changeCounselorSchema.parse(change));
  if (!done.ok) throw new Error(done.message);
  return done.value.notified;
}

/** As the webhook says it. */
export const aboutPayment = (payment: StubPayment) => ({ payment: { entity: payment } });
export const aboutRefund = (refund: StubRefund) => ({ refund: { entity: refund } });
