import { htmlDocument } from "./checkout-pages.ts";
import type { Order, Payment, Refund } from "./entities.ts";
import { html, rupees } from "./http.ts";
import type { Mail } from "./mailbox.ts";
import type { Parts } from "./parts.ts";
import { SWITCH_CATALOGUE, type SwitchGroup, type SwitchName } from "./switch-catalogue.ts";
import type { Switches } from "./switches.ts";
import type { WhatsAppSink } from "./whatsapp.ts";

const MOST_ROWS = 50;

function time(milliseconds: number): string {
  return new Date(milliseconds).toLocaleString("en-GB", { timeZone: "Asia/Kolkata" });
}

function shell(title: string, body: string): string {
  return htmlDocument(
    `${title} – sandbox`,
    `<header><nav aria-label="Console"><a href="/">Overview</a><a href="/console/whatsapp">WhatsApp</a><a href="/console/switches">Switches</a></nav></header>
<main><h1>${html(title)}</h1>
${body}</main>`,
  );
}

function table(caption: string, heads: string[], rows: string[][]): string {
  if (rows.length === 0) return `<p class="soft">None yet.</p>`;
  const head = heads.map((name) => `<th scope="col">${name}</th>`).join("");
  const body = rows
    .map((cells) => `<tr>${cells.map((cell) => `<td>${cell}</td>`).join("")}</tr>`)
    .join("");
  return `<div class="wide" tabindex="0" role="region" aria-label="${caption}"><table><thead><tr>${head}</tr></thead><tbody>${body}</tbody></table></div>`;
}

/** A button that makes an admin call and comes back. */
function act(
  label: string,
  path: string,
  back: string,
  fields: Record<string, string> = {},
): string {
  const inputs = Object.entries({ path, back, ...fields })
    .map(([name, value]) => `<input type="hidden" name="${html(name)}" value="${html(value)}">`)
    .join("");
  return `<form method="post" action="/console/do">${inputs}<button>${html(label)}</button></form>`;
}

const latest = <T>(items: Iterable<T>): T[] => [...items].slice(-MOST_ROWS).reverse();

export function frontPage(parts: Parts): string {
  const { mailbox, ledger, switches, events } = parts;
  const live = switches.list();
  const addresses = Object.entries(parts.addresses())
    .map(([name, value]) => `<dt>${html(name)}</dt><dd><code>${html(value)}</code></dd>`)
    .join("");
  const mails = latest(mailbox.list()).map((mail) => [
    time(mail.at),
    html(mail.envelope.to.join(", ")),
    `<a href="/console/mails/${mail.n}">${html(mail.subject || "(no subject)")}</a>`,
    String(mail.attachments.length || ""),
  ]);
  const orders = latest(ledger.orders.values()).map((order) => [
    time(order.created_at * 1000),
    `<a href="/console/orders/${order.id}"><code>${order.id}</code></a>`,
    rupees(order.amount),
    order.status,
    html(order.receipt ?? ""),
  ]);
  return shell(
    "Sandbox",
    `<p class="soft">The outside world on this machine: no money moves, no mail leaves.</p>
${live.length > 0 ? `<p class="bad">Switches on: ${live.map(({ name }) => html(name)).join(", ")}. <a href="/console/switches">Change</a></p>` : ""}
<h2>Mail</h2>
${table("Mail", ["Time (IST)", "To", "Subject", "Files"], mails)}
<h2>Orders</h2>
${table("Orders", ["Time (IST)", "Order", "Amount", "Status", "Receipt"], orders)}
<h2>Webhook events</h2>
<p class="soft">To ${html(events.url ?? "no address")}${events.active ? "" : ", turned off after 24 hours of failure"}</p>
${eventTable(parts)}
<details><summary>Addresses</summary><dl>${addresses}</dl></details>
<details><summary>Empty the sandbox</summary><p>Removes orders, payments, mail and messages, and turns every switch off.</p>
<form method="post" action="/console/reset"><button>Empty everything</button></form></details>`,
  );
}

