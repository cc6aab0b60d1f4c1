/** Operations over a file of their own, with the app's own Razorpay wall before a provider's stub. */
import { setBlocks } from "#app/availability/set-availability.server.ts";
import { bookForCustomer } from "#app/booking/book-for-customer.server.ts";
import { bookSession } from "#app/booking/book-session.server.ts";
import { readBookingPage } from "#app/booking/booking-page.server.ts";
import { cancelAppointment, refundPart } from "#app/booking/cancel-and-refund.server.ts";
import { changeCaptain } from "#app/booking/captains.server.ts";
import { staffBookingSchema } from "#app/booking/change-fields.ts";
import { markPaidOutside } from "#app/booking/confirm-appointment.server.ts";
import { readAttention } from "#app/booking/dashboard.server.ts";
import {
  deleteAppointment,
  editContact,
  noteAttendance,
} from "#app/booking/edit-appointment.server.ts";
import { rescheduleAppointment } from "#app/booking/reschedule-appointment.server.ts";
import { changeCounselorSchema } from "#app/catalogue/fields.ts";
import type { Deps } from "#app/core/deps.server.ts";
import type { OutgoingMail } from "#app/core/services.ts";
import { sweep } from "#app/jobs/retention.server.ts";
import type { Actor } from "#app/model/actor.ts";
import type { Appointment } from "#app/model/appointment.ts";
import { addDays, dateInIndia } from "#app/model/dates.ts";
import type { MessageKind } from "#app/model/messages.ts";
import { composeMessage } from "#app/notifications/compose.server.ts";
import { createOrder } from "#app/payments/create-order.server.ts";
import { recordEvent, runProviderEvents } from "#app/payments/provider-events.server.ts";
import { createRazorpay } from "#app/payments/razorpay.server.ts";
import { runReconciler } from "#app/payments/reconcile.server.ts";
import { runRefunds } from "#app/payments/refunds.server.ts";
import { retryRefund, settleRefund } from "#app/payments/stuck-refunds.server.ts";
import { assignUnmatched, refundUnmatched } from "#app/payments/unmatched.server.ts";
import { verifyPayment } from "#app/payments/verify-payment.server.ts";
import { changeSettings } from "#app/settings/change-settings.server.ts";
import { findAppointment } from "#db/queries/appointments.server.ts";
import { listMessages, type Message } from "#db/queries/messages.server.ts";
import { type BookingBody, bookingBody, bookingInput } from "./bookings.ts";
import { makeDeps } from "./deps.ts";
import {
  type RazorpayStub,
  type StubPayment,
  type StubRefund,
  startRazorpayStub,
  stubId,
} from "./razorpay-stub.ts";
import { signedBy } from "./signed-by.ts";

const HOOK_SECRET = "hook-secret-of-tests";
export const ADMIN_ACTOR = { kind: "admin", username: "admin", role: "owner" } as const;

type PaymentClaim = Parameters<typeof verifyPayment>[1];

