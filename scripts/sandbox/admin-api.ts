import { answerMails } from "./admin-mail.ts";
import { ApiError } from "./api-error.ts";
import type { DisputeStatus, EventPayload, PaymentMethod } from "./entities.ts";
import {
  type Answer,
  type Call,
  type Fields,
  fieldsOf,
  HttpError,
  isRecord,
  json,
  numberOf,
  refuseForeign,
  textOf,
} from "./http.ts";
import type { Parts } from "./parts.ts";
import type { Outcome, PayWish } from "./payer.ts";
import { readNotes, readOrder } from "./razorpay-input.ts";
import { checkoutSignature, hmacHex } from "./signature.ts";
import { SWITCH_CATALOGUE, type SwitchName } from "./switch-catalogue.ts";
import { SwitchError, type SwitchSetting } from "./switches.ts";
import type { MessageState } from "./whatsapp.ts";
import type { KnownTemplate } from "./whatsapp-template.ts";

const OUTCOMES = new Set<Outcome>(["captured", "authorized", "failed", "late", "created"]);
const METHODS = new Set<PaymentMethod>(["card", "netbanking", "wallet", "upi"]);
const DISPUTES = new Set<DisputeStatus>([
  "under_review",
  "action_required",
  "won",
  "lost",
  "closed",
]);
const STATES = new Set<MessageState>(["sent", "delivered", "read", "failed"]);

/** The tests' hand on the outside world, under /__sandbox/. */
export class AdminApi {
  readonly #parts: Parts;

  constructor(parts: Parts) {
    this.#parts = parts;
  }