function eventTable(parts: Parts, orderId?: string): string {
  const shown = parts.events.sent.filter((event) => !orderId || event.body.includes(orderId));
  const back = orderId ? `/console/orders/${orderId}` : "/";
  const rows = latest(shown).map((event) => {
    const deliveries = parts.courier.of(event.id);
    const states = deliveries
      .map(({ state, attempts }) => {
        const codes = attempts.map(({ status, error }) => status ?? error).join(", ");
        const tone = state === "delivered" ? "good" : "bad";
        return `<span class="${tone}">${state}</span> ${html(codes)}`;
      })
      .join("<br>");
    return [
      time(event.createdAt),
      `<code>${html(event.event)}</code>`,
      event.unsent ? `<span class="bad">not sent: ${event.unsent}</span>` : states,
      act("Send again", `events/${event.id}/resend`, back),
    ];
  });
  return table("Webhook events", ["Time (IST)", "Event", "Deliveries", "Action"], rows);
}

export function mailPage(mail: Mail): string {
  const files = mail.attachments
    .map(
      (file, index) =>
        `<li><a href="/__sandbox/mails/${mail.n}/attachments/${index}">${html(file.filename ?? "attachment")}</a> <span class="soft">${html(file.contentType)}, ${file.size} bytes</span></li>`,
    )
    .join("");
  return shell(
    mail.subject || "(no subject)",
    `<dl><dt>From</dt><dd>${html(mail.from)}</dd><dt>To</dt><dd>${html(mail.envelope.to.join(", "))}</dd><dt>Time</dt><dd>${time(mail.at)}</dd></dl>
${files ? `<h2>Attachments</h2><ul>${files}</ul>` : ""}
${mail.html ? `<h2>HTML</h2><iframe class="mail" sandbox title="Mail as HTML" src="/__sandbox/mails/${mail.n}/html"></iframe>` : ""}
<h2>Text</h2><pre>${html(mail.text)}</pre>
<p><a href="/__sandbox/mails/${mail.n}/raw">Source</a></p>`,
  );
}

function refundRow(refund: Refund, back: string): string[] {
  const open = refund.status === "pending";
  return [
    `<code>${refund.id}</code>`,
    rupees(refund.amount),
    refund.status,
    open
      ? `${act("Process", `refunds/${refund.id}/process`, back)}${act("Fail", `refunds/${refund.id}/fail`, back)}`
      : "",
  ];
}

function paymentCard(parts: Parts, payment: Payment, back: string): string {
  const refunds = [...parts.ledger.refunds.values()].filter(
    ({ payment_id }) => payment_id === payment.id,
  );
  const open = payment.status === "created" || payment.status === "failed";
  const path = `payments/${payment.id}`;
  const buttons = [
    open ? act("Authorise", `${path}/authorize`, back) : "",
    open ? act("Fail", `${path}/fail`, back) : "",
    payment.status === "authorized" ? act("Capture", `${path}/capture`, back) : "",
    payment.status === "captured" ? act("Refund what is left", `${path}/refund`, back) : "",
    payment.captured ? act("Open a dispute", `${path}/dispute`, back) : "",
  ].join("");
  return `<section class="card"><p><code>${payment.id}</code> <strong>${payment.status}</strong> ${rupees(payment.amount)} ${payment.method}
${payment.error_reason ? `<span class="bad">${html(payment.error_reason)}</span>` : ""}</p>
<div class="row">${buttons}</div>
${
  refunds.length > 0
    ? table(
        "Refunds",
        ["Refund", "Amount", "Status", "Action"],
        refunds.map((refund) => refundRow(refund, back)),
      )
    : ""
}</section>`;
}

