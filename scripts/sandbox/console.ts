/**
 * The console: plain pages for people, whose forms make the calls under /__sandbox/ without scripts.
 * A call is an area, an id where there is one, and a verb; tools make the same calls with JSON.
 */
import { readFileSync } from "node:fs";
import {
  type Answer,
  type Call,
  type Fields,
  fieldsOf,
  HttpError,
  hiddenInputs,
  html,
  htmlDocument,
  json,
  noticePage,
  numberOf,
  page,
  type Reply,
  redirect,
  refuseForeign,
  rupees,
  textOf,
  typed,
} from "./http.ts";
import type { Mail } from "./mailbox.ts";
import type { Parts } from "./parts.ts";
import type { Dispute, Payment } from "./razorpay/entities.ts";
import type { Ledger } from "./razorpay/ledger.ts";
import type { Outcome } from "./razorpay/payer.ts";
import { SWITCHES, type Switches, type SwitchName } from "./switches.ts";

const STYLE = readFileSync(new URL("./browser/sandbox.css", import.meta.url));
const MOST_ROWS = 50;
const OUTCOMES: Outcome[] = ["captured", "authorized", "failed", "late", "created"];

type Action = (parts: Parts, fields: Fields, id: string) => unknown;

const ACTIONS: Record<string, Action> = {
  reset: ({ reset }) => reset(),
  "orders/pay": ({ pay }, fields, id) => {
    const outcome = OUTCOMES.find((known) => known === (fields.outcome ?? "captured"));
    if (!outcome) throw new HttpError(400, "outcome is not known");
    return pay(id, {
      outcome,
      amount: numberOf(fields, "amount"),
      webhooks: String(fields.webhooks) !== "false",
      force: String(fields.force) === "true",
    });
  },
  "orders/refund": ({ ledger, desk }, fields, id) =>
    desk.create(capturedPayment(ledger, id), { amount: numberOf(fields, "amount") }),
  "orders/dispute": ({ ledger, desk }, fields, id) => {
    const status = textOf(fields, "status") as Dispute["status"] | undefined;
    const payment = capturedPayment(ledger, id);
    const known = [...ledger.disputes.values()].find((one) => one.payment_id === payment.id);
    const dispute = known ?? desk.openDispute(payment);
    return status ? desk.moveDispute(dispute, { status }) : dispute;
  },
  "whatsapp/status": ({ whatsapp }, fields, id) =>
    whatsapp.emit(id, textOf(fields, "status") ?? "", numberOf(fields, "code")),
  "switches/set": ({ switches }, fields) => {
    const value = textOf(fields, "value");
    switches.set({
      name: textOf(fields, "name") as SwitchName,
      count: numberOf(fields, "count"),
      probability: numberOf(fields, "probability"),
      value: Number.isFinite(Number(value || "x")) ? Number(value) : value || undefined,
      match: textOf(fields, "match"),
    });
  },
  "switches/clear": ({ switches }, fields) =>
    switches.clear(textOf(fields, "name") as SwitchName | undefined),
};

function capturedPayment(ledger: Ledger, orderId: string): Payment {
  const payment = ledger.paymentsOf(orderId).findLast(({ captured }) => captured);
  if (!payment) throw new HttpError(400, "no payment of the order is captured");
  return payment;
}

/** undefined: not an address of the console. */
export async function answerConsole(parts: Parts, call: Call): Promise<Answer | undefined> {
  const [, root, area = "", ...rest] = call.path.split("/");
  if (root === "__sandbox") {
    return call.method === "GET"
      ? show(parts, call, [area, ...rest])
      : act(parts, call, area, rest);
  }
  if (call.method !== "GET") return undefined;
  if (call.path === "/") return page(frontPage(parts));
  if (root !== "console") return undefined;
  if (area === "switches") return page(switchesPage(parts.switches));
  const mail = area === "mails" ? parts.mailbox.find(Number(rest[0]))?.mail : undefined;
  return mail ? page(mailPage(mail)) : page(noticePage("Not here", "There is no such page."), 404);
}

