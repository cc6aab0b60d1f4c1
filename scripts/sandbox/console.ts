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
import type { Dispute } from "./razorpay/entities.ts";
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
  "payments/refund": ({ ledger, desk }, fields, id) =>
    desk.create(ledger.requirePayment(id), { amount: numberOf(fields, "amount") }),
  "payments/dispute": ({ ledger, desk }, _, id) => desk.openDispute(ledger.requirePayment(id)),
  "disputes/move": ({ ledger, desk }, fields, id) =>
    desk.moveDispute(ledger.requireDispute(id), {
      phase: textOf(fields, "phase") as Dispute["phase"],
      status: textOf(fields, "status") as Dispute["status"],
      amount_deducted: numberOf(fields, "deducted"),
    }),
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

interface Table {
  title: string;
  /** The first column is the id. */
  heads: string[];
  rows(parts: Parts): unknown[][];
  /** What can be done to a row: the verb, and the fields that go with it. */
  buttons: [label: string, verb: string, fields?: Record<string, string>][];
}

/** By the area of their calls. */
const TABLES: Record<string, Table> = {
  whatsapp: {
    title: "WhatsApp",
    heads: ["Id", "To", "Template", "Words", "State"],
    rows: ({ whatsapp }) =>
      whatsapp.messages.map(({ id, to, template, state }) => {
        return [id, to, template.name, template.body.join(" · "), state];
      }),
    buttons: ["sent", "delivered", "read", "failed"].map((status) => [
      status,
      "status",
      { status },
    ]),
  },
  orders: {
    title: "Orders",
    heads: ["Id", "Amount", "Status", "Receipt"],
    rows: ({ ledger }) =>
      [...ledger.orders.values()].map((o) => [o.id, rupees(o.amount), o.status, o.receipt]),
    buttons: [
      ...OUTCOMES.map((outcome): Table["buttons"][number] => [outcome, "pay", { outcome }]),
      ["captured once more", "pay", { outcome: "captured", force: "true" }],
    ],
  },
  payments: {
    title: "Payments",
    heads: ["Id", "Order", "Amount", "Status", "Method"],
    rows: ({ ledger }) =>
      [...ledger.payments.values()].map((p) => {
        return [p.id, p.order_id, rupees(p.amount), p.error_reason ?? p.status, p.method];
      }),
    buttons: ["refund", "dispute"].map((verb) => [verb, verb]),
  },
  refunds: {
    title: "Refunds",
    heads: ["Id", "Payment", "Amount", "Status"],
    rows: ({ ledger }) =>
      [...ledger.refunds.values()].map((r) => [r.id, r.payment_id, rupees(r.amount), r.status]),
    buttons: [],
  },
  disputes: {
    title: "Disputes",
    heads: ["Id", "Payment", "Deducted", "Phase", "Status"],
    rows: ({ ledger }) =>
      [...ledger.disputes.values()].map((d) => {
        return [d.id, d.payment_id, rupees(d.amount_deducted), d.phase, d.status];
      }),
    buttons: ["under_review", "won", "lost", "closed"].map((status) => [
      status,
      "move",
      { status },
    ]),
  },
};

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

/** Its parts `raw`, `html` or `attachments/{i}`, each without rights in a browser. */
function mailPart({ mailbox }: Parts, n: string, [part, index]: string[]): Reply {
  const stored = mailbox.find(Number(n));
  if (!stored) throw notHere();
  const { mail, raw, files } = stored;
  const file = mail.attachments[Number(index)];
  let reply = part ? typed("message/rfc822", raw) : json(mail);
  if (part === "html") reply = typed("text/html; charset=utf-8", mail.html ?? "");
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

/** The newest rows, each with its buttons. */
function tableOf(parts: Parts, area: string, { title, heads, rows, buttons }: Table): string {
  const latest = rows(parts).slice(-MOST_ROWS).reverse();
  const lines = latest.map((cells) => {
    const forms = buttons.map(([label, verb, fields]) =>
      form(`${area}/${cells[0]}/${verb}`, "/", `<button>${label}</button>`, fields),
    );
    const shown = cells.map((cell) => `<td>${html(cell)}</td>`).join("");
    return `<tr>${shown}<td><div class="row">${forms.join("")}</div></td></tr>`;
  });
  const head = heads.map((name) => `<th scope="col">${name}</th>`).join("");
  return `<h2>${title}</h2>
<div class="wide" tabindex="0" role="region" aria-label="${title}"><table><thead><tr>${head}<td></td></tr></thead><tbody>${lines.join("")}</tbody></table></div>`;
}

function frontPage(parts: Parts): string {
  const on = parts.switches.list().map(({ name }) => name);
  const mails = parts.mailbox.list().map(({ n, envelope, subject }) => {
    const link = `<a href="/console/mails/${n}">${html(subject || "(no subject)")}</a>`;
    return `<li>${html(envelope.to.join(", "))}: ${link}</li>`;
  });
  const tables = Object.entries(TABLES).map(([area, table]) => tableOf(parts, area, table));
  return layout(
    "Sandbox",
    `<p>The outside world on this machine: no money moves, no mail leaves.</p>
${on.length > 0 ? `<p class="bad">Switches on: ${on.join(", ")}</p>` : ""}
<h2>Mail</h2>
<ul>${mails.reverse().slice(0, MOST_ROWS).join("")}</ul>
${tables.join("\n")}
<h2>Addresses</h2><pre>${html(JSON.stringify(parts.addresses, null, 1))}</pre>
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
