import { readFileSync } from "node:fs";
import {
  type Answer,
  type Call,
  HttpError,
  hiddenInputs,
  html,
  htmlDocument,
  json,
  noticePage,
  page,
  redirect,
  rupees,
  typed,
} from "#scripts/sandbox/http.ts";
import type { Parts } from "#scripts/sandbox/parts.ts";
import type { Order, PaymentMethod } from "./entities.ts";
import { ALREADY_PAID, ApiError, refuseIf } from "./input.ts";
import type { Outcome, PayRequest, PayResult } from "./payer.ts";

const asset = (name: string) => readFileSync(new URL(`../browser/${name}`, import.meta.url));

const SCRIPTS: Record<string, Buffer> = {
  "GET /v1/checkout.js": asset("checkout.js"),
  "GET /v1/checkout/frame.js": asset("frame.js"),
  "GET /v1/checkout/return.js": asset("return.js"),
};
const OTHER_AMOUNT =
  "Your payment amount is different from your order amount. To pay successfully, please try using right amount.";
const HOSTED = ["name", "callback_url", "prefill[email]", "prefill[contact]"];

/**
 * The browser's side of a payment: the script, the window, the hosted form. What the shop gave goes with the page
 * as hidden fields; a `parent` is the page that opened the window. Proofs are made here, never in the browser.
 */
export function makeCheckout({ credentials, ledger, pay }: Parts) {
  function show(given: URLSearchParams): Answer {
    try {
      return page(paymentPage(given, orderOf(given)));
    } catch (error) {
      if (!(error instanceof HttpError)) throw error;
      return given.has("parent") ? page(refusedPage(given, error.message)) : impossible(error);
    }
  }

  function submit(given: URLSearchParams): Answer {
    const action = given.get("action") ?? "pay";
    const framed = given.has("parent");
    const cancelUrl = given.get("cancel_url");
    if (action === "cancel") {
      if (cancelUrl) return redirect(cancelUrl);
      return page(noticePage("Payment cancelled", "Go back to the shop to try again."));
    }
    let result: PayResult;
    try {
      const { id } = orderOf(given);
      const outcome = action === "fail" ? "failed" : MORE[action]?.outcome;
      result = pay(id, requestOf(given, outcome));
      if (action === "twice") pay(id, { ...requestOf(given), force: true });
    } catch (error) {
      if (!(error instanceof HttpError)) throw error;
      return framed ? json({ notice: error.message }) : impossible(error);
    }
    const { payment, ...proof } = result;
    if (payment.status === "failed") return failed(given, result);
    const silent = MORE[action]?.silent;
    if (framed) {
      return json(silent ? { notice: silent, over: true } : { notice: "Paid", response: proof });
    }
    if (silent) return page(noticePage("Close this page", silent));
    return page(returnPage(given, "Payment successful", `Payment ${payment.id}`, proof));
  }

  /** Checks what the shop gave. */
  function orderOf(given: URLSearchParams): Order {
    const hosted = !given.has("parent");
    for (const name of ["key_id", "order_id", ...(hosted ? HOSTED : [])]) {
      refuseIf(!given.get(name), `The ${name} field is required.`, name);
    }
    for (const name of ["callback_url", "cancel_url", "parent"]) {
      const isAddress = /^(https?:\/\/|$)/.test(given.get(name) ?? "");
      refuseIf(!isAddress, `The ${name} format is invalid.`, name);
    }
    if (given.get("key_id") !== credentials.keyId) {
      throw new ApiError("The api key provided is invalid", { status: 401 });
    }
    const order = ledger.requireOrder(given.get("order_id") ?? "");
    if (order.status === "paid") throw new ApiError(ALREADY_PAID);
    refuseIf(Number(given.get("amount") ?? order.amount) !== order.amount, OTHER_AMOUNT);
    const currency = given.get("currency") ?? order.currency;
    const other = "The currency is different from your order currency.";
    refuseIf(currency !== order.currency, other);
    const odd = /^[^A-Za-z0-9]/.test(given.get("description") ?? "");
    refuseIf(odd, "The description must begin with a letter or digit.");
    return order;
  }

  /** undefined: not an address of the checkout. */
  return (call: Call): Answer | undefined => {
    const address = `${call.method} ${call.path}`;
    const script = SCRIPTS[address];
    if (script) return typed("text/javascript; charset=utf-8", script);
    if (address === "GET /v1/checkout/frame") return show(call.query);
    const given = new URLSearchParams(call.body.toString("utf8"));
    if (address === "POST /v1/checkout/embedded") return show(given);
    return address === "POST /v1/checkout/pay" ? submit(given) : undefined;
  };
}

