import { ApiError, invalidInput, unknownUrl } from "./api-error.ts";
import type { Payment } from "./entities.ts";
import {
  type Answer,
  type Call,
  type Fields,
  fieldsOf,
  HttpError,
  json,
  type Reply,
} from "./http.ts";
import type { Ledger } from "./ledger.ts";
import {
  collection,
  readAmount,
  readExpand,
  readNotes,
  readOrder,
  readReceipt,
  readWindow,
  refuseUnknown,
} from "./razorpay-input.ts";
import type { RefundDesk } from "./refund-desk.ts";
import { amountOf, type Switches } from "./switches.ts";

export interface ApiKeys {
  keyId: string;
  keySecret: string;
}

type Handler = (call: Call, ids: string[]) => Answer | Promise<Answer>;

interface Route {
  method: string;
  pattern: RegExp;
  handle: Handler;
}

const REFUND_FIELDS = new Set(["amount", "speed", "receipt", "notes"]);

/** The provider's API under /v1: orders, payments, refunds. */
export class RazorpayApi {
  readonly #keys: ApiKeys;
  readonly #ledger: Ledger;
  readonly #desk: RefundDesk;
  readonly #switches: Switches;
  readonly #routes: Route[];

  constructor(keys: ApiKeys, ledger: Ledger, desk: RefundDesk, switches: Switches) {
    this.#keys = keys;
    this.#ledger = ledger;
    this.#desk = desk;
    this.#switches = switches;
    const route = (method: string, path: string, handle: Handler): Route => ({
      method,
      pattern: new RegExp(`^/v1${path.replaceAll(":id", "([^/]+)")}$`),
      handle,
    });
    this.#routes = [
      route("POST", "/orders", (call) => this.#createOrder(call)),
      route("GET", "/orders", (call) => this.#listOrders(call)),
      route("GET", "/orders/:id", (_, [id = ""]) => json(ledger.requireOrder(id))),
      route("PATCH", "/orders/:id", (call, [id = ""]) =>
        this.#editNotes(call, ledger.requireOrder(id)),
      ),
      route("GET", "/orders/:id/payments", (_, [id = ""]) => {
        const items = ledger.paymentsOf(ledger.requireOrder(id).id).reverse();
        return json({ entity: "collection", count: items.length, items });
      }),
      route("GET", "/payments", (call) =>
        json(collection([...ledger.payments.values()], readWindow(call.query))),
      ),
      route("GET", "/payments/:id", (_, [id = ""]) => json(ledger.requirePayment(id))),
      route("PATCH", "/payments/:id", (call, [id = ""]) =>
        this.#editNotes(call, ledger.requirePayment(id)),
      ),
      route("POST", "/payments/:id/capture", (call, [id = ""]) => {
        const payment = ledger.requirePayment(id);
        const fields = fieldsOf(call);
        refuseUnknown(fields, new Set(["amount", "currency"]));
        return json(ledger.capture(payment, readAmount(fields)));
      }),
      route("POST", "/payments/:id/refund", (call, [id = ""]) => this.#refund(call, id)),
      route("GET", "/payments/:id/refunds", (call, [id = ""]) =>
        json(collection(this.#refundsOf(ledger.requirePayment(id)), readWindow(call.query))),
      ),
      route("GET", "/payments/:id/refunds/:id", (_, [id = "", refundId = ""]) => {
        const payment = ledger.requirePayment(id);
        const refund = ledger.requireRefund(refundId);
        if (refund.payment_id !== payment.id) {
          throw new ApiError("The id provided does not exist");
        }
        return json(refund);
      }),
      route("GET", "/refunds", (call) =>
        json(collection([...ledger.refunds.values()], readWindow(call.query))),
      ),
      route("GET", "/refunds/:id", (_, [id = ""]) => json(ledger.requireRefund(id))),
      route("PATCH", "/refunds/:id", (call, [id = ""]) =>
        this.#editNotes(call, ledger.requireRefund(id)),
      ),
    ];
  }

  async answer(call: Call): Promise<Answer> {
    try {
      const found = this.#find(call);
      if (!found) throw unknownUrl();
      this.#authenticate(call);
      const subject = `${call.method} ${call.path}`;
      const fault = faultBefore(this.#switches, subject);
      if (fault) return fault;
      const slow = this.#switches.take("api_slow", subject);
      if (slow) await pause(amountOf(slow));
      const answer = await found.route.handle(call, found.ids);
      return faultAfter(this.#switches, call, subject) ?? answer;
    } catch (error) {
      if (error instanceof ApiError) return error.reply();
      if (error instanceof HttpError) return new ApiError(error.message).reply();
      throw error;
    }
  }

  #find(call: Call): { route: Route; ids: string[] } | undefined {
    for (const route of this.#routes) {
      const match = route.method === call.method ? route.pattern.exec(call.path) : null;
      if (match) return { route, ids: match.slice(1).map(decoded) };
    }
    return undefined;
  }

  #authenticate(call: Call): void {
    const [scheme, credentials = ""] = (call.headers.authorization ?? "").split(" ");
    const given = Buffer.from(credentials, "base64").toString("utf8");
    const { keyId, keySecret } = this.#keys;
    if (scheme === "Basic" && given === `${keyId}:${keySecret}`) return;
    const knownKey = scheme === "Basic" && given.startsWith(`${keyId}:`);
    throw new ApiError(
      knownKey || !given ? "Authentication failed" : "The api key provided is invalid",
      { status: 401 },
    );
  }

  #createOrder(call: Call): Reply {
    const { uniqueReceipt, ...order } = readOrder(fieldsOf(call));
    if (uniqueReceipt && order.receipt) {
      const known = [...this.#ledger.orders.values()].find(
        ({ receipt }) => receipt === order.receipt,
      );
      if (known) return json(known);
    }
    return json(this.#ledger.createOrder(order));
  }

  #listOrders(call: Call): Reply {
    const receipt = call.query.get("receipt");
    const authorized = call.query.get("authorized");
    const expand = readExpand(call.query);
    const wasAuthorized = (id: string) =>
      this.#ledger.paymentsOf(id).some(({ status }) => status !== "created" && status !== "failed");
    const orders = [...this.#ledger.orders.values()].filter(
      (order) =>
        (receipt === null || order.receipt === receipt) &&
        (authorized === null || (authorized === "1") === wasAuthorized(order.id)),
    );
    const listed = collection(orders, readWindow(call.query));
    if (!expand.has("payments") && !expand.has("payments.card")) return json(listed);
    const items = listed.items.map((order) => {
      const payments = this.#ledger.paymentsOf(order.id).reverse();
      return {
        ...order,
        payments: { entity: "collection", count: payments.length, items: payments },
      };
    });
    return json({ ...listed, items });
  }

  #editNotes(call: Call, entity: { notes: unknown }): Reply {
    const fields = fieldsOf(call);
    refuseUnknown(fields, new Set(["notes"]));
    if (fields.notes === undefined) throw invalidInput("The notes field is required.", "notes");
    entity.notes = readNotes(fields);
    this.#ledger.onChange();
    return json(entity);
  }

  async #refund(call: Call, id: string): Promise<Reply> {
    const key = call.headers["x-refund-idempotency"];
    if (typeof key !== "string") return this.#refundOnce(call, id);
    const kept = this.#desk.takeKey(key, `${call.path} ${call.body.toString("utf8")}`);
    if (kept) return { ...json(null, kept.status), body: kept.body };
    let reply: Reply;
    try {
      reply = await this.#refundOnce(call, id);
    } catch (error) {
      if (!(error instanceof ApiError || error instanceof HttpError)) {
        this.#desk.settleKey(key, 500, "");
        throw error;
      }
      reply = (error instanceof ApiError ? error : new ApiError(error.message)).reply();
    }
    this.#desk.settleKey(key, reply.status, String(reply.body));
    return reply;
  }

  async #refundOnce(call: Call, id: string): Promise<Reply> {
    const fields = fieldsOf(call);
    const slow = this.#switches.take("refund_slow", `${call.method} ${call.path}`);
    if (slow) await pause(amountOf(slow));
    const payment = this.#ledger.requirePayment(id);
    refuseUnknown(fields, REFUND_FIELDS);
    const speed = readSpeed(fields);
    const amount = fields.amount === undefined ? undefined : readAmount(fields);
    const refund = this.#desk.create(payment, {
      speed,
      notes: readNotes(fields),
      receipt: readReceipt(fields),
      ...(amount === undefined ? {} : { amount }),
    });
    return json(refund);
  }

  #refundsOf(payment: Payment) {
    return [...this.#ledger.refunds.values()].filter(({ payment_id }) => payment_id === payment.id);
  }
}

