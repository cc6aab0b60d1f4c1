import { readFileSync } from "node:fs";
import { ALREADY_PAID, ApiError, missingField, OTHER_AMOUNT } from "./api-error.ts";
import {
  type CheckoutSession,
  failurePage,
  noticePage,
  paymentPage,
  refusedFrame,
  successPage,
} from "./checkout-pages.ts";
import { send as post } from "./courier.ts";
import type { Order, PaymentMethod } from "./entities.ts";
import { readCard, STANDARD_CARD } from "./failures.ts";
import {
  type Answer,
  type Call,
  type Fields,
  fieldsOf,
  isRecord,
  json,
  nested,
  page,
  redirect,
  textOf,
} from "./http.ts";
import type { Ledger } from "./ledger.ts";
import type { Payer, PayResult, PayWish } from "./payer.ts";
import { newId } from "./signature.ts";
import { amountOf, type Switches } from "./switches.ts";

const asset = (name: string) => readFileSync(new URL(`./browser/${name}`, import.meta.url));

const SCRIPTS: Record<string, Buffer> = {
  "/v1/checkout.js": asset("checkout.js"),
  "/v1/checkout/frame.js": asset("frame.js"),
  "/v1/checkout/return.js": asset("return.js"),
};
const METHODS = new Set(["card", "upi", "netbanking", "wallet"]);
const MOST_SESSIONS = 1000;

/** The browser's side of a payment: the script, the window, the hosted form. Proofs are made here, never in the browser. */
export class Checkout {
  readonly #keyId: string;
  readonly #ledger: Ledger;
  readonly #payer: Payer;
  readonly #switches: Switches;
  readonly #sessions = new Map<string, CheckoutSession>();

  constructor(keyId: string, ledger: Ledger, payer: Payer, switches: Switches) {
    this.#keyId = keyId;
    this.#ledger = ledger;
    this.#payer = payer;
    this.#switches = switches;
  }

  /** undefined: not an address of the checkout. */
  async answer(call: Call): Promise<Answer | undefined> {
    const script = SCRIPTS[call.path];
    if (script && call.method === "GET") return this.#script(call, script);
    switch (`${call.method} ${call.path}`) {
      case "GET /v1/checkout/frame":
        return this.#frame(nested(call.query));
      case "POST /v1/checkout/embedded":
        return this.#hosted(fieldsOf(call));
      case "POST /v1/checkout/pay":
        return this.#pay(fieldsOf(call));
      default:
        return undefined;
    }
  }

  #script(call: Call, script: Buffer): Answer {
    if (call.path === "/v1/checkout.js") {
      if (this.#switches.take("checkout_js_404")) return page("", 404);
      if (this.#switches.take("checkout_js_500")) return page("", 500);
      const hang = this.#switches.take("checkout_js_hang");
      if (hang) return { cutAfterSeconds: amountOf(hang) };
    }
    return {
      status: 200,
      headers: {
        "Content-Type": "text/javascript; charset=utf-8",
        "Cache-Control": "no-store",
        "Access-Control-Allow-Origin": "*",
      },
      body: script,
    };
  }

  #frame(fields: Fields): Answer {
    const parent = textOf(fields, "parent") ?? "";
    if (!/^https?:\/\/[^/]+$/.test(parent)) {
      return page(noticePage("Payment not possible", "The opening page is unknown."), 400);
    }
    try {
      const { session, order } = this.#open("frame", fields);
      return page(paymentPage(session, order));
    } catch (error) {
      if (!(error instanceof ApiError)) throw error;
      return page(refusedFrame({ ...blankSession("frame"), parent }, error.message));
    }
  }

  #hosted(fields: Fields): Answer {
    try {
      const prefill = isRecord(fields.prefill) ? fields.prefill : {};
      for (const name of ["key_id", "order_id", "name", "callback_url"]) {
        if (!textOf(fields, name)) throw missingField(name);
      }
      for (const name of ["email", "contact"]) {
        if (!textOf(prefill, name)) throw missingField(`prefill[${name}]`);
      }
      const { session, order } = this.#open("hosted", fields);
      return page(paymentPage(session, order));
    } catch (error) {
      if (!(error instanceof ApiError)) throw error;
      return page(noticePage("Payment not possible", error.message), error.status);
    }
  }

  #open(mode: CheckoutSession["mode"], fields: Fields): { session: CheckoutSession; order: Order } {
    if (textOf(fields, "key_id") !== this.#keyId) {
      throw new ApiError("The api key provided is invalid", { status: 401 });
    }
    const order = this.#ledger.requireOrder(textOf(fields, "order_id") ?? "");
    if (order.status === "paid") throw new ApiError(ALREADY_PAID);
    const amount = textOf(fields, "amount");
    if (amount !== undefined && Number(amount) !== order.amount) throw new ApiError(OTHER_AMOUNT);
    const currency = textOf(fields, "currency");
    if (currency !== undefined && currency !== order.currency) {
      throw new ApiError("The currency is different from your order currency.");
    }
    const description = textOf(fields, "description") ?? "";
    if (description && !/^[A-Za-z0-9]/.test(description)) {
      throw new ApiError("The description must begin with a letter or digit.");
    }
    const session: CheckoutSession = {
      ...blankSession(mode),
      ...sessionTexts(fields),
      orderId: order.id,
      description,
    };
    this.#sessions.set(session.id, session);
    const oldest = this.#sessions.keys().next().value;
    if (this.#sessions.size > MOST_SESSIONS && oldest) this.#sessions.delete(oldest);
    return { session, order };
  }

  async #pay(fields: Fields): Promise<Answer> {
    const session = this.#sessions.get(textOf(fields, "session") ?? "");
    if (!session) return page(noticePage("Payment not possible", "Start the payment again."), 400);
    const action = textOf(fields, "action") ?? "pay";
    if (action === "cancel") return cancelled(session);
    let result: PayResult;
    try {
      result = this.#payer.pay(session.orderId, wishOf(session, fields, action));
      if (action === "twice") this.#payer.payAgain(session.orderId, wishOf(session, fields, "pay"));
    } catch (error) {
      if (!(error instanceof ApiError)) throw error;
      return session.mode === "frame"
        ? json({ result: "refused", notice: error.message })
        : page(noticePage("Payment not possible", error.message), 400);
    }
    await this.#payer.webhooksFirst(session.orderId);
    if (action === "pending") return silent(session, "The bank has not answered yet.");
    if (result.payment.status === "failed") return this.#failed(session, result);
    if (action === "lost")
      return silent(session, "Paid. The shop is told nothing by this browser.");
    return this.#succeeded(session, result);
  }

  async #succeeded(session: CheckoutSession, result: PayResult): Promise<Answer> {
    const carried = this.#payer.carried(result);
    if (!carried) return silent(session, "Paid. The shop is told nothing by this browser.");
    const { proof, twice } = carried;
    if (twice && session.callbackUrl) await postHere(session.callbackUrl, { ...proof });
    if (session.mode === "hosted") return page(successPage(session, proof));
    return json({ result: "success", notice: "Payment successful", response: proof, twice });
  }

  #failed(session: CheckoutSession, result: PayResult): Answer {
    const error = this.#payer.failureOf(result.payment);
    if (session.mode === "hosted") return page(failurePage(session, error));
    return json({ result: "failed", notice: `Payment failed. ${error.description}`, error });
  }
}