function impossible(error: HttpError): Answer {
  return page(noticePage("Payment not possible", error.message), error.status);
}

/** The window gets an object; the shop's callback address gets its fields, the metadata as a JSON text. */
function failed(given: URLSearchParams, { payment }: PayResult): Answer {
  const description = payment.error_description ?? "";
  const { error_code: code, error_source: source, error_step: step } = payment;
  const error = { code, description, source, step, reason: payment.error_reason };
  const metadata = { payment_id: payment.id, order_id: payment.order_id };
  if (given.has("parent")) {
    return json({ notice: `Payment failed. ${description}`, error: { ...error, metadata } });
  }
  const texts = Object.entries({ ...error, metadata: JSON.stringify(metadata) });
  const fields = Object.fromEntries(texts.map(([name, text]) => [`error[${name}]`, text]));
  return page(returnPage(given, "Payment failed", description, fields));
}

function requestOf(given: URLSearchParams, outcome?: Outcome): PayRequest {
  const number = (given.get("prefill[contact]") ?? "").replace(/[\s()-]/g, "");
  return {
    outcome,
    method: (given.get("method") ?? "card") as PaymentMethod,
    email: given.get("prefill[email]") ?? "",
    // The provider assumes 91 where a number has no country code.
    contact: /^\d/.test(number) ? `+91${number}` : number,
    description: given.get("description") ?? "",
  };
}

const METHODS = { card: "Card", upi: "UPI", netbanking: "Netbanking", wallet: "Wallet" };

/** `silent` is what the page says where the shop gets no answer. */
const MORE: Record<string, { label: string; outcome?: Outcome; silent?: string }> = {
  authorize: { label: "Pay, authorise only", outcome: "authorized" },
  late: { label: "Pay late", outcome: "late" },
  lost: {
    label: "Pay, lose the callback",
    silent: "Paid. The shop is told nothing by this browser.",
  },
  twice: { label: "Pay twice" },
  pending: { label: "Leave pending", outcome: "created", silent: "The bank has not answered yet." },
};

/** The payment page of the window and of the hosted form. */
function paymentPage(given: URLSearchParams, order: Order): string {
  // Disabled in the window until its script runs: before that they would submit the form itself.
  const button = (value: string, label: string, main = "") =>
    `<button${main} name="action" value="${value}"${given.has("parent") ? " disabled" : ""}>${label}</button>`;
  const chosen = given.get("prefill[method]") ?? "card";
  const methods = Object.entries(METHODS).map(
    ([value, label]) =>
      `<label><input type="radio" name="method" value="${value}"${value === chosen ? " checked" : ""}> ${label}</label>`,
  );
  const more = Object.entries(MORE).map(([value, { label }]) => button(value, label));
  return payDocument(
    given,
    given.get("name") || "Payment",
    `<p>${html(given.get("description"))}</p>
<p>${rupees(order.amount_due)}</p>
<p role="status" data-notice></p>
${button("pay", "Pay now", ` class="main"`)}${button("fail", "Fail payment")}${button("cancel", "Cancel")}
<fieldset><legend>Method</legend>${methods.join("")}</fieldset>
<details><summary>More outcomes</summary>${more.join("")}</details>`,
  );
}

/** A page of the payment window that offers only to close it. */
function refusedPage(given: URLSearchParams, words: string): string {
  return payDocument(
    given,
    "Payment not possible",
    `<p role="status" data-notice class="bad">${html(words)}</p>
<button name="action" value="cancel" disabled>Cancel</button>`,
  );
}

function payDocument(given: URLSearchParams, title: string, inside: string): string {
  const parent = given.get("parent");
  const kept = [...given].filter(([name]) => name !== "method" && name !== "action");
  return htmlDocument(
    "Payment (sandbox)",
    `<main class="pay">
<p class="soft">Sandbox: no money moves.</p>
<h1>${html(title)}</h1>
<form method="post" action="/v1/checkout/pay" class="stack"${parent ? ` data-parent="${html(parent)}"` : ""}>
${hiddenInputs(kept)}
${inside}
</form>
</main>`,
    parent ? "/v1/checkout/frame.js" : undefined,
  );
}

/** Ends the hosted payment: a form that posts the fields to the shop. */
function returnPage(given: URLSearchParams, title: string, words: string, fields: object): string {
  return htmlDocument(
    `${title} (sandbox)`,
    `<main class="pay"><h1>${html(title)}</h1><p>${html(words)}</p>
<form method="post" action="${html(given.get("callback_url"))}" class="stack" data-return>${hiddenInputs(Object.entries(fields))}<button class="main">Return to merchant</button></form></main>`,
    "/v1/checkout/return.js",
  );
}
