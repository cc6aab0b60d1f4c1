/** The console for people: plain pages whose forms make the calls under /__sandbox/, without scripts. */
import { readFileSync } from "node:fs";
import { type Answer, type Call, page, typed } from "./http.ts";
import type { Mail } from "./mailbox.ts";
import { hiddenInputs, html, htmlDocument, noticePage, rupees } from "./markup.ts";
import type { Parts } from "./parts.ts";
import { SWITCHES, type Switches, type SwitchName } from "./switches.ts";

const STYLE = readFileSync(new URL("./browser/sandbox.css", import.meta.url));
const MOST_ROWS = 50;

type Button = [label: string, verb: string, fields?: Record<string, string>];

const named = (...verbs: string[]): Button[] => verbs.map((verb) => [verb, verb]);

/** What can be done to one row, by the area of its calls. */
const BUTTONS: Record<string, Button[]> = {
  orders: [
    ["captured", "pay", { outcome: "captured" }],
    ["authorized", "pay", { outcome: "authorized" }],
    ["failed", "pay", { outcome: "failed" }],
    ["late", "pay", { outcome: "late" }],
    ["captured once more", "pay", { outcome: "captured", force: "true" }],
  ],
  payments: named("authorize", "fail", "capture", "refund", "dispute"),
  refunds: named("process", "fail"),
  disputes: [
    ...["under_review", "won", "lost", "closed"].map(
      (status): Button => [status, "move", { status }],
    ),
    ["open in pre-arbitration", "move", { phase: "pre_arbitration", status: "open" }],
    ["open in arbitration", "move", { phase: "arbitration", status: "open" }],
  ],
  events: named("resend"),
  whatsapp: ["sent", "delivered", "read", "failed"].map((status) => [status, "status", { status }]),
};

/** undefined: not an address of the console. */
export function answerConsole(parts: Parts, { method, path }: Call): Answer | undefined {
  if (method !== "GET") return undefined;
  if (path === "/__sandbox/sandbox.css") return typed("text/css; charset=utf-8", STYLE);
  if (path === "/") return page(frontPage(parts));
  const [, root, view, id] = path.split("/");
  if (root !== "console") return undefined;
  if (view === "switches") return page(switchesPage(parts.switches));
  const mail = view === "mails" ? parts.mailbox.find(Number(id))?.mail : undefined;
  return mail ? page(mailPage(mail)) : page(noticePage("Not here", "There is no such page."), 404);
}

function shell(title: string, body: string): string {
  return htmlDocument(
    `${title} – sandbox`,
    `<header><nav aria-label="Console"><a href="/">Overview</a><a href="/console/switches">Switches</a></nav></header>
<main><h1>${html(title)}</h1>
${body}</main>`,
  );
}

/** The newest rows as a table, each with its buttons. The first cell is the id. */
function section(title: string, area: string, heads: string, rows: unknown[][]): string {
  const latest = rows
    .slice(-MOST_ROWS)
    .reverse()
    .map((cells) => {
      const acts = (BUTTONS[area] ?? []).map(([label, verb, fields]) =>
        form(`${area}/${cells[0]}/${verb}`, "/", `<button>${label}</button>`, fields),
      );
      const shown = cells.map((cell) => `<td>${html(cell)}</td>`).join("");
      return `<tr>${shown}<td><div class="row">${acts.join("")}</div></td></tr>`;
    });
  const head = heads.split(" ").map((name) => `<th scope="col">${name}</th>`);
  return `<h2>${title}</h2>
<div class="wide" tabindex="0" role="region" aria-label="${title}"><table><thead><tr>${head.join("")}<td></td></tr></thead><tbody>${latest.join("")}</tbody></table></div>`;
}

/** A form that makes a call and comes back. */
function form(path: string, back: string, inside: string, fields: Record<string, string> = {}) {
  const inputs = hiddenInputs(Object.entries({ back, ...fields }));
  return `<form method="post" action="/__sandbox/${path}" class="row">${inputs}${inside}</form>`;
}

