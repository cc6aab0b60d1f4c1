/** The only connection to Razorpay: wraps its SDK in the app's interface. Verified with 2.9.8. */
import Razorpay from "razorpay";
import { z } from "zod";
import type { Env } from "#app/core/env.server.ts";
import { type PaymentProvider, ProviderError } from "#app/core/services.ts";
import { elsewhere } from "#app/core/work-queue.server.ts";
import { CURRENCY } from "#app/model/money.ts";
import type { ProviderFault } from "#app/model/statuses.ts";
import {
  DISPUTE_ID,
  disputeSchema,
  ORDER_ID,
  orderSchema,
  PAYMENT_ID,
  paymentSchema,
  REFUND_ID,
  refundSchema,
  settledSchema,
} from "./razorpay-shapes.ts";

const CALL_TIMEOUT_MS = 10_000;
/** Minutes within which a payment is captured automatically: the provider's minimum. */
const AUTOMATIC_CAPTURE_MINUTES = 12;
/** Minutes after which an uncaptured payment is returned automatically. */
const UNCAPTURED_RETURN_MINUTES = 20;
const PAGE_SIZE = 100;

const collectionOf = <T extends z.ZodType>(item: T) => z.object({ items: z.array(item) });

/** The SDK's internal client: the SDK's typed lists drop parameters that the provider accepts. */
interface SdkApi {
  rq: HttpClient;
  get(call: { url: string; data: Record<string, number> }): Promise<unknown>;
}

/** The SDK's HTTP client: the SDK has no option for URL, limits or headers. */
interface HttpClient {
  defaults: { baseURL: string; timeout: number; proxy?: false; maxRedirects?: number };
  interceptors: { response: { use(ok: undefined, failed: (error: HttpError) => never): void } };
  post(
    path: string,
    body: unknown,
    options: { headers: Record<string, string> },
  ): Promise<{ data: unknown }>;
}

interface HttpError {
  code?: string;
  message?: string;
  response?: { status: number; data: unknown };
}

export function createRazorpay(config: Env["razorpay"]): PaymentProvider {
  const sdk = new Razorpay({
    key_id: config.keyId || "rzp_test_unset",
    key_secret: config.keySecret || "unset",
  });
  const api = sdk.api as unknown as SdkApi;
  const http = api.rq;
  if (!http?.defaults || !http.interceptors) throw new Error("razorpay: the SDK's client moved");
  http.defaults.baseURL = config.apiUrl;
  http.defaults.timeout = CALL_TIMEOUT_MS;
  http.defaults.maxRedirects = 0;
  if (config.apiUrl.startsWith("http:")) http.defaults.proxy = false;
  http.interceptors.response.use(undefined, keepTheCause);

  return {
    createOrder: ({ receipt, amountPaise, notes }) =>
      call("write", orderSchema, () =>
        sdk.orders.create({
          amount: amountPaise,
          currency: CURRENCY,
          receipt,
          notes,
          // Makes the provider return the first order on a repeat; missing in the SDK's types.
          ...({ unique_receipt: true } as object),
          payment: {
            capture: "automatic",
            capture_options: {
              automatic_expiry_period: AUTOMATIC_CAPTURE_MINUTES,
              manual_expiry_period: UNCAPTURED_RETURN_MINUTES,
              refund_speed: "normal",
            },
          },
        }),
      ),
    async findOrderByReceipt(receipt) {
      const { items } = await call("read", collectionOf(orderSchema), () =>
        sdk.orders.all({ receipt, count: 10 }),
      );
      return items.find((order) => order.receipt === receipt) ?? null;
    },
    async listPayments(orderId) {
      requireId(ORDER_ID, orderId);
      const list = collectionOf(paymentSchema);
      return (await call("read", list, () => sdk.orders.fetchPayments(orderId))).items;
    },
    listOrders: (from, to) => readAll(orderSchema, "/orders", between(from, to)),
    async fetchPayment(paymentId) {
      requireId(PAYMENT_ID, paymentId);
      return call("read", paymentSchema, () => sdk.payments.fetch(paymentId));
    },
    listPaymentsMade: (from, to) => readAll(paymentSchema, "/payments", between(from, to)),
    async refund({ paymentId, amountPaise, receipt, idempotencyKey }) {
      requireId(PAYMENT_ID, paymentId);
      // The SDK drops this header, so the call uses its HTTP client, which sends the keys.
      return call("refund", refundSchema, async () => {
        const answer = await http.post(
          `/v1/payments/${paymentId}/refund`,
          { amount: amountPaise, speed: "normal", ...(receipt !== null && { receipt }) },
          { headers: { "X-Refund-Idempotency": idempotencyKey } },
        );
        return answer.data;
      });
    },
    async listRefunds(paymentId) {
      requireId(PAYMENT_ID, paymentId);
      return readAll(refundSchema, `/payments/${paymentId}/refunds`);
    },
    async fetchRefund(refundId) {
      requireId(REFUND_ID, refundId);
      return call("read", refundSchema, () => sdk.refunds.fetch(refundId));
    },
    listRefundsMade: (from, to) => readAll(refundSchema, "/refunds", between(from, to)),
    async fetchDispute(disputeId) {
      requireId(DISPUTE_ID, disputeId);
      return call("read", disputeSchema, () => sdk.disputes.fetch(disputeId));
    },
    listDisputes: (from, to) => readAll(disputeSchema, "/disputes", between(from, to)),
    async listSettled(month) {
      const [year, ofYear] = month.split("-").map(Number);
      const query = { year: year!, month: ofYear! };
      // An unreadable line does not stop the others; its money counts as not settled.
      const line = settledSchema.catch(null);
      const lines = await readAll(line, "/settlements/recon/combined", query);
      return lines.filter((one) => one !== null);
    },
  };

  /** All items of a paged list. */
  async function readAll<T extends z.ZodType>(item: T, url: string, query = {}) {
    const all: z.output<T>[] = [];
    for (let skip = 0; ; skip += PAGE_SIZE) {
      const { items } = await call("read", collectionOf(item), () =>
        api.get({ url, data: { ...query, count: PAGE_SIZE, skip } }),
      );
      all.push(...items);
      if (items.length < PAGE_SIZE) return all;
    }
  }
}