function readSpeed(fields: Fields): "normal" | "optimum" {
  const speed = fields.speed ?? "normal";
  if (speed !== "normal" && speed !== "optimum") {
    throw invalidInput("The selected speed is invalid.", "speed");
  }
  return speed;
}

function decoded(part: string): string {
  try {
    return decodeURIComponent(part);
  } catch {
    return part;
  }
}

function pause(milliseconds: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, milliseconds).unref());
}

const serverError = (status: number) =>
  new ApiError(
    "We are facing some trouble completing your request at the moment. Please try again shortly.",
    {
      status,
      code: "SERVER_ERROR",
    },
  );

const tooMany = () => new ApiError("Request failed. Please try after sometime.", { status: 429 });

function errorPage(status: number): Reply {
  return {
    status,
    headers: { "Content-Type": "text/html" },
    body: `<html>\n<head><title>${status} Server Error</title></head>\n<body><center><h1>${status} Server Error</h1></center></body>\n</html>\n`,
  };
}

/** Faults that keep the work from being done. */
function faultBefore(switches: Switches, subject: string): Answer | undefined {
  const page = switches.take("api_html_error", subject);
  if (page) return errorPage(amountOf(page));
  const body = switches.take("api_json_error", subject);
  if (body) return serverError(amountOf(body)).reply();
  if (switches.take("api_429", subject)) return tooMany().reply();
  const later = switches.take("api_429_retry_after", subject);
  if (later) return tooMany().reply({ "Retry-After": String(amountOf(later)) });
  const empty = switches.take("api_empty", subject);
  if (empty) return { ...json(null, amountOf(empty)), body: "" };
  const nothing = switches.take("api_null", subject);
  if (nothing) return json(null, amountOf(nothing));
  if (switches.take("api_401", subject)) {
    return new ApiError("Authentication failed", { status: 401 }).reply();
  }
  if (switches.take("api_reset", subject)) return { cutAfterSeconds: 0 };
  const hang = switches.take("api_hang", subject);
  return hang ? { cutAfterSeconds: amountOf(hang) } : undefined;
}

/** Faults after the work is done: the answer gets lost. */
function faultAfter(switches: Switches, call: Call, subject: string): Answer | undefined {
  const special =
    call.method !== "POST"
      ? undefined
      : call.path === "/v1/orders"
        ? "order_answer_lost"
        : call.path.endsWith("/refund")
          ? "refund_answer_lost"
          : "capture_answer_lost";
  const lost =
    (special && switches.take(special, subject)) ?? switches.take("answer_lost", subject);
  if (!lost) return undefined;
  const value = String(lost.value ?? "reset");
  if (value === "500") return errorPage(500);
  return { cutAfterSeconds: Number(value) || 0 };
}
