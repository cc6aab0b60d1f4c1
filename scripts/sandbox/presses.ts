/** The hand on the outside world: calls under /__sandbox/, which the console's buttons make too. */
import {
  type Answer,
  type Call,
  type Fields,
  fieldsOf,
  HttpError,
  json,
  numberOf,
  page,
  type Reply,
  redirect,
  refuseForeign,
  textOf,
  typed,
} from "./http.ts";
import { noticePage } from "./markup.ts";
import type { Parts } from "./parts.ts";
import type { Dispute } from "./razorpay/entities.ts";
import type { Outcome } from "./razorpay/payer.ts";
import type { SwitchName } from "./switches.ts";

const OUTCOMES: Outcome[] = ["captured", "authorized", "failed", "late", "created"];

type Look = (parts: Parts, query: URLSearchParams) => unknown;

const LOOKS: Record<string, Look> = {
  health: ({ addresses }) => ({ status: "ok", ...addresses }),
  mails: ({ mailbox }, query) => ({
    mails: mailbox.list({ to: query.get("to") ?? "", subject: query.get("subject") ?? "" }),
  }),
  whatsapp: ({ whatsapp: { messages } }) => ({ messages }),
};

type Press = (parts: Parts, fields: Fields, id: string) => unknown;

/** By area and verb; between them in the address stands an id, where there is one. */
const PRESSES: Record<string, Press> = {
  reset: ({ reset }) => reset(),
  "clock/advance": ({ clock }, fields) => clock.advance(numberOf(fields, "seconds") ?? 0),
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
  "payments/authorize": ({ ledger }, _, id) => ledger.authorize(ledger.requirePayment(id)),
  "payments/capture": ({ ledger }, _, id) => {
    const payment = ledger.requirePayment(id);
    return ledger.capture(payment, payment.amount);
  },
  "payments/fail": ({ ledger }, _, id) => ledger.fail(ledger.requirePayment(id)),
  "payments/refund": ({ ledger, desk }, fields, id) =>
    desk.create(ledger.requirePayment(id), { amount: numberOf(fields, "amount") }),
  "payments/dispute": ({ ledger, desk }, _, id) => desk.openDispute(ledger.requirePayment(id)),
  "disputes/move": ({ ledger, desk }, fields, id) =>
    desk.moveDispute(ledger.requireDispute(id), {
      phase: textOf(fields, "phase") as Dispute["phase"],
      status: textOf(fields, "status") as Dispute["status"],
      amount_deducted: numberOf(fields, "deducted"),
    }),
  "refunds/process": ({ ledger, desk }, _, id) => desk.process(ledger.requireRefund(id)),
  "refunds/fail": ({ ledger, desk }, _, id) => desk.fail(ledger.requireRefund(id)),
  "events/resend": ({ events }, _, id) => events.resend(id),
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

/** undefined: not an address of the sandbox's own. */
export async function answerPress(parts: Parts, call: Call): Promise<Answer | undefined> {
  if (!call.path.startsWith("/__sandbox/")) return undefined;
  const [area = "", ...rest] = call.path.slice("/__sandbox/".length).split("/");
  if (call.method === "GET") {
    if (area === "mails" && rest.length > 0) return mailPart(parts, rest);
    return json(LOOKS[area]?.(parts, call.query) ?? notHere());
  }
  refuseForeign(call);
  const verb = rest.at(-1);
  const press = PRESSES[verb ? `${area}/${verb}` : area] ?? notHere();
  const fields = fieldsOf(call);
  const back = textOf(fields, "back");
  try {
    const done = await press(parts, fields, decodeURIComponent(rest[0] ?? ""));
    await parts.mailbox.settled();
    return back && /^\/(?!\/)/.test(back) ? redirect(back) : json(done ?? {});
  } catch (error) {
    if (!back || !(error instanceof HttpError)) throw error;
    return page(noticePage("Not possible", error.message), 400);
  }
}

function notHere(): never {
  throw new HttpError(404, "no such address");
}

/** `{n}/raw`, `{n}/html` or `{n}/attachments/{i}`, each without rights in a browser. */
function mailPart({ mailbox }: Parts, [n, part, index]: string[]): Reply {
  const { mail, raw, files } = mailbox.find(Number(n)) ?? notHere();
  const file = mail.attachments[Number(index)];
  let reply = part ? typed("message/rfc822", raw) : json(mail);
  if (part === "html") reply = typed("text/html; charset=utf-8", mail.html ?? "");
  if (part === "attachments" && file) {
    reply = typed(file.contentType.replace(/[\r\n]/g, ""), files[Number(index)] ?? notHere());
    const name = encodeURIComponent(file.filename ?? "attachment");
    reply.headers["Content-Disposition"] = `attachment; filename*=UTF-8''${name}`;
  }
  reply.headers["Content-Security-Policy"] =
    "sandbox; default-src 'none'; style-src 'unsafe-inline'; img-src data:";
  return reply;
}
