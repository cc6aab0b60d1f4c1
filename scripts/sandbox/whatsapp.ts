/** Meta's messages call and the delivery states that follow it. */
import { createHmac } from "node:crypto";
import { z } from "zod";
import type { Clock } from "./clock.ts";
import type { Courier } from "./courier.ts";
import type { Credentials } from "./credentials.ts";
import {
  type Answer,
  type Call,
  errorPage,
  type Fields,
  fieldsOf,
  HttpError,
  json,
  type Reply,
} from "./http.ts";
import { newToken } from "./random.ts";
import { escaped } from "./razorpay/webhooks.ts";
import type { Switches } from "./switches.ts";

const STATES = ["sent", "delivered", "read", "failed"] as const;

type MessageState = (typeof STATES)[number];

interface WhatsAppMessage extends ReturnType<typeof readMessage> {
  id: string;
  at: number;
  state: "accepted" | MessageState;
}

interface Account extends Credentials {
  whatsappWebhookUrl: string | undefined;
  whatsappAuto: "none" | "sent" | "delivered" | "read";
}

const STEP = 300;
const LONGEST_BODY = 1024;

export function makeWhatsApp(account: Account, clock: Clock, courier: Courier, switches: Switches) {
  const { whatsappPhoneNumberId: ownNumber, whatsappWebhookUrl: url } = account;
  const messages: WhatsAppMessage[] = [];

  function accept(fields: Fields): Answer {
    const message = readMessage(fields);
    const { to } = message;
    const page = switches.amount("whatsapp_html_error", to);
    if (page !== undefined) return errorPage(page);
    const hang = switches.amount("whatsapp_hang", to);
    if (hang !== undefined) return { cutAfterSeconds: hang };
    const refusal = switches.amount("whatsapp_error", to);
    if (refusal !== undefined) throw new MetaRefusal(refusal);
    const id = `wamid.${newToken()}${newToken()}${newToken()}`;
    messages.push({ ...message, id, at: Date.now(), state: "accepted" });
    progress(id, switches.amount("whatsapp_status_failed", to));
    if (switches.take("whatsapp_answer_lost", to)) return { cutAfterSeconds: 0 };
    return json({
      messaging_product: "whatsapp",
      contacts: [{ input: to, wa_id: to.replace(/\D/g, "") }],
      messages: [{ id, message_status: "accepted" }],
    });
  }

  function progress(id: string, failureCode: number | undefined): void {
    const auto = account.whatsappAuto;
    const reached = auto === "none" ? [] : STATES.slice(0, STATES.indexOf(auto) + 1);
    const states = failureCode === undefined ? reached : ["failed"];
    for (const [index, state] of states.entries()) {
      clock.after(STEP * (index + 1), () => emit(id, state, failureCode));
    }
  }

  /** Sends a delivery state of a known message. */
  function emit(id: string, wanted: string, code?: number): void {
    const message = messages.find((known) => known.id === id);
    const state = STATES.find((known) => known === wanted);
    if (!message || !state) throw new HttpError(404, "no such message or state");
    message.state = state;
    if (switches.take("whatsapp_no_status", message.to)) return;
    const status = statusOf(message, state, String(clock.seconds()), code);
    post(id, status);
    if (switches.take("whatsapp_duplicate_status", message.to)) post(id, status);
  }

  function post(about: string, status: object): void {
    if (!url) return;
    const metadata = { display_phone_number: "919999900000", phone_number_id: ownNumber };
    const value = { messaging_product: "whatsapp", metadata, statuses: [status] };
    const entry = [{ id: "100000000000002", changes: [{ field: "messages", value }] }];
    const update = { object: "whatsapp_business_account", entry };
    const body = Buffer.from(escaped(JSON.stringify(update), true));
    const headers = {
      "Content-Type": "application/json",
      "User-Agent": "facebookexternalua",
      "X-Hub-Signature-256": `sha256=${createHmac("sha256", account.whatsappAppSecret).update(body).digest("hex")}`,
    };
    void courier.post({ about, url, headers, body });
  }

  /** undefined: not an address of this API. */
  function answer(call: Call): Answer | undefined {
    const [, number, isSend] = /^\/v\d+\.\d+\/([^/]+)(\/messages)?$/.exec(call.path) ?? [];
    if (!number || call.method !== (isSend ? "POST" : "GET")) return undefined;
    const wrongToken = call.headers.authorization !== `Bearer ${account.whatsappToken}`;
    refuseIf(wrongToken, 190, "Invalid OAuth access token");
    refuseIf(number !== ownNumber, 100, `Object with ID '${number}' does not exist`);
    if (isSend) return accept(fieldsOf(call));
    const facts = { verified_name: "Sandbox business", quality_rating: "GREEN" };
    return json({ id: number, display_phone_number: "+91 90000 00000", ...facts });
  }

  return { messages, answer, emit };
}

function statusOf(
  { id, to, opaque }: WhatsAppMessage,
  status: MessageState,
  timestamp: string,
  code = 131000,
) {
  const title = `Error ${code}`;
  const errors = [{ code, title, message: title, error_data: { details: title } }];
  const pricing = { billable: true, pricing_model: "PMP", type: "regular", category: "utility" };
  return {
    id,
    status,
    timestamp,
    recipient_id: to.replace(/\D/g, ""),
    biz_opaque_callback_data: opaque,
    ...(status === "sent" ? { pricing } : {}),
    ...(status === "failed" ? { errors } : {}),
  };
}

/** Only templates: what else a business may send needs a customer who wrote within a day. */
const messageInput = z.object({
  messaging_product: z.literal("whatsapp"),
  to: z.string().regex(/^\+?\d{7,15}$/),
  type: z.literal("template"),
  biz_opaque_callback_data: z.string().optional(),
  template: z.object({
    name: z.string().regex(/^[a-z0-9_]{1,512}$/),
    language: z.object({ code: z.string().min(1) }),
    components: z.array(
      z.object({
        type: z.literal("body"),
        parameters: z.array(z.object({ type: z.literal("text"), text: z.string().min(1) })),
      }),
    ),
  }),
});

function readMessage(fields: Fields) {
  const { success, data, error } = messageInput.safeParse(fields);
  if (!success) throw new MetaRefusal(100, z.prettifyError(error));
  const { name, language, components } = data.template;
  const body = components.flatMap(({ parameters }) => parameters.map(({ text }) => text));
  const words = "Param text cannot have new-line/tab characters or more than 4 consecutive spaces";
  refuseIf(/[\n\r\t]| {5,}/.test(body.join("")), 132018, words);
  refuseIf(body.join("").length > LONGEST_BODY, 132005);
  const template = { name, language: language.code, body };
  return { to: data.to, opaque: data.biz_opaque_callback_data, template };
}

/** HTTP statuses of Meta's error codes; all others come with 400. */
const STATUSES: Record<number, number> = { 190: 401, 131000: 500, 131016: 500, 132001: 404 };

class MetaRefusal extends HttpError {
  readonly #code: number;

  constructor(code: number, details = `Error ${code}`) {
    super(STATUSES[code] ?? 400, details);
    this.#code = code;
  }

  override reply(): Reply {
    const error = {
      message: `(#${this.#code}) ${this.message}`,
      type: "OAuthException",
      code: this.#code,
      error_data: { messaging_product: "whatsapp", details: this.message },
      fbtrace_id: "SandboxTrace",
    };
    return json({ error }, this.status);
  }
}

function refuseIf(isWrong: boolean, code: number, details?: string): void {
  if (isWrong) throw new MetaRefusal(code, details);
}
