import { randomBytes } from "node:crypto";
import type { Clock } from "./clock.ts";
import type { Courier } from "./courier.ts";
import {
  type Answer,
  type Call,
  type Fields,
  fieldsOf,
  HttpError,
  isRecord,
  json,
} from "./http.ts";
import { metaSignature, newId } from "./signature.ts";
import { amountOf, type Switches } from "./switches.ts";
import { MetaRefusal, magicCode, titleOf } from "./whatsapp-errors.ts";
import { type KnownTemplate, type ReadTemplate, readTemplate } from "./whatsapp-template.ts";

export type MessageState = "accepted" | "sent" | "delivered" | "read" | "failed";

export interface WhatsAppMessage {
  id: string;
  to: string;
  type: "template" | "text";
  template?: ReadTemplate;
  text?: string;
  opaque?: string;
  version: string;
  at: number;
  state: MessageState;
  states: { state: MessageState; at: number; code?: number }[];
}

export interface IncomingMessage {
  id: string;
  from: string;
  text: string;
  at: number;
}

export interface WhatsAppSettings {
  phoneNumberId: string;
  token: string;
  appSecret: string;
  verifyToken: string;
  webhookUrl: string | undefined;
  auto: "none" | "sent" | "delivered" | "read";
}

const DAY = 24 * 3600 * 1000;
const STEP = 300;
const STEPS: MessageState[] = ["sent", "delivered", "read"];

/** Meta's messages call, its delivery states and incoming messages. */
export class WhatsAppSink {
  readonly messages: WhatsAppMessage[] = [];
  readonly incoming: IncomingMessage[] = [];
  readonly templates = new Map<string, KnownTemplate>();
  readonly #settings: WhatsAppSettings;
  readonly #clock: Clock;
  readonly #courier: Courier;
  readonly #switches: Switches;
  onChange: () => void = () => {};

  constructor(settings: WhatsAppSettings, clock: Clock, courier: Courier, switches: Switches) {
    this.#settings = settings;
    this.#clock = clock;
    this.#courier = courier;
    this.#switches = switches;
  }

  setUrl(url: string | undefined): void {
    this.#settings.webhookUrl = url;
  }

  get url(): string | undefined {
    return this.#settings.webhookUrl;
  }

  /** undefined: not an address of this API. */
  async answer(call: Call): Promise<Answer | undefined> {
    const match = /^\/(v\d+\.\d+)\/([^/]+)(\/messages)?$/.exec(call.path);
    if (!match || call.method !== (match[3] ? "POST" : "GET")) return undefined;
    const [, version = "", phoneNumberId = "", isSend] = match;
    try {
      if (call.headers.authorization !== `Bearer ${this.#settings.token}`) {
        throw new MetaRefusal(190, "Invalid OAuth access token");
      }
      if (phoneNumberId !== this.#settings.phoneNumberId) {
        throw new MetaRefusal(100, `Object with ID '${phoneNumberId}' does not exist`);
      }
      if (!isSend) return json(phoneNumberFacts(phoneNumberId));
      return this.#accept(fieldsOf(call), version);
    } catch (error) {
      if (error instanceof HttpError) return json(new MetaRefusal(100, error.message).body(), 400);
      if (!(error instanceof MetaRefusal)) throw error;
      return json(error.body(), error.status);
    }
  }