function show(parts: Parts, { query }: Call, [area, n, ...rest]: string[]): Reply {
  const { mailbox, whatsapp, addresses } = parts;
  if (area === "sandbox.css") return typed("text/css; charset=utf-8", STYLE);
  if (area === "health") return json({ status: "ok", ...addresses });
  if (area === "whatsapp") return json({ messages: whatsapp.messages });
  if (area !== "mails") throw notHere();
  if (n) return mailPart(parts, n, rest);
  return json({ mails: mailbox.list({ to: query.get("to") ?? "" }) });
}

async function act(parts: Parts, call: Call, area: string, rest: string[]): Promise<Answer> {
  refuseForeign(call);
  const action = ACTIONS[rest.length > 0 ? `${area}/${rest.at(-1)}` : area];
  if (!action) throw notHere();
  const fields = fieldsOf(call);
  const back = textOf(fields, "back");
  try {
    const done = await action(parts, fields, decodeURIComponent(rest[0] ?? ""));
    await parts.mailbox.settled();
    return back && /^\/(?!\/)/.test(back) ? redirect(back) : json(done ?? {});
  } catch (error) {
    if (!back || !(error instanceof HttpError)) throw error;
    return page(noticePage("Not possible", error.message), 400);
  }
}

function notHere(): HttpError {
  return new HttpError(404, "no such address");
}

/** A mail, or its `raw`, `html` or `attachments/{i}`; a browser runs nothing of it. */
function mailPart({ mailbox }: Parts, n: string, [part, index]: string[]): Reply {
  const stored = mailbox.find(Number(n));
  if (!stored) throw notHere();
  const { mail, raw, files, shown } = stored;
  const file = mail.attachments[Number(index)];
  let reply = part ? typed("message/rfc822", raw) : json(mail);
  if (part === "html") reply = typed("text/html; charset=utf-8", shown);
  if (part === "attachments" && file) {
    reply = typed(file.contentType.replace(/[\r\n]/g, ""), files[Number(index)] ?? "");
    const name = encodeURIComponent(file.filename ?? "attachment");
    reply.headers["Content-Disposition"] = `attachment; filename*=UTF-8''${name}`;
  }
  reply.headers["Content-Security-Policy"] =
    "sandbox; default-src 'none'; style-src 'unsafe-inline'; img-src data:";
  return reply;
}

function layout(title: string, body: string): string {
  return htmlDocument(
    `${title} – sandbox`,
    `<header><nav aria-label="Console"><a href="/">Overview</a><a href="/console/switches">Switches</a></nav></header>
<main><h1>${html(title)}</h1>
${body}</main>`,
  );
}

/** A form that makes a call and comes back. */
function form(path: string, back: string, inside: string, fields: Record<string, string> = {}) {
  const inputs = hiddenInputs(Object.entries({ back, ...fields }));
  return `<form method="post" action="/__sandbox/${path}" class="row">${inputs}${inside}</form>`;
}

type Button = [label: string, verb: string, fields?: Record<string, string>];

/** The newest rows, each with its buttons; the first cell is the id. */
function table(area: string, heads: string[], rows: unknown[][], buttons: Button[]): string {
  const latest = rows.slice(-MOST_ROWS).reverse();
  const lines = latest.map((cells) => {
    const forms = buttons.map(([label, verb, fields]) =>
      form(`${area}/${cells[0]}/${verb}`, "/", `<button>${label}</button>`, fields),
    );
    const shown = cells.map((cell) => `<td>${html(cell)}</td>`).join("");
    return `<tr>${shown}<td><div class="row">${forms.join("")}</div></td></tr>`;
  });
  const head = heads.map((name) => `<th scope="col">${name}</th>`).join("");
  return `<div class="wide" tabindex="0" role="region" aria-label="${area}"><table><thead><tr>${head}<td></td></tr></thead><tbody>${lines.join("")}</tbody></table></div>`;
}