  /** undefined: not an address of this API. */
  async answer(call: Call): Promise<Answer | undefined> {
    if (!call.path.startsWith("/__sandbox/")) return undefined;
    refuseForeign(call);
    const path = pathParts(call.path);
    try {
      return (await this.#route(call, path)) ?? json({ error: "no such address" }, 404);
    } catch (error) {
      if (error instanceof ApiError) return error.reply();
      if (error instanceof SwitchError) return json({ error: error.message }, 400);
      throw error;
    }
  }

  async #route(call: Call, path: string[]): Promise<Answer | undefined> {
    const [area = "", id = "", verb = "", tail = ""] = path;
    const { method } = call;
    switch (area) {
      case "health":
        return json({ status: "ok", ...this.#parts.addresses() });
      case "state":
        return json(this.#state());
      case "requests":
        return json({ requests: this.#parts.requests });
      case "idle":
        return json({ idle: await this.#parts.courier.idle(timeoutOf(call)) });
      case "reset":
        if (method !== "POST") return undefined;
        this.#parts.reset();
        return json({});
      case "orders":
        return method === "POST" ? json(await this.#order(fieldsOf(call), id, verb)) : undefined;
      case "payments":
        return method === "POST" ? json(this.#payment(fieldsOf(call), id, verb)) : undefined;
      case "refunds":
        return method === "POST" ? json(this.#refund(id, verb)) : undefined;
      case "disputes":
        return method === "POST" ? json(this.#dispute(fieldsOf(call), id)) : undefined;
      case "events":
        return method === "GET" ? json(this.#events()) : this.#event(fieldsOf(call), id, verb);
      case "sign":
        return json(this.#sign(fieldsOf(call)));
      case "webhook-url":
        return json(this.#webhookUrl(fieldsOf(call)));
      case "clock":
        return json(this.#clock(fieldsOf(call)));
      case "seed":
        this.#parts.chance.seed(numberOf(fieldsOf(call), "seed") ?? 1);
        return json({});
      case "switches":
        return json(await this.#switches(call, id));
      case "mails":
        return answerMails(this.#parts.mailbox, call, id, verb, tail);
      case "whatsapp":
        return this.#whatsapp(call, id, verb);
      default:
        return undefined;
    }
  }

  #state() {
    const { ledger, clock, switches } = this.#parts;
    return {
      orders: [...ledger.orders.values()],
      payments: [...ledger.payments.values()],
      refunds: [...ledger.refunds.values()],
      disputes: [...ledger.disputes.values()],
      events: this.#events().events,
      clock: { scale: clock.scale, tick: clock.tick() },
      switches: switches.list(),
    };
  }

  async #order(fields: Fields, id: string, verb: string) {
    if (!id) {
      return this.#parts.ledger.createOrder(readOrder({ currency: "INR", ...fields }));
    }
    if (verb !== "pay") throw new HttpError(404, "no such address");
    const result = this.#parts.payer.pay(id, readWish(fields));
    await this.#parts.payer.webhooksFirst(id, fields.waitForWebhooks === true);
    return result;
  }

  #payment(fields: Fields, id: string, verb: string) {
    const { ledger, desk, events } = this.#parts;
    const payment = ledger.requirePayment(id);
    if (fields.webhooks === false) events.mute(id);
    switch (verb) {
      case "authorize":
        ledger.authorize(payment);
        return payment;
      case "capture":
        return ledger.capture(payment, payment.amount);
      case "fail":
        ledger.fail(payment, textOf(fields, "reason"));
        return payment;
      case "refund": {
        const amount = numberOf(fields, "amount");
        const speed = textOf(fields, "speed") === "optimum" ? "optimum" : "normal";
        const wish = { speed, notes: readNotes(fields) } as const;
        return desk.create(payment, amount === undefined ? wish : { ...wish, amount });
      }
      case "dispute":
        return desk.openDispute(payment, textOf(fields, "reason"));
      default:
        throw new HttpError(404, "no such address");
    }
  }

  #refund(id: string, verb: string) {
    const refund = this.#parts.ledger.requireRefund(id);
    if (verb === "process") this.#parts.desk.process(refund);
    else if (verb === "fail") this.#parts.desk.fail(refund);
    else throw new HttpError(404, "no such address");
    return refund;
  }

  #dispute(fields: Fields, id: string) {
    const dispute = this.#parts.ledger.disputes.get(id);
    const status = textOf(fields, "status") as DisputeStatus;
    if (!dispute) throw new HttpError(404, "no such dispute");
    if (!DISPUTES.has(status)) throw new HttpError(400, "status is not known");
    this.#parts.desk.moveDispute(dispute, status);
    return dispute;
  }

  #events() {
    const { events, courier } = this.#parts;
    return {
      active: events.active,
      url: events.url ?? null,
      events: events.sent.map((event) => ({
        ...event,
        deliveries: courier.of(event.id).map(({ bodyBase64: _, ...delivery }) => delivery),
      })),
    };
  }

  async #event(fields: Fields, id: string, verb: string): Promise<Answer> {
    const { events, ledger } = this.#parts;
    if (id) {
      if (verb !== "resend" || !events.sent.some((event) => event.id === id)) {
        throw new HttpError(404, "no such event");
      }
      await events.resend(id, fields.newId === true || fields.newId === "true");
      return json({});
    }
    const name = textOf(fields, "event");
    if (!name) throw new HttpError(400, "event is required");
    const payload: EventPayload = {};
    const refundId = textOf(fields, "refundId");
    if (refundId) payload.refund = ledger.requireRefund(refundId);
    const paymentId = textOf(fields, "paymentId") ?? payload.refund?.payment_id;
    if (paymentId) payload.payment = ledger.requirePayment(paymentId);
    const orderId = textOf(fields, "orderId");
    if (orderId) payload.order = ledger.requireOrder(orderId);
    await events.publish([structuredClone({ event: name, payload })]);
    return json({ id: events.sent.at(-1)?.id });
  }

  #sign(fields: Fields) {
    const { credentials } = this.#parts;
    const body = textOf(fields, "body");
    if (body !== undefined) {
      return { signature: hmacHex(textOf(fields, "secret") ?? credentials.webhookSecret, body) };
    }
    const orderId = textOf(fields, "orderId");
    const paymentId = textOf(fields, "paymentId");
    if (!orderId || !paymentId) throw new HttpError(400, "orderId and paymentId, or body");
    const secret = textOf(fields, "secret") ?? credentials.keySecret;
    return { signature: checkoutSignature(secret, orderId, paymentId) };
  }

  #webhookUrl(fields: Fields) {
    const { events, whatsapp } = this.#parts;
    const address = (name: string) => {
      const url = textOf(fields, name);
      if (url && !URL.canParse(url)) throw new HttpError(400, `${name} is not an address`);
      return url || undefined;
    };
    if ("razorpay" in fields) events.setUrl(address("razorpay"));
    if ("whatsapp" in fields) whatsapp.setUrl(address("whatsapp"));
    return { razorpay: events.url ?? null, whatsapp: whatsapp.url ?? null };
  }

  #clock(fields: Fields) {
    const { clock } = this.#parts;
    const scale = numberOf(fields, "scale");
    const advance = numberOf(fields, "advanceSeconds");
    if (scale !== undefined && !(scale > 0)) throw new HttpError(400, "scale must be above 0");
    if (scale !== undefined) clock.setScale(scale);
    if (advance !== undefined && advance > 0) clock.advance(advance);
    return { scale: clock.scale, tick: clock.tick() };
  }

  async #switches(call: Call, name: string) {
    const { switches, mailbox } = this.#parts;
    if (call.method === "POST") {
      for (const setting of readSettings(call)) switches.set(setting);
    } else if (call.method === "DELETE") {
      switches.clear(name ? (name as SwitchName) : undefined);
    }
    await mailbox.settled();
    if (call.method !== "GET") return { switches: switches.list() };
    return { switches: switches.list(), catalogue: SWITCH_CATALOGUE };
  }

  async #whatsapp(call: Call, id: string, verb: string): Promise<Answer | undefined> {
    const { whatsapp } = this.#parts;
    const to = (call.query.get("to") ?? "").replace(/\D/g, "");
    if (!id && call.method === "DELETE") whatsapp.clear();
    if (!id) {
      const messages = whatsapp.messages.filter(
        (message) => !to || message.to.replace(/\D/g, "") === to,
      );
      return json({ messages, incoming: whatsapp.incoming });
    }
    const fields = fieldsOf(call);
    if (id === "verify" && call.method === "POST") return json(await whatsapp.verify());
    if (id === "templates" && call.method === "PUT") {
      whatsapp.templates.clear();
      for (const [name, value] of Object.entries(fields)) {
        whatsapp.templates.set(name, readKnownTemplate(name, value));
      }
      return json({ templates: [...whatsapp.templates.keys()] });
    }
    if (id === "incoming" && call.method === "POST") {
      const from = textOf(fields, "from");
      const words = textOf(fields, "text");
      if (!from || words === undefined) throw new HttpError(400, "from and text are required");
      return json(whatsapp.receive(from, words));
    }
    if (verb !== "status" || call.method !== "POST") return undefined;
    const status = textOf(fields, "status") as MessageState;
    if (!STATES.has(status)) throw new HttpError(400, "status is not known");
    if (!whatsapp.emit(id, status, numberOf(fields, "code"))) return undefined;
    return json({});
  }
}

function pathParts(path: string): string[] {
  try {
    return path.slice("/__sandbox/".length).split("/").map(decodeURIComponent);
  } catch {
    throw new HttpError(400, "malformed address");
  }
}

function timeoutOf(call: Call): number {
  return Number(call.query.get("timeoutMs") ?? 10_000);
}

function readWish(fields: Fields): PayWish {
  const outcome = (textOf(fields, "outcome") ?? "captured") as Outcome;
  const method = (textOf(fields, "method") ?? "upi") as PaymentMethod;
  if (!OUTCOMES.has(outcome)) throw new HttpError(400, "outcome is not known");
  if (!METHODS.has(method)) throw new HttpError(400, "method is not known");
  const wish: PayWish = { outcome, method };
  for (const name of ["amount", "afterSeconds", "elapsedMinutes"] as const) {
    const value = numberOf(fields, name);
    if (value !== undefined) wish[name] = value;
  }
  for (const name of ["reason", "email", "contact", "cardNumber", "vpa"] as const) {
    const value = textOf(fields, name);
    if (value) wish[name] = value;
  }
  if (fields.webhooks === false || fields.webhooks === "false") wish.webhooks = false;
  if (fields.force === true || fields.force === "true") wish.force = true;
  return wish;
}

function readSettings(call: Call): SwitchSetting[] {
  let value: unknown;
  try {
    value = JSON.parse(call.body.toString("utf8"));
  } catch {
    throw new HttpError(400, "The request body is not valid JSON");
  }
  const list = Array.isArray(value) ? value : [value];
  if (!list.every(isRecord)) throw new HttpError(400, "a switch is an object");
  return list as unknown as SwitchSetting[];
}

function readKnownTemplate(name: string, value: unknown): KnownTemplate {
  const fields = isRecord(value) ? value : {};
  const { languages } = fields;
  const body = numberOf(fields, "body");
  if (!Array.isArray(languages) || body === undefined) {
    throw new HttpError(400, `${name}: languages and body are required`);
  }
  return {
    languages: languages.map(String),
    body,
    header: numberOf(fields, "header") ?? 0,
    buttons: numberOf(fields, "buttons") ?? 0,
  };
}
