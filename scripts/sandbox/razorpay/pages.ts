/** The payment page of the window and of the hosted form. */
import { hiddenInputs, html, htmlDocument, rupees } from "#scripts/sandbox/markup.ts";
import type { Order } from "./entities.ts";

const METHODS = { card: "Card", upi: "UPI", netbanking: "Netbanking", wallet: "Wallet" };

const MORE = {
  authorize: "Pay, authorise only",
  late: "Pay late",
  lost: "Pay, lose the callback",
  twice: "Pay twice",
  pending: "Leave pending",
};

export function paymentPage(given: URLSearchParams, order: Order): string {
  // Off in the window until its script runs: pressed before, they would post the form.
  const button = (value: string, label: string, main = "") =>
    `<button${main} name="action" value="${value}"${given.has("parent") ? " disabled" : ""}>${label}</button>`;
  const chosen = given.get("prefill[method]") ?? "card";
  const methods = Object.entries(METHODS).map(
    ([value, label]) =>
      `<label><input type="radio" name="method" value="${value}"${value === chosen ? " checked" : ""}> ${label}</label>`,
  );
  const more = Object.entries(MORE).map(([value, label]) => button(value, label));
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
export function refusedPage(given: URLSearchParams, words: string): string {
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
export function returnPage(
  given: URLSearchParams,
  title: string,
  words: string,
  fields: object,
): string {
  return htmlDocument(
    `${title} (sandbox)`,
    `<main class="pay"><h1>${html(title)}</h1><p>${html(words)}</p>
<form method="post" action="${html(given.get("callback_url"))}" class="stack" data-return>${hiddenInputs(Object.entries(fields))}<button class="main">Return to merchant</button></form></main>`,
    "/v1/checkout/return.js",
  );
}