function frontPage({ mailbox, ledger, switches, events, courier, whatsapp, addresses }: Parts) {
  const live = switches.list().map(({ name }) => name);
  const mails = mailbox.list().map(({ n, envelope, subject }) => {
    const link = `<a href="/console/mails/${n}">${html(subject || "(no subject)")}</a>`;
    return `<li>${html(envelope.to.join(", "))}: ${link}</li>`;
  });
  const delivered = (id: string) =>
    courier.of(id).map(({ state, attempts }) => `${state} ${attempts.join(", ")}`);
  return shell(
    "Sandbox",
    `<p>The outside world on this machine: no money moves, no mail leaves.</p>
${live.length > 0 ? `<p class="bad">Switches on: ${live.join(", ")}</p>` : ""}
<h2>Mail</h2>
<ul>${mails.reverse().slice(0, MOST_ROWS).join("")}</ul>
${section(
  "WhatsApp",
  "whatsapp",
  "Id To Template Words State",
  whatsapp.messages.map(({ id, to, template, state }) => {
    return [id, to, template.name, template.body.join(" · "), state];
  }),
)}
${section(
  "Orders",
  "orders",
  "Id Amount Status Receipt",
  [...ledger.orders.values()].map((o) => [o.id, rupees(o.amount), o.status, o.receipt]),
)}
${section(
  "Payments",
  "payments",
  "Id Order Amount Status Method",
  [...ledger.payments.values()].map((p) => {
    return [p.id, p.order_id, rupees(p.amount), p.error_reason ?? p.status, p.method];
  }),
)}
${section(
  "Refunds",
  "refunds",
  "Id Payment Amount Status",
  [...ledger.refunds.values()].map((r) => [r.id, r.payment_id, rupees(r.amount), r.status]),
)}
${section(
  "Disputes",
  "disputes",
  "Id Payment Amount Deducted Phase Status",
  [...ledger.disputes.values()].map((d) => {
    return [d.id, d.payment_id, rupees(d.amount), rupees(d.amount_deducted), d.phase, d.status];
  }),
)}
${section(
  "Webhook events",
  "events",
  "Id Event Deliveries",
  events.sent.map(({ id, event, unsent }) => [id, event, unsent ?? delivered(id).join("; ")]),
)}
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
  return shell(
    subject || "(no subject)",
    `<p>From ${html(from)} to ${html(envelope.to.join(", "))}. <a href="${at}/raw">Source</a></p>
<ul>${files.join("")}</ul>
${markup ? `<iframe class="mail" sandbox title="Mail as HTML" src="${at}/html"></iframe>` : ""}
<h2>Text</h2><pre>${html(text)}</pre>`,
  );
}

function switchesPage(switches: Switches): string {
  const back = "/console/switches";
  const live = new Map(switches.list().map((setting) => [setting.name, setting]));
  const cards = Object.entries(SWITCHES).map(([key, [group, effect, standard, unit]]) => {
    const name = key as SwitchName;
    const on = live.get(name);
    const words = on ? `<strong class="bad">On ${html(JSON.stringify(on))}</strong>` : "";
    const value = `<label>Value (${html(unit)}) <input name="value" placeholder="${html(standard)}"></label>`;
    const setting = `<label>Next N <input name="count" inputmode="numeric"></label>${unit ? value : ""}<label>Matching <input name="match"></label><label>Probability <input name="probability" inputmode="decimal"></label><button aria-label="Turn on ${name}">Turn on</button>`;
    const off = `<button aria-label="Turn off ${name}">Turn off</button>`;
    const press = form(`switches/${on ? "clear" : "set"}`, back, on ? off : setting, { name });
    return `<section class="card"><p>${group} <code>${name}</code>: ${html(effect)} ${words}</p>${press}</section>`;
  });
  return shell(
    "Switches",
    form("switches/clear", back, `<button class="main">Turn all off</button>`) + cards.join(""),
  );
}
