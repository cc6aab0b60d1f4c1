/**
 * One process's calls to the provider, answered from its books: an answer may be lost, refused or
 * late, and the process may die in a call.
 */
import { type PaymentProvider, ProviderError, type ProviderPayment } from "#app/core/services.ts";
import type { BookedOrder, Books } from "./money-books.ts";

/** What happens to a call; `lost`: done, and the answer does not come. */
export type CallFate =
  | "answered"
  | "down"
  | "rate"
  | "unknown"
  | "lost"
  | "busy"
  | "balance"
  | "rejected"
  | "slow_before"
  | "slow_after"
  | "dies_before"
  | "dies_after";

export type CallKind = "read" | "write" | "refund";

export interface Weather {
  /** The process has died: nothing comes back to it. */
  isOver(): boolean;
  /** Of the next call, by what it does. */
  fate(kind: CallKind): CallFate;
  called(name: string, subject: string, fate: CallFate): void;
  /** Others act while a call is under way. */
  meanwhile(): Promise<void>;
  /** The process ends here; never resolves. */
  die(): Promise<never>;
}

const fault = (word: ConstructorParameters<typeof ProviderError>[0], status: number) =>
  new ProviderError(word, status, `the provider says: ${word}`);

/** As it stands now: the books go on. */
const now = <T extends object>(one: T): T => ({ ...one });

export function providerCallsOf(books: Books, weather: Weather) {
  async function call<T>(kind: CallKind, name: string, subject: string, work: () => T): Promise<T> {
    if (weather.isOver()) return new Promise(() => {});
    const fate = weather.fate(kind);
    weather.called(name, subject, fate);
    const isRead = kind === "read";
    if (fate === "down" || (fate === "lost" && isRead)) throw fault("down", 0);
    if (fate === "rate") throw fault("rate", 429);
    if (fate === "unknown") throw fault(isRead ? "down" : "unknown", 504);
    if (fate === "busy" || fate === "balance" || fate === "rejected") throw fault(fate, 400);
    if (fate === "slow_before") await weather.meanwhile();
    if (fate === "dies_before") await weather.die();
    const done = work();
    if (fate === "slow_after") await weather.meanwhile();
    if (fate === "dies_after") await weather.die();
    if (fate === "lost") throw fault("unknown", 504);
    return done;
  }
  const ofForeign = (order: BookedOrder) => {
    if (order.isForeign) throw fault("rejected", 400);
    return order;
  };
  const paymentOf = (paymentId: string): ProviderPayment => {
    const payment = books.payment(paymentId);
    ofForeign(books.order(payment.orderId));
    return books.paymentAnswer(payment);
  };
  const madeIn = <T extends { createdAt: number }>(all: readonly T[], from: number, to: number) =>
    all.filter(({ createdAt }) => createdAt >= from - 1000 && createdAt <= to + 1000);
  return {
    createOrder: ({ receipt, amountPaise, notes }) =>
      call("write", "createOrder", receipt, () =>
        now(books.createOrder(receipt, amountPaise, notes.booking ?? "")),
      ),
    findOrderByReceipt: (receipt) =>
      call("read", "findOrderByReceipt", receipt, () => {
        const order = books.orders.find((one) => one.receipt === receipt);
        return order ? now(ofForeign(order)) : null;
      }),
    listPayments: (orderId) =>
      call("read", "listPayments", orderId, () => {
        ofForeign(books.order(orderId));
        const payments = books.payments.filter((one) => one.orderId === orderId);
        return payments.map((payment) => books.paymentAnswer(payment));
      }),
    listOrders: (from, to) =>
      call("read", "listOrders", "", () => madeIn(books.orders, from, to).map(now)),
    fetchPayment: (paymentId) =>
      call("read", "fetchPayment", paymentId, () => paymentOf(paymentId)),
    refund: ({ idempotencyKey, ...asked }) =>
      call("refund", "refund", asked.paymentId, () => {
        paymentOf(asked.paymentId);
        return now(books.askRefund(asked, idempotencyKey));
      }),
    listRefunds: (paymentId) =>
      call("read", "listRefunds", paymentId, () => {
        paymentOf(paymentId);
        return books.refundsOf(paymentId).map(now);
      }),
    fetchRefund: (refundId) =>
      call("read", "fetchRefund", refundId, () => {
        const refund = books.refund(refundId);
        paymentOf(refund.paymentId);
        return now(refund);
      }),
    fetchDispute: (disputeId: string) =>
      call("read", "fetchDispute", disputeId, () => {
        const dispute = books.dispute(disputeId);
        paymentOf(dispute.paymentId);
        return now(dispute);
      }),
    listDisputes: (from: number, to: number) =>
      call("read", "listDisputes", "", () => madeIn(books.disputes, from, to).map(now)),
    listPaymentsMade: (from: number, to: number) =>
      call("read", "listPaymentsMade", "", () =>
        madeIn(books.payments, from, to).map((payment) => books.paymentAnswer(payment)),
      ),
    listRefundsMade: (from: number, to: number) =>
      call("read", "listRefundsMade", "", () => madeIn(books.refunds, from, to).map(now)),
    listSettled: async () => [],
  } satisfies PaymentProvider & Record<string, unknown>;
}
