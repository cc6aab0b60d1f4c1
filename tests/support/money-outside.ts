/** What happens to money outside the app, and what its people are sent about it. */
import { type Booked, bookSession } from "#app/booking/book-session.server.ts";
import type { BookingOrigin } from "#app/booking/booking-request.server.ts";
import { HOUR } from "#app/model/dates.ts";
import type { Audience, MessageKind } from "#app/model/messages.ts";
import { composeMessage } from "#app/notifications/compose.server.ts";
import { isWhatsAppKind, whatsAppTemplate } from "#app/notifications/templates/whatsapp.ts";
import { bookingView } from "#app/routes/public/booking/booking-view.server.ts";
import { findMessage } from "#db/queries/messages.server.ts";
import { listRefundsForPerson } from "#db/queries/payments.server.ts";
import { type BookingBody, bookingBody, bookingInput } from "./bookings.ts";
import {
  refused,
  type StubDispute,
  type StubOrder,
  type StubPayment,
  type StubRefund,
  stubId,
} from "./razorpay-stub.ts";
import { aboutRefund, type Till } from "./till.ts";

/** The price of the shortest session, paise. */
export const WHOLE = 117_900;

/** So that WhatsApp messages are queued too. */
export const WHATSAPP = {
  WHATSAPP_PHONE_NUMBER_ID: "1",
  WHATSAPP_TOKEN: "token",
  WHATSAPP_APP_SECRET: "secret",
  WHATSAPP_VERIFY_TOKEN: "verify",
};

const NO_BALANCE = refused(
  "Your account does not have enough balance to carry out the refund operation.",
);

/** A call that sends a refund. */
export const isSend = (call: string) => call.startsWith("POST /v1/payments");

/** The queue of refunds runs while the provider answers so to what is sent. */
export function sendRefused(till: Till, answer = NO_BALANCE): Promise<number> {
  return till.whileProvider(
    (call) => (isSend(call) ? answer : undefined),
    () => till.sendRefunds(),
  );
}

/** An order at the provider that nothing here knows, as after a restore, and that was paid. */
export function foreignOrder(till: Till): StubOrder {
  const order = { id: stubId("order"), receipt: `bk_${stubId("lost")}`, amount: WHOLE };
  till.razorpay.orders.push({ ...order, currency: "INR", status: "paid" });
  return till.razorpay.orders.at(-1)!;
}

/** The provider's own people send money back; nobody is notified of it yet. */
export function refundInDashboard(
  till: Till,
  payment: StubPayment,
  amount: number,
  status = "processed",
): StubRefund {
  payment.amount_refunded += amount;
  if (payment.amount_refunded === payment.amount) payment.status = "refunded";
  const refund = { id: stubId("rfnd"), payment_id: payment.id, amount, status };
  till.razorpay.refunds.push(refund);
  return refund;
}

/** The bank refuses a refund, also one that counted as processed; nobody is notified of it yet. */
export function failAtBank(till: Till, refund: StubRefund): void {
  const payment = till.razorpay.payments.find(({ id }) => id === refund.payment_id)!;
  refund.status = "failed";
  payment.amount_refunded -= refund.amount;
  payment.status = "captured";
}

/** The same, and its webhook comes. */
export async function hearFailed(till: Till, refund = till.razorpay.refunds[0]!): Promise<void> {
  failAtBank(till, refund);
  await hear(till, refund);
}

/** The customer's bank asks for a payment back; nobody is notified of it yet. */
export function disputeAtBank(
  till: Till,
  payment: StubPayment,
  changes: Partial<StubDispute> = {},
): StubDispute {
  const now = Math.floor(till.clock.now / 1000);
  const dispute = {
    id: stubId("disp"),
    payment_id: payment.id,
    amount: payment.amount,
    amount_deducted: 0,
    phase: "chargeback",
    status: "open",
    respond_by: now + 7 * 86_400,
    created_at: now,
    ...changes,
  };
  till.razorpay.disputes.push(dispute);
  return dispute;
}

/** The bank has decided so on a payment, and the webhook comes. */
export async function hearDispute(till: Till, payment: StubPayment, status: string) {
  const entity = disputeAtBank(till, payment, { status, respond_by: null });
  await till.tell(`payment.dispute.${status}`, { dispute: { entity } });
}

/** Its webhook comes, as the refund stands. */
export function hear(till: Till, refund: StubRefund): Promise<void> {
  const event = refund.status === "pending" ? "created" : refund.status;
  return till.tell(`refund.${event}`, aboutRefund(refund));
}

