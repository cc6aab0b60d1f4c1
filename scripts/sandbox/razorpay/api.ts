import {
  type Answer,
  type Call,
  errorPage,
  fieldsOf,
  HttpError,
  json,
  type Reply,
} from "#scripts/sandbox/http.ts";
import type { Parts } from "#scripts/sandbox/parts.ts";
import type { SwitchName, SwitchSetting } from "#scripts/sandbox/switches.ts";
import { ApiError, amountInput, collection, orderInput, read, refundInput } from "./input.ts";
import { settlementReport } from "./settlements.ts";

type Handler = (call: Call, id: string) => Reply | Promise<Reply>;

const TROUBLE =
  "We are facing some trouble completing your request at the moment. Please try again shortly.";
const TOO_MANY = "Request failed. Please try after sometime.";

function tooMany(headers = {}): Reply {
  const reply = new ApiError(TOO_MANY, { status: 429 }).reply();
  return { ...reply, headers: { ...reply.headers, ...headers } };
}

/** Faults that keep the work from being done; the number is the switch's value. */
const FAULTS: [SwitchName, (value: number) => Answer][] = [
  ["api_html_error", errorPage],
  ["api_json_error", (status) => new ApiError(TROUBLE, { status, code: "SERVER_ERROR" }).reply()],
  ["api_429", () => tooMany()],
  ["api_429_retry_after", (seconds) => tooMany({ "Retry-After": String(seconds) })],
  ["api_empty", (status) => ({ ...json(null, status), body: "" })],
  ["api_null", (status) => json(null, status)],
  ["api_401", () => new ApiError("Authentication failed", { status: 401 }).reply()],
  ["api_reset", () => ({ cutAfterSeconds: 0 })],
  ["api_hang", (cutAfterSeconds) => ({ cutAfterSeconds })],
];

/** The provider's API under /v1: orders, payments, refunds, disputes, settlements. */
export function makeRazorpayApi({ credentials, ledger, desk, switches }: Parts) {
  const { keyId, keySecret } = credentials;
  const all =
    (known: Map<string, { created_at: number }>): Handler =>
    ({ query }) =>
      json(collection([...known.values()], query));
  /** By method and path, in which `*` is an id. */
  const routes: Record<string, Handler> = {
    "POST /v1/orders": (call) => createOrder(call),
    "GET /v1/orders": ({ query }) => {
      const receipt = query.get("receipt");
      const orders = [...ledger.orders.values()];
      const listed = receipt === null ? orders : orders.filter((o) => o.receipt === receipt);
      return json(collection(listed, query));
    },
    "GET /v1/orders/*": (_, id) => json(ledger.requireOrder(id)),
    "GET /v1/orders/*/payments": (_, id) => {
      const items = ledger.paymentsOf(ledger.requireOrder(id).id).reverse();
      return json({ entity: "collection", count: items.length, items });
    },
    "GET /v1/payments": all(ledger.payments),
    "GET /v1/payments/*": (_, id) => json(ledger.requirePayment(id)),
    "POST /v1/payments/*/capture": (call, id) =>
      json(ledger.capture(ledger.requirePayment(id), read(amountInput, fieldsOf(call)).amount)),
    "POST /v1/payments/*/refund": (call, id) => refund(call, id),
    "GET /v1/payments/*/refunds": ({ query }, id) =>
      json(collection(ledger.refundsOf(ledger.requirePayment(id).id), query)),
    "GET /v1/refunds": all(ledger.refunds),
    "GET /v1/refunds/*": (_, id) => json(ledger.requireRefund(id)),
    // Here `*` stands for "recon".
    "GET /v1/settlements/*/combined": ({ query }) =>
      json(settlementReport(ledger, query, Math.floor(Date.now() / 1000))),
    "GET /v1/disputes": all(ledger.disputes),
    "GET /v1/disputes/*": (_, id) => json(ledger.requireDispute(id)),
  };

  /** A repeat of a unique receipt is answered with its order. */
  function createOrder(call: Call): Reply {
    const wanted = read(orderInput, fieldsOf(call));
    const orders = [...ledger.orders.values()];
    const isUnique = wanted.unique_receipt && wanted.receipt;
    const first = isUnique && orders.find(({ receipt }) => receipt === wanted.receipt);
    return json(first || ledger.createOrder(wanted));
  }

  async function refund(call: Call, id: string): Promise<Reply> {
    const once = async () => {
      const given = read(refundInput, fieldsOf(call));
      await pause(switches.amount("refund_slow", `${call.method} ${call.path}`));
      return json(desk.create(ledger.requirePayment(id), given));
    };
    const key = call.headers["x-refund-idempotency"];
    if (typeof key !== "string") return once();
    const kept = desk.takeKey(key, `${call.path} ${call.body.toString("utf8")}`);
    if (kept) return { ...json(null, kept.status), body: kept.body };
    const reply = await once().catch((error) => {
      if (error instanceof HttpError) return error.reply();
      throw error;
    });
    desk.settleKey(key, reply.status, String(reply.body));
    return reply;
  }

  function authenticate(authorization = ""): void {
    const [scheme, coded = ""] = authorization.split(" ");
    const given = Buffer.from(coded, "base64").toString("utf8");
    if (scheme === "Basic" && given === `${keyId}:${keySecret}`) return;
    const known = given === "" || given.split(":")[0] === keyId;
    const words = known ? "Authentication failed" : "The api key provided is invalid";
    throw new ApiError(words, { status: 401 });
  }

  /** In place of the answer, once the work is done. */
  function lost(subject: string): Answer | undefined {
    let setting: SwitchSetting | undefined;
    if (subject === "POST /v1/orders") setting = switches.take("order_answer_lost", subject);
    if (/^POST .*\/refund$/.test(subject)) setting = switches.take("refund_answer_lost", subject);
    setting ??= switches.take("answer_lost", subject);
    if (Number(setting?.value) === 500) return errorPage(500);
    return setting && { cutAfterSeconds: Number(setting.value) || 0 };
  }

  return async (call: Call): Promise<Answer> => {
    const subject = `${call.method} ${call.path}`;
    const id = call.path.split("/")[3];
    const handle = routes[id ? subject.replace(`/${id}`, "/*") : subject];
    if (!handle) {
      throw new ApiError("The requested URL was not found on the server", { source: "internal" });
    }
    authenticate(call.headers.authorization);
    for (const [name, answer] of FAULTS) {
      const value = switches.amount(name, subject);
      if (value !== undefined) return answer(value);
    }
    await pause(switches.amount("api_slow", subject));
    const answer = await handle(call, id ?? "");
    return lost(subject) ?? answer;
  };
}

async function pause(milliseconds = 0): Promise<void> {
  if (milliseconds) await new Promise((resolve) => setTimeout(resolve, milliseconds).unref());
}