export function orderPage(parts: Parts, order: Order): string {
  const back = `/console/orders/${order.id}`;
  const payments = parts.ledger.paymentsOf(order.id);
  const path = `orders/${order.id}/pay`;
  const pay = (label: string, outcome: string) => act(label, path, back, { outcome });
  return shell(
    `Order of ${rupees(order.amount)}`,
    `<dl><dt>Id</dt><dd><code>${order.id}</code></dd><dt>Status</dt><dd>${order.status}</dd><dt>Receipt</dt><dd>${html(order.receipt ?? "")}</dd><dt>Notes</dt><dd>${html(JSON.stringify(order.notes))}</dd></dl>
<h2>Payments</h2>
${payments.map((payment) => paymentCard(parts, payment, back)).join("") || `<p class="soft">None yet.</p>`}
<h2>A customer pays elsewhere</h2>
<p class="soft">As if paid in another app: only webhooks tell the shop.</p>
<div class="row">${pay("Captured", "captured")}${pay("Authorised", "authorized")}${pay("Failed", "failed")}${pay("Late", "late")}${act("Captured once more", path, back, { outcome: "captured", force: "true" })}</div>
<h2>Webhook events</h2>
${eventTable(parts, order.id)}`,
  );
}

export function messagesPage(sink: WhatsAppSink): string {
  const rows = latest(sink.messages).map((message) => {
    const { template } = message;
    const words = template
      ? `<code>${html(template.name)}</code> (${html(template.language)})<br>${template.body.map(html).join(" · ")}${template.buttons.length > 0 ? `<br>Button: ${template.buttons.map(html).join(", ")}` : ""}`
      : html(message.text);
    const status = (state: string) =>
      act(state, `whatsapp/${encodeURIComponent(message.id)}/status`, "/console/whatsapp", {
        status: state,
      });
    return [
      time(message.at),
      html(message.to),
      words,
      message.state,
      `<div class="row">${["sent", "delivered", "read", "failed"].map(status).join("")}</div>`,
    ];
  });
  const incoming = latest(sink.incoming).map(({ at, from, text }) => [
    time(at),
    html(from),
    html(text),
  ]);
  return shell(
    "WhatsApp",
    `${table("Messages", ["Time (IST)", "To", "Message", "State", "Send state"], rows)}
<h2>Incoming</h2>
${table("Incoming", ["Time (IST)", "From", "Text"], incoming)}
<form method="post" action="/console/do" class="row card">
<input type="hidden" name="path" value="whatsapp/incoming"><input type="hidden" name="back" value="/console/whatsapp">
<label>From <input name="from" value="+919876543210" required></label>
<label>Text <input name="text" value="STOP" required></label>
<button>A customer writes</button></form>`,
  );
}

export function switchesPage(switches: Switches): string {
  const live = new Map(switches.list().map((setting) => [setting.name, setting]));
  const groups = new Map<SwitchGroup, string[]>();
  for (const name of Object.keys(SWITCH_CATALOGUE) as SwitchName[]) {
    const meaning = SWITCH_CATALOGUE[name];
    const on = live.get(name);
    const words = on
      ? `On${on.count === undefined ? "" : `, next ${on.count}`}${on.probability === undefined ? "" : `, probability ${on.probability}`}${on.value === undefined ? "" : `, value ${html(on.value)}`}${on.match ? `, matching ${html(on.match)}` : ""}`
      : "";
    const value =
      meaning.value === undefined
        ? ""
        : `<label>Value${meaning.unit ? ` (${html(meaning.unit)})` : ""} <input name="value" placeholder="${html(meaning.value)}"></label>`;
    const form = on
      ? `<button name="set" value="off" aria-label="Turn off ${name}">Turn off</button>`
      : `<label>Next N <input name="count" inputmode="numeric"></label>${value}<label>Matching <input name="match"></label><label>Probability <input name="probability" inputmode="decimal"></label><button name="set" value="on" aria-label="Turn on ${name}">Turn on</button>`;
    const card = `<section class="card"><p><code>${name}</code>: ${html(meaning.effect)} ${words ? `<strong class="bad">${words}</strong>` : ""}</p>
<form method="post" action="/console/switch" class="row"><input type="hidden" name="name" value="${name}"><input type="hidden" name="back" value="/console/switches">${form}</form></section>`;
    groups.set(meaning.group, [...(groups.get(meaning.group) ?? []), card]);
  }
  const sections = [...groups]
    .map(([group, cards]) => `<h2>${group}</h2>${cards.join("")}`)
    .join("");
  return shell(
    "Switches",
    `<form method="post" action="/console/clear-switches"><input type="hidden" name="back" value="/console/switches"><button class="main">Turn all off</button></form>${sections}`,
  );
}