function blankSession(mode: CheckoutSession["mode"]): CheckoutSession {
  return {
    id: newId("session"),
    mode,
    orderId: "",
    name: "",
    description: "",
    callbackUrl: "",
    cancelUrl: "",
    parent: "",
    retry: true,
    email: "",
    contact: "",
    method: "",
    notes: {},
  };
}

function sessionTexts(fields: Fields): Partial<CheckoutSession> {
  const prefill = isRecord(fields.prefill) ? fields.prefill : {};
  const notes = isRecord(fields.notes) ? fields.notes : {};
  const address = (name: string) => {
    const value = textOf(fields, name) ?? "";
    if (value && !/^https?:\/\//.test(value)) {
      throw new ApiError(`The ${name} format is invalid.`, { field: name });
    }
    return value;
  };
  return {
    name: textOf(fields, "name") ?? "",
    callbackUrl: address("callback_url"),
    cancelUrl: address("cancel_url"),
    parent: textOf(fields, "parent") ?? "",
    retry: textOf(fields, "retry") !== "0",
    email: textOf(prefill, "email") ?? "",
    contact: textOf(prefill, "contact") ?? "",
    method: textOf(prefill, "method") ?? textOf(fields, "method") ?? "",
    notes: Object.fromEntries(Object.entries(notes).map(([key, value]) => [key, String(value)])),
  };
}

function wishOf(session: CheckoutSession, fields: Fields, action: string): PayWish {
  const typed = textOf(fields, "method") ?? "card";
  const method = (METHODS.has(typed) ? typed : "card") as PaymentMethod;
  const cardNumber = textOf(fields, "card_number") ?? STANDARD_CARD;
  const cardReason = method === "card" ? readCard(cardNumber).reason : undefined;
  const outcomes: Record<string, PayWish> = {
    fail: { outcome: "failed", reason: cardReason ?? "payment_failed" },
    authorize: { outcome: "authorized" },
    late: { outcome: "late" },
    pending: { outcome: "created" },
  };
  const vpa = textOf(fields, "vpa")?.trim();
  return {
    method,
    cardNumber,
    otp: textOf(fields, "otp") ?? "1234",
    email: session.email,
    contact: withCountry(session.contact),
    description: session.description,
    ...(vpa ? { vpa } : {}),
    ...(Object.keys(session.notes).length > 0 ? { notes: session.notes } : {}),
    ...(outcomes[action] ?? { outcome: "captured" }),
  };
}

/** The provider assumes 91 where a number has no country code. */
function withCountry(contact: string): string {
  const number = contact.replace(/[\s()-]/g, "");
  if (number === "" || number.startsWith("+")) return number;
  return number.length === 10 ? `+91${number}` : `+${number}`;
}

function cancelled(session: CheckoutSession): Answer {
  if (session.mode === "frame") return json({ result: "cancelled", notice: "" });
  if (session.cancelUrl) return redirect(session.cancelUrl);
  return page(noticePage("Payment cancelled", "Go back to the shop to try again."));
}

function silent(session: CheckoutSession, words: string): Answer {
  if (session.mode === "frame") return json({ result: "silent", notice: words });
  return page(noticePage("Close this page", words));
}

/** The first of two callbacks. Only loopback: this server reaches nothing else. */
async function postHere(callbackUrl: string, fields: Record<string, string>): Promise<void> {
  const { hostname } = new URL(callbackUrl);
  if (!["127.0.0.1", "localhost", "[::1]"].includes(hostname)) return;
  const body = Buffer.from(new URLSearchParams(fields).toString());
  await post(callbackUrl, { "Content-Type": "application/x-www-form-urlencoded" }, body, 5000);
}