  /** Sends a delivery state; an unknown id is ignored by returning false. */
  emit(id: string, state: MessageState, code?: number): boolean {
    const message = this.messages.find((known) => known.id === id);
    if (!message || state === "accepted") return false;
    message.state = state;
    message.states.push({ state, at: Date.now(), ...(code === undefined ? {} : { code }) });
    this.onChange();
    if (this.#switches.take("whatsapp_no_status", message.to)) return true;
    const value = { statuses: [this.#status(message, state, code)] };
    this.#post(message.id, value);
    if (this.#switches.take("whatsapp_duplicate_status", message.to)) this.#post(message.id, value);
    return true;
  }

  /** A customer writes. */
  receive(from: string, text: string): IncomingMessage {
    const number = from.replace(/\D/g, "");
    const message = { id: newWamid(), from: number, text, at: Date.now() };
    this.incoming.push(message);
    this.onChange();
    this.#post(message.id, {
      contacts: [{ profile: { name: "Sandbox customer" }, wa_id: number }],
      messages: [
        {
          from: number,
          id: message.id,
          timestamp: String(this.#clock.seconds()),
          type: "text",
          text: { body: text },
        },
      ],
    });
    return message;
  }

  /** Meta's challenge, as it is made when a webhook address is set up. */
  async verify(): Promise<{ status: number; body: string; ok: boolean }> {
    if (!this.url) throw new HttpError(400, "no WhatsApp webhook address is set");
    const challenge = String(Math.floor(Math.random() * 1e9));
    const url = new URL(this.url);
    url.searchParams.set("hub.mode", "subscribe");
    url.searchParams.set("hub.verify_token", this.#settings.verifyToken);
    url.searchParams.set("hub.challenge", challenge);
    const response = await fetch(url, { signal: AbortSignal.timeout(5000) });
    const body = (await response.text()).slice(0, 1000);
    return { status: response.status, body, ok: response.ok && body === challenge };
  }

  restore(messages: WhatsAppMessage[], incoming: IncomingMessage[]): void {
    this.messages.push(...messages);
    this.incoming.push(...incoming);
  }

  clear(): void {
    this.messages.length = 0;
    this.incoming.length = 0;
    this.onChange();
  }

  #accept(fields: Fields, version: string): Answer {
    const to = readRecipient(fields);
    const page = this.#switches.take("whatsapp_html_error", to);
    if (page) {
      const status = amountOf(page);
      return {
        status,
        headers: { "Content-Type": "text/html" },
        body: `<html><body><h1>${status}</h1></body></html>`,
      };
    }
    const hang = this.#switches.take("whatsapp_hang", to);
    if (hang) return { cutAfterSeconds: amountOf(hang) };
    const forced = this.#switches.take("whatsapp_error", to);
    if (forced) throw new MetaRefusal(amountOf(forced));
    const magic = magicCode(to);
    if (magic?.when === "call") throw new MetaRefusal(magic.code);
    const message = this.#read(fields, to, version);
    this.messages.push(message);
    this.onChange();
    const fails = this.#switches.take("whatsapp_status_failed", to);
    this.#progress(message, fails ? amountOf(fails) : magic?.code);
    if (this.#switches.take("whatsapp_answer_lost", to)) return { cutAfterSeconds: 0 };
    return json({
      messaging_product: "whatsapp",
      contacts: [{ input: to, wa_id: to.replace(/\D/g, "") }],
      messages: [{ id: message.id, message_status: "accepted" }],
    });
  }

  #read(fields: Fields, to: string, version: string): WhatsAppMessage {
    const opaque = fields.biz_opaque_callback_data;
    const base = {
      id: newWamid(),
      to,
      version,
      at: Date.now(),
      state: "accepted" as const,
      states: [],
      ...(typeof opaque === "string" ? { opaque } : {}),
    };
    if (fields.type === "template") {
      return {
        ...base,
        type: "template",
        template: readTemplate(fields.template, this.templates),
      };
    }
    const text = isRecord(fields.text) ? fields.text.body : undefined;
    if ((fields.type ?? "text") !== "text" || typeof text !== "string" || text === "") {
      throw new MetaRefusal(100, "type must be template or text, with its object");
    }
    const number = to.replace(/\D/g, "");
    const open = this.incoming.some(({ from, at }) => from === number && Date.now() - at < DAY);
    if (!open) {
      throw new MetaRefusal(131047, "More than 24 hours have passed since the customer wrote");
    }
    return { ...base, type: "text", text };
  }

  #progress(message: WhatsAppMessage, failureCode: number | undefined): void {
    if (failureCode !== undefined) {
      this.#clock.after(STEP, () => this.emit(message.id, "failed", failureCode));
      return;
    }
    const last = STEPS.indexOf(this.#settings.auto as MessageState);
    STEPS.slice(0, last + 1).forEach((state, index) => {
      this.#clock.after(STEP * (index + 1), () => {
        if (message.state !== "failed") this.emit(message.id, state);
      });
    });
  }

  #status(message: WhatsAppMessage, state: MessageState, code: number | undefined): Fields {
    return {
      id: message.id,
      status: state,
      timestamp: String(this.#clock.seconds()),
      recipient_id: message.to.replace(/\D/g, ""),
      ...(message.opaque === undefined ? {} : { biz_opaque_callback_data: message.opaque }),
      ...(state === "failed" ? { errors: [statusError(code ?? 131000)] } : {}),
      ...(state === "sent"
        ? {
            pricing: {
              billable: true,
              pricing_model: "PMP",
              type: "regular",
              category: "utility",
            },
          }
        : {}),
    };
  }

  #post(id: string, part: Fields): void {
    if (!this.url) return;
    const body = metaJson({
      object: "whatsapp_business_account",
      entry: [
        {
          id: "100000000000002",
          changes: [
            {
              field: "messages",
              value: {
                messaging_product: "whatsapp",
                metadata: {
                  display_phone_number: "919999900000",
                  phone_number_id: this.#settings.phoneNumberId,
                },
                ...part,
              },
            },
          ],
        },
      ],
    });
    const bytes = Buffer.from(body, "utf8");
    const headers = {
      "Content-Type": "application/json",
      "User-Agent": "facebookexternalua",
      "X-Hub-Signature-256": metaSignature(this.#settings.appSecret, bytes),
    };
    void this.#courier.track(this.#courier.post(id, this.url, headers, bytes));
  }
}

function readRecipient(fields: Fields): string {
  if (fields.messaging_product !== "whatsapp") {
    throw new MetaRefusal(100, "messaging_product must be whatsapp");
  }
  const to = fields.to;
  if (typeof to !== "string" || to === "") throw new MetaRefusal(131008, "to is required");
  const number = to.replace(/[\s()-]/g, "");
  if (!/^\+?\d{7,15}$/.test(number)) throw new MetaRefusal(131009, "to is not a phone number");
  return to;
}

function statusError(code: number) {
  return {
    code,
    title: titleOf(code),
    message: titleOf(code),
    error_data: { details: titleOf(code) },
    href: "/docs/whatsapp/cloud-api/support/error-codes/",
  };
}

/** Meta escapes slashes and non-ASCII characters. */
function metaJson(value: unknown): string {
  return JSON.stringify(value)
    .replaceAll("/", "\\/")
    .replace(/[^\0-~]/g, (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, "0")}`);
}

function newWamid(): string {
  return `wamid.${randomBytes(24).toString("base64").replaceAll("=", "")}${newId("x").slice(2)}`;
}

/** What Meta says of a number whose token asks. */
function phoneNumberFacts(id: string) {
  return {
    id,
    verified_name: "Sandbox business",
    display_phone_number: "+91 90000 00000",
    code_verification_status: "VERIFIED",
    quality_rating: "GREEN",
  };
}