/** Paise that the provider has sent back and that have not failed. */
export function backAtProvider(till: Till, payment?: StubPayment): number {
  return till.razorpay.refunds
    .filter(
      ({ status, payment_id }) => status !== "failed" && payment_id === (payment?.id ?? payment_id),
    )
    .reduce((sum, { amount }) => sum + amount, 0);
}

/** Some hours pass: what is due is sent, the provider carries out what it accepted, all is read. */
export async function rest(till: Till): Promise<void> {
  for (let hours = 0; hours < 3; hours++) {
    till.clock.now += HOUR;
    await till.workOnEvents();
    // A run takes up a few of them.
    for (let runs = 0; runs < 4; runs++) await till.sendRefunds();
    for (const refund of till.razorpay.refunds) {
      if (refund.status === "pending") refund.status = "processed";
    }
    await till.look();
  }
}

/** Staff click "Try the refund again" at everything that waits for them. */
export async function tryAllAgain(till: Till): Promise<void> {
  for (const { id } of listRefundsForPerson(till.deps.db, 50)) {
    await till.retry(id);
  }
}

export function keptOf(till: Till, id: string): number {
  return till.rows("SELECT kept_paise FROM appointment WHERE id = ?", id)[0].kept_paise;
}

/** Of all refunds: by which way, how they stand and how many paise. */
export function refundLines(till: Till): string[] {
  return till
    .rows("SELECT way, state, amount_paise FROM refund")
    .map(({ way, state, amount_paise }) => `${way} ${state} ${amount_paise}`)
    .toSorted();
}

export function statusOf(till: Till, id: string): string {
  return till.rows("SELECT status FROM appointment WHERE id = ?", id)[0].status;
}

export function outcomeOf(till: Till, paymentId: string): string | undefined {
  return till.rows("SELECT outcome FROM payment WHERE payment_id = ?", paymentId)[0]?.outcome;
}

export function ordersOf(till: Till, id: string): { order_id: string; state: string }[] {
  const orders = "SELECT order_id, state FROM payment_order WHERE appointment_id = ?";
  return till.rows(`${orders} ORDER BY created_at`, id);
}

interface SentMessage {
  kind: MessageKind;
  /** Subject and text; of WhatsApp the template with its places filled. */
  text: string;
  /** The names of what is attached to a mail; of WhatsApp none. */
  files?: string[];
}

/** What an audience is sent, oldest first, as it would go out now. */
export async function messagesTo(till: Till, audience: Audience): Promise<SentMessage[]> {
  const documents = { ...till.deps.documents, renderDocument: async () => Buffer.from("%PDF") };
  const rows = till.rows(
    "SELECT id FROM message WHERE audience = ? AND state <> 'held_back' ORDER BY created_at, rowid",
    audience,
  );
  const sent: SentMessage[] = [];
  for (const { id } of rows) {
    const message = findMessage(till.deps.db, id)!;
    const { kind } = message;
    const composed = await composeMessage({ ...till.deps, documents }, message);
    if (composed.kind === "mail") {
      const { subject, text, attachments } = composed.mail;
      const files = attachments.map(({ filename }) => filename);
      sent.push({ kind, text: `${subject} ${text}`.replace(/\s+/g, " "), files });
    } else if (composed.kind === "whatsapp" && isWhatsAppKind(kind)) {
      const { parameters } = composed.message;
      const fill = (_: string, place: string) => parameters[Number(place) - 1] ?? "";
      sent.push({ kind, text: whatsAppTemplate(kind).body.replace(/\{\{(\d+)\}\}/g, fill) });
    }
  }
  return sent;
}

/** The booking's page. */
export function pageOf(till: Till, id: string, reason: string | null = null) {
  const now = till.clock.now;
  return bookingView(till.page(id)!, till.deps.env, { now, reason, done: null });
}

/** What the page says of how the booking and its money stand. */
export function pageSays(till: Till, id: string): string {
  const { heading, pass, cancelReason, money } = pageOf(till, id);
  const sums = money?.sums.map(({ label, value }) => `${label}: ${value}`) ?? [];
  return [heading, pass.stamp?.text, cancelReason, ...(money?.refunds ?? []), ...sums].join(" | ");
}

/** One browser that books, and chooses anew while it has not paid. */
export function openBrowser(till: Till) {
  const person = bookingBody();
  let ownToken: string | null = null;
  return (changes: Partial<BookingBody>): Booked => {
    const origin: BookingOrigin = { clientAddress: "192.0.2.1", ownToken };
    const booked = bookSession(till.deps, bookingInput({ ...person, ...changes }), origin);
    if (!booked.ok) throw new Error(booked.message);
    ownToken = booked.value.token;
    return booked.value;
  };
}
