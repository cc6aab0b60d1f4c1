/**
 * Razorpay's API as far as the app calls it, over HTTP, with exactly the orders, payments, refunds
 * and disputes that a test puts into it. It checks nothing and sends nothing: what the sandbox
 * refuses, a test can have here.
 */
import { createServer } from "node:http";
import { text } from "node:stream/consumers";
import { listening } from "./listening.ts";

export interface StubOrder {
  id: string;
  receipt: string | null;
  amount: number;
  currency: string;
  status: string;
}

export interface StubPayment {
  id: string;
  order_id: string | null;
  amount: number;
  currency: string;
  status: string;
  captured?: boolean;
  amount_refunded: number;
  method: string;
  /** With its tax, as Razorpay tells it. */
  fee?: number | null;
  tax?: number | null;
  email?: string;
  contact?: string;
  acquirer_data?: { rrn?: string | null };
  created_at: number;
}

export interface StubRefund {
  id: string;
  payment_id: string;
  amount: number;
  status: string;
  receipt?: string;
  /** Seconds. */
  created_at?: number;
  /** Of the call that made it: the same key is answered with the same refund. */
  key?: string;
}

export interface StubDispute {
  id: string;
  payment_id: string;
  amount: number;
  amount_deducted: number;
  phase: string;
  status: string;
  /** Seconds. */
  respond_by: number | null;
  created_at: number;
}

export interface StubAnswer {
  status: number;
  body: unknown;
}

export type RazorpayStub = Awaited<ReturnType<typeof startRazorpayStub>>;

/** The provider answers that it cannot serve. */
export const BROKEN: StubAnswer = { status: 500, body: { error: { description: "broken" } } };

export const refused = (description: string): StubAnswer => ({
  status: 400,
  body: { error: { code: "BAD_REQUEST_ERROR", description } },
});

const ALL_GONE = refused("The payment has been fully refunded already");
const TOO_MUCH = refused("The total refund amount is greater than the refund payment amount");

let serial = 0;
export const stubId = (prefix: string): string => {
  serial += 1;
  return `${prefix}_${String(serial).padStart(14, "0")}`;
};

export async function startRazorpayStub() {
  const stub = {
    origin: "",
    orders: [] as StubOrder[],
    payments: [] as StubPayment[],
    refunds: [] as StubRefund[],
    disputes: [] as StubDispute[],
    /** Rows of the settlement report, whatever month is asked for. */
    settled: [] as object[],
    /** Method and path of every call so far. */
    calls: [] as string[],
    /** Answers in place of the stub, which then does nothing; undefined leaves the call to it. */
    instead: (_call: string): StubAnswer | undefined => undefined,
    /** True for calls that are carried out, and whose answer does not arrive. */
    isLost: (_call: string): boolean => false,
    /** Refuses to send back more than is left of a payment, as the real one does. */
    isStrict: false,
    close(): void {
      server.closeAllConnections();
      server.close();
    },
  };
  const server = createServer(async (request, response) => {
    const sent = await text(request);
    const url = new URL(request.url ?? "/", "http://stub");
    const call = `${request.method} ${url.pathname}`;
    stub.calls.push(call);
    const key = request.headers["x-refund-idempotency"];
    const asked = { ...(sent && JSON.parse(sent)), key };
    const { status, body } =
      stub.instead(call) ??
      answer(stub, call, url.searchParams, asked) ??
      refused("The id does not exist");
    if (stub.isLost(call)) return void request.socket.destroy();
    response.writeHead(status, { "Content-Type": "application/json" });
    response.end(JSON.stringify(body));
  });
  stub.origin = `http://127.0.0.1:${await listening(server)}`;
  return stub;
}

function answer(
  stub: RazorpayStub,
  call: string,
  query: URLSearchParams,
  asked: { amount?: number; receipt?: string; key?: string },
): StubAnswer | undefined {
  const { orders, payments, refunds, disputes } = stub;
  const ok = (body: unknown) => (body === undefined ? undefined : { status: 200, body });
  const list = (items: readonly unknown[]) => {
    const [skip, count] = [Number(query.get("skip")), Number(query.get("count") ?? items.length)];
    return ok({ entity: "collection", items: items.slice(skip, skip + count) });
  };
  if (call === "GET /v1/settlements/recon/combined") return list(stub.settled);
  const [, kind, id = "", below] = /^\w+ \/v1\/(\w+)(?:\/(\w+))?(?:\/(\w+))?$/.exec(call) ?? [];
  const of = (start: string) => call.startsWith(start);
  if (call === "POST /v1/orders") {
    const { receipt = null, amount = 0 } = asked;
    orders.push({ id: stubId("order"), receipt, amount, currency: "INR", status: "created" });
    return ok(orders.at(-1));
  }
  if (call === "GET /v1/orders") {
    const receipt = query.get("receipt");
    return list(receipt ? orders.filter((order) => order.receipt === receipt) : orders);
  }
  if (of("GET /v1/orders")) return list(payments.filter((payment) => payment.order_id === id));
  if (of("POST /v1/payments")) {
    const { amount = 0, receipt, key } = asked;
    const known = refunds.find((refund) => key !== undefined && refund.key === key);
    if (known) return ok(known);
    const payment = payments.find((one) => one.id === id);
    if (payment && stub.isStrict) {
      const left = payment.amount - payment.amount_refunded;
      if (left <= 0) return ALL_GONE;
      if (amount > left) return TOO_MUCH;
    }
    if (payment) {
      payment.amount_refunded += amount;
      if (stub.isStrict && payment.amount_refunded === payment.amount) payment.status = "refunded";
    }
    const refund = { id: stubId("rfnd"), payment_id: id, amount, status: "pending" };
    refunds.push({ ...refund, ...(receipt && { receipt }), ...(key && { key }) });
    return ok(refunds.at(-1));
  }
  if (below === "refunds") return list(refunds.filter((refund) => refund.payment_id === id));
  const known: { id: string }[] =
    kind === "payments" ? payments : kind === "disputes" ? disputes : refunds;
  return id === "" ? list(known) : ok(known.find((one) => one.id === id));
}