interface Logged {
  actor: string;
  action: string;
  target: string;
  before: Record<string, unknown> | null;
  after: Record<string, unknown> | null;
}

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
  const { clock, wakes } = made;
  const deps: Deps = { ...made.deps, provider: createRazorpay(made.deps.env.razorpay) };
  const operations = operationsOver(deps);
  // biome-ignore lint/suspicious/noExplicitAny: a test asserts what it reads.
  const rows = (sql: string, ...parameters: unknown[]): any[] => deps.db.allRaw(sql, parameters);
  let day = 10;

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
    const created = await createOrder(deps, appointmentId);
    if (!created.ok) throw new Error(created.message);
    return created.value.orderId;
  }

  /** Books, and makes the order. */
  async function bookAndOrder(changes?: Partial<BookingBody>) {
    const id = book(changes);
    return { id, orderId: await order(id) };
  }

  /** Money comes at the provider, who tells nobody; captured and whole unless the changes say so. */
  function pay(order_id: string | null, changes: Partial<StubPayment> = {}): StubPayment {
    const amount = razorpay.orders.find(({ id }) => id === order_id)?.amount ?? 117_900;
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
    const { now } = clock;
    const later = "UPDATE payment_order SET next_check_at = ? WHERE next_check_at > ?";
    deps.db.runRaw(later, [now, now]);
    await runReconciler(deps);
  }

  return {
    ...operations,
    deps,
    clock,
    razorpay,
    /** How often the worker was woken. */
    wakes,
    rows,
    book,
    order,
    bookAndOrder,
    pay,
    look,
    bookByStaff: (changes?: object) => bookByStaff(deps, changes),
    booking: (id: string): Appointment => findAppointment(deps.db, id)!,
    /** The messages of a kind, whatever became of them, oldest first; `data` is read. */
    queued: (kind: MessageKind) =>
      rows("SELECT * FROM message WHERE kind = ? ORDER BY rowid", kind).map((row) => ({
        ...row,
        data: JSON.parse(row.data),
      })),
    /** The mail that a message would be now; one that is none throws why. */
    async mail(message: Message): Promise<OutgoingMail> {
      const composed = await operations.compose(message);
      if (composed.kind !== "mail") throw new Error(composed.kind);
      return composed.mail;
    },
    /** What the checkout hands over of a payment, signed. */
    claim(appointmentId: string, orderId: string, paymentId: string): PaymentClaim {
      const signature = signedBy(deps.env.razorpay.keySecret, `${orderId}|${paymentId}`);
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
    /** The activity log, oldest first. */
    logged: (): Logged[] =>
      rows("SELECT actor, action, target, before, after FROM activity ORDER BY rowid").map(
        (row) => ({ ...row, before: JSON.parse(row.before), after: JSON.parse(row.after) }),
      ),
    /** The provider's webhook comes and is worked on. */
    async tell(event: string, payload: object, eventId = stubId("evt")): Promise<void> {
      const body = Buffer.from(JSON.stringify({ entity: "event", event, payload }));
      const signature = signedBy(HOOK_SECRET, body);
      const recorded = recordEvent(deps, { body, signature, eventId });
      if (!recorded.ok) throw new Error(recorded.message);
      await runProviderEvents(deps);
    },
    /** Books and pays, by the reconciler. */
    async bookAndPay(changes?: Partial<BookingBody>) {
      const { id, orderId } = await bookAndOrder(changes);
      const payment = pay(orderId);
      await look();
      return { id, orderId, payment };
    },
    close() {
      razorpay.close();
      made.close();
    },
  };
}

/** The operations themselves: those of an owner, those of the customer, and what runs by itself. */
function operationsOver(deps: Deps) {
  const byOwner =
    <Asked extends unknown[], Answer>(
      work: (deps: Deps, actor: Actor, ...asked: Asked) => Answer,
    ) =>
    (...asked: Asked) =>
      work(deps, ADMIN_ACTOR, ...asked);
  return {
    move: byOwner(rescheduleAppointment),
    cancel: byOwner(cancelAppointment),
    edit: byOwner(editContact),
    delete: byOwner(deleteAppointment),
    noteAttendance: byOwner(noteAttendance),
    markPaid: byOwner(markPaidOutside),
    refundPart: byOwner(refundPart),
    retry: byOwner(retryRefund),
    settle: byOwner(settleRefund),
    assign: byOwner(assignUnmatched),
    refundUnmatched: byOwner(refundUnmatched),
    setBlocks: byOwner(setBlocks),
    changeSettings: byOwner(changeSettings),
    attention: () => readAttention(deps),
    messages: (id: string) => listMessages(deps.db, id),
    compose: (message: Message) => composeMessage(deps, message),
    page: (id: string) => readBookingPage(deps, id),
    createOrder: (id: string) => createOrder(deps, id),
    verify: (claim: PaymentClaim) => verifyPayment(deps, claim),
    reconcile: () => runReconciler(deps),
    workOnEvents: () => runProviderEvents(deps),
    sendRefunds: () => runRefunds(deps),
    sweep: () => sweep(deps),
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
