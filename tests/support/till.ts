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

export interface Till extends ReturnType<typeof operationsOver> {
  deps: Deps;
  clock: { now: number };
  razorpay: RazorpayStub;
  /** How often the worker was woken. */
  wakes(): number;
  /** Books a session on a day of its own and answers its id. */
  book(changes?: Partial<BookingBody>): string;
  /** Staff book for a customer, paid in cash unless the changes say so. */
  bookByStaff(changes?: object): Appointment;
  booking(id: string): Appointment;
  /** Makes the order of a booking and answers the provider's id of it. */
  order(appointmentId: string): Promise<string>;
  /** Books, and makes the order. */
  bookAndOrder(changes?: Partial<BookingBody>): Promise<{ id: string; orderId: string }>;
  /** Money comes at the provider, who tells nobody; captured and whole unless the changes say so. */
  pay(orderId: string | null, changes?: Partial<StubPayment>): StubPayment;
  /** What the checkout hands over of a payment, signed. */
  claim(appointmentId: string, orderId: string, paymentId: string): PaymentClaim;
  /** Does it while the provider answers so. */
  whileProvider<T>(answers: RazorpayStub["instead"], work: () => Promise<T>): Promise<T>;
  /** Reads what is due of orders, when the next look of every order is due. */
  look(): Promise<void>;
  /** The provider's webhook comes and is worked on. */
  tell(event: string, payload: object, eventId?: string): Promise<void>;
  /** Books and pays, by the reconciler. */
  bookAndPay(
    changes?: Partial<BookingBody>,
  ): Promise<{ id: string; orderId: string; payment: StubPayment }>;
  /** The activity log, oldest first. */
  logged(): Logged[];
  // biome-ignore lint/suspicious/noExplicitAny: a test asserts what it reads.
  rows(sql: string, ...parameters: unknown[]): any[];
  /** The messages of a kind, whatever became of them, oldest first; `data` is read. */
  // biome-ignore lint/suspicious/noExplicitAny: a test asserts what it reads.
  queued(kind: MessageKind): any[];
  /** The mail that a message would be now; one that is none throws why. */
  mail(message: Message): Promise<OutgoingMail>;
  close(): void;
}

export async function openTill(env: Record<string, string> = {}): Promise<Till> {
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
  const till: Till = {
    ...operationsOver(deps),
    deps,
    clock,
    razorpay,
    wakes: made.wakes,
    rows: (sql, ...parameters) => deps.db.allRaw(sql, parameters),
    queued: (kind) =>
      till
        .rows("SELECT * FROM message WHERE kind = ? ORDER BY rowid", kind)
        .map((row) => ({ ...row, data: JSON.parse(row.data) })),
    async mail(message) {
      const composed = await till.compose(message);
      if (composed.kind !== "mail") throw new Error(composed.kind);
      return composed.mail;
    },
    book(changes = {}) {
      day += 1;
      const date = addDays(dateInIndia(clock.now), day);
      const origin = { clientAddress: "192.0.2.1" };
      const booked = bookSession(deps, bookingInput({ date, ...changes }), origin);
      if (!booked.ok) throw new Error(booked.message);
      return booked.value.appointment.id;
    },
    bookByStaff: (changes) => bookByStaff(deps, changes),
    booking: (id) => findAppointment(deps.db, id)!,
    async order(id) {
      const made = await createOrder(deps, id);
      if (!made.ok) throw new Error(made.message);
      return made.value.orderId;
    },
    pay(order_id, changes = {}) {
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
    },
    claim(appointmentId, orderId, paymentId) {
      const signature = signedBy(deps.env.razorpay.keySecret, `${orderId}|${paymentId}`);
      return { appointmentId, orderId, paymentId, signature };
    },
    async whileProvider(answers, work) {
      razorpay.instead = answers;
      try {
        return await work();
      } finally {
        razorpay.instead = () => undefined;
      }
    },
    logged: () =>
      till
        .rows("SELECT actor, action, target, before, after FROM activity ORDER BY rowid")
        .map((row) => ({ ...row, before: JSON.parse(row.before), after: JSON.parse(row.after) })),
    async look() {
      deps.db.runRaw("UPDATE payment_order SET next_check_at = ? WHERE next_check_at > ?", [
        clock.now,
        clock.now,
      ]);
      await runReconciler(deps);
    },
    async tell(event, payload, eventId = stubId("evt")) {
      const body = Buffer.from(JSON.stringify({ entity: "event", event, payload }));
      const signature = signedBy(HOOK_SECRET, body);
      const recorded = recordEvent(deps, { body, signature, eventId });
      if (!recorded.ok) throw new Error(recorded.message);
      await runProviderEvents(deps);
    },
    async bookAndOrder(changes) {
      const id = till.book(changes);
      return { id, orderId: await till.order(id) };
    },
    async bookAndPay(changes) {
      const { id, orderId } = await till.bookAndOrder(changes);
      const payment = till.pay(orderId);
      await till.look();
      return { id, orderId, payment };
    },
    close() {
      razorpay.close();
      made.close();
    },
  };
  return till;
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