/** From milliseconds to seconds, as the provider's lists take them. */
const between = (from: number, to: number) => ({
  from: Math.floor(from / 1000),
  to: Math.ceil(to / 1000),
});

type CallKind = "read" | "write" | "refund";

async function call<T extends z.ZodType>(
  kind: CallKind,
  schema: T,
  work: () => Promise<unknown>,
): Promise<z.output<T>> {
  let answer: unknown;
  try {
    answer = await elsewhere(work(), true);
  } catch (error) {
    throw toProviderError(kind, error);
  }
  const parsed = schema.safeParse(answer);
  if (parsed.success) return parsed.data;
  throw new ProviderError(kind === "read" ? "down" : "unknown", 200, "an answer of no known shape");
}

/** Without a response the SDK loses the cause; on a `null` body it fails. Fill both in. */
function keepTheCause(error: HttpError): never {
  if (!error.response) {
    error.response = {
      status: 0,
      data: { error: { code: error.code, description: error.message } },
    };
  } else if (typeof error.response.data !== "object" || error.response.data === null) {
    error.response.data = {};
  }
  throw error;
}

/** The SDK rejects with a plain object; a call through its client with an HTTP error. */
function toProviderError(kind: CallKind, thrown: unknown): ProviderError {
  if (thrown instanceof ProviderError) return thrown;
  const { statusCode, response, error } = thrown as {
    statusCode?: number;
    response?: { status: number; data?: { error?: { code?: string; description?: string } } };
    error?: { code?: string; description?: string };
  };
  const status = statusCode ?? response?.status ?? 0;
  const detail = error ?? response?.data?.error;
  const description = String(detail?.description ?? "no description");
  return new ProviderError(
    faultOf(kind, status, detail?.code ?? "", description),
    status,
    description.slice(0, 200),
  );
}

function faultOf(kind: CallKind, status: number, code: string, description: string): ProviderFault {
  if (status === 401 || /authentication failed|api key provided is invalid/i.test(description)) {
    return "config";
  }
  if (status === 429) return "rate";
  if (status === 0) {
    if (kind === "read" || code === "ECONNREFUSED" || code === "ENOTFOUND") return "down";
    return "unknown";
  }
  if (status >= 500) return kind === "read" ? "down" : "unknown";
  if (status === 409 && /in progress/i.test(description)) return "busy";
  if (kind === "refund" && /enough balance|invalid request sent/i.test(description))
    return "balance";
  return "rejected";
}

/** The SDK puts ids into paths unescaped, so only well-formed ones may reach it. */
function requireId(pattern: RegExp, id: string): void {
  if (!pattern.test(id)) throw new ProviderError("rejected", 400, "a malformed id");
}
