import type { Order } from "./entities.ts";
import { STANDARD_CARD } from "./failures.ts";
import { html, rupees } from "./http.ts";
import type { Proof, ProofError } from "./payer.ts";

/** What the payment page knows of the shop's request. */
export interface CheckoutSession {
  id: string;
  mode: "frame" | "hosted";
  orderId: string;
  name: string;
  description: string;
  callbackUrl: string;
  cancelUrl: string;
  parent: string;
  retry: boolean;
  email: string;
  contact: string;
  method: string;
  notes: Record<string, string>;
}

export function htmlDocument(title: string, body: string, scripts: string[] = []): string {
  const tags = scripts.map((src) => `<script src="${src}" defer></script>`).join("");
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>${html(title)}</title>
<link rel="icon" href="data:,">
<link rel="stylesheet" href="/__sandbox/sandbox.css">
${tags}
</head>
<body>
${body}
</body>
</html>
`;
}

const METHODS: [string, string][] = [
  ["card", "Card"],
  ["upi", "UPI"],
  ["netbanking", "Netbanking"],
  ["wallet", "Wallet"],
];

const MORE: [string, string][] = [
  ["authorize", "Pay, authorise only"],
  ["late", "Pay late"],
  ["lost", "Pay, lose the callback"],
  ["twice", "Pay twice"],
  ["pending", "Leave pending"],
];

export function paymentPage(session: CheckoutSession, order: Order): string {
  const off = session.mode === "frame" ? " disabled" : "";
  const chosen = METHODS.some(([value]) => value === session.method) ? session.method : "card";
  const methods = METHODS.map(
    ([value, label]) =>
      `<label><input type="radio" name="method" value="${value}"${value === chosen ? " checked" : ""}> ${label}</label>`,
  ).join("");
  const more = MORE.map(
    ([value, label]) => `<button name="action" value="${value}"${off}>${label}</button>`,
  ).join("");
  const parent = session.mode === "frame" ? ` data-parent="${html(session.parent)}"` : "";
  const body = `<main class="pay">
<p class="soft">Sandbox: no money moves.</p>
<h1>${html(session.name || "Payment")}</h1>
${session.description ? `<p>${html(session.description)}</p>` : ""}
<p class="amount">${rupees(order.amount_due)}</p>
<p role="status" data-notice></p>
<form method="post" action="/v1/checkout/pay" class="stack"${parent}>
<input type="hidden" name="session" value="${html(session.id)}">
<button class="main" name="action" value="pay"${off}>Pay now</button>
<button name="action" value="fail"${off}>Fail payment</button>
<button name="action" value="cancel"${off}>Cancel</button>
<fieldset><legend>Method</legend>${methods}
<label>Card number <input name="card_number" value="${STANDARD_CARD}" inputmode="numeric" autocomplete="off"></label>
<label>One-time password <input name="otp" value="1234" inputmode="numeric" autocomplete="off"></label>
<label>UPI id <input name="vpa" value="success@razorpay" autocomplete="off"></label>
</fieldset>
<details><summary>More outcomes</summary>${more}</details>
</form>
</main>`;
  const scripts = session.mode === "frame" ? ["/v1/checkout/frame.js"] : [];
  return htmlDocument("Payment (sandbox)", body, scripts);
}

function returnForm(action: string, fields: Record<string, string>): string {
  const inputs = Object.entries(fields)
    .map(([name, value]) => `<input type="hidden" name="${html(name)}" value="${html(value)}">`)
    .join("");
  return `<form method="post" action="${html(action)}" class="stack" data-return>${inputs}<button class="main">Return to merchant</button></form>`;
}

export function successPage(session: CheckoutSession, proof: Proof): string {
  return htmlDocument(
    "Payment successful (sandbox)",
    `<main class="pay"><h1>Payment successful</h1>
<p class="soft">Payment ${html(proof.razorpay_payment_id)}</p>
${returnForm(session.callbackUrl, { ...proof })}</main>`,
    ["/v1/checkout/return.js"],
  );
}

export function failurePage(session: CheckoutSession, error: ProofError): string {
  return htmlDocument(
    "Payment failed (sandbox)",
    `<main class="pay"><h1>Payment failed</h1><p>${html(error.description)}</p>
${returnForm(session.callbackUrl, errorFields(error))}</main>`,
    ["/v1/checkout/return.js"],
  );
}

function errorFields(error: ProofError): Record<string, string> {
  return {
    "error[code]": error.code,
    "error[description]": error.description,
    "error[source]": error.source,
    "error[step]": error.step,
    "error[reason]": error.reason,
    "error[metadata]": JSON.stringify(error.metadata),
  };
}

export function noticePage(title: string, words: string): string {
  return htmlDocument(
    `${title} (sandbox)`,
    `<main class="pay"><h1>${html(title)}</h1><p>${html(words)}</p></main>`,
  );
}

/** A page of the payment window that offers only to close it. */
export function refusedFrame(session: CheckoutSession, words: string): string {
  return htmlDocument(
    "Payment not possible (sandbox)",
    `<main class="pay"><h1>Payment not possible</h1><p role="status" data-notice class="bad">${html(words)}</p>
<form method="post" action="/v1/checkout/pay" class="stack" data-parent="${html(session.parent)}">
<button name="action" value="cancel" disabled>Cancel</button></form></main>`,
    ["/v1/checkout/frame.js"],
  );
}