function frontPage({ switches, mailbox, whatsapp, ledger, addresses }: Parts): string {
  const on = switches.list().map(({ name }) => name);
  const mails = mailbox.list().map(({ n, envelope, subject }) => {
    const link = `<a href="/console/mails/${n}">${html(subject || "(no subject)")}</a>`;
    return `<li>${html(envelope.to.join(", "))}: ${link}</li>`;
  });
  const messages = whatsapp.messages.map(({ id, to, template, state }) => {
    return [id, to, template.name, template.body.join(" · "), state];
  });
  const orders = [...ledger.orders.values()].map(({ id, amount, status, receipt }) => {
    const payments = ledger.paymentsOf(id).map((one) => {
      const dispute = [...ledger.disputes.values()].find((d) => d.payment_id === one.id);
      return [one.id, one.status, one.error_reason, dispute && `dispute ${dispute.status}`]
        .filter(Boolean)
        .join(" ");
    });
    return [id, rupees(amount), status, receipt, payments.join("; ")];
  });
  const states = ["sent", "delivered", "read", "failed"];
  return layout(
    "Sandbox",
    `<p>The outside world on this machine: no money moves, no mail leaves.</p>
${on.length > 0 ? `<p class="bad">Switches on: ${on.join(", ")}</p>` : ""}
<h2>Mail</h2>
<ul>${mails.reverse().slice(0, MOST_ROWS).join("")}</ul>
<h2>WhatsApp</h2>
${table(
  "whatsapp",
  ["Id", "To", "Template", "Words", "State"],
  messages,
  states.map((status) => [status, "status", { status }]),
)}
<h2>Orders</h2>
${table("orders", ["Id", "Amount", "Status", "Receipt", "Payments"], orders, [
  ...OUTCOMES.map((outcome): Button => [outcome, "pay", { outcome }]),
  ["captured once more", "pay", { outcome: "captured", force: "true" }],
  ["refund", "refund"],
  ["dispute", "dispute"],
  ["dispute lost", "dispute", { status: "lost" }],
])}
<h2>Addresses</h2><pre>${html(JSON.stringify(addresses, null, 1))}</pre>
${form("reset", "/", "<button>Empty everything</button>")}`,
  );
}

function mailPage({ n, from, envelope, subject, text, html: markup, attachments }: Mail): string {
  const at = `/__sandbox/mails/${n}`;
  const files = attachments.map(
    ({ filename }, index) =>
      `<li><a href="${at}/attachments/${index}">${html(filename ?? "attachment")}</a></li>`,
  );
  return layout(
    subject || "(no subject)",
    `<p>From ${html(from)} to ${html(envelope.to.join(", "))}. <a href="${at}/raw">Source</a></p>
<ul>${files.join("")}</ul>
${markup ? `<iframe class="mail" sandbox title="Mail as HTML" src="${at}/html"></iframe>` : ""}
<h2>Text</h2><pre>${html(text)}</pre>`,
  );
}

function switchesPage(switches: Switches): string {
  const back = "/console/switches";
  const cards = Object.entries(SWITCHES).map(([key, [group, effect, standard, unit]]) => {
    const name = key as SwitchName;
    const on = switches.list().find((setting) => setting.name === name);
    const words = on ? `<strong class="bad">On ${html(JSON.stringify(on))}</strong>` : "";
    const value = `<label>Value (${html(unit)}) <input name="value" placeholder="${html(standard)}"></label>`;
    const setting = `<label>Next N <input name="count" inputmode="numeric"></label>${unit ? value : ""}<label>Matching <input name="match"></label><button aria-label="Turn on ${name}">Turn on</button>`;
    const off = `<button aria-label="Turn off ${name}">Turn off</button>`;
    const change = form(`switches/${on ? "clear" : "set"}`, back, on ? off : setting, { name });
    return `<section class="card"><p>${group} <code>${name}</code>: ${html(effect)} ${words}</p>${change}</section>`;
  });
  return layout(
    "Switches",
    form("switches/clear", back, `<button class="main">Turn all off</button>`) + cards.join(""),
  );
}
