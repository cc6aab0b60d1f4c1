/** Sends over the WhatsApp Cloud API. A 200 means accepted; a webhook reports the delivery later. */
import { z } from "zod";
import type { Env } from "#app/core/env.server.ts";
import type { OutgoingWhatsApp, Senders, SendResult } from "#app/core/services.ts";
import { parseJson } from "#app/core/services.ts";
import { isE164 } from "./relevance.ts";

const TIMEOUT_MS = 10_000;

const acceptedSchema = z.object({
  messages: z
    .array(z.object({ id: z.string().min(1), message_status: z.string().optional() }))
    .min(1),
});

const refusedSchema = z.object({
  error: z.object({
    message: z.string().optional(),
    code: z.number(),
    error_data: z.object({ details: z.string().optional() }).optional(),
  }),
});

export function createWhatsAppSender(
  config: NonNullable<Env["whatsapp"]>,
): NonNullable<Senders["whatsapp"]> {
  const url = `${config.apiUrl}/${config.apiVersion}/${config.phoneNumberId}/messages`;
  return {
    async send(message, signal) {
      if (!isE164(message.to)) {
        return { outcome: "park", code: "NUMBER", error: "The number has no country code." };
      }
      try {
        const response = await fetch(url, {
          method: "POST",
          headers: { Authorization: `Bearer ${config.token}`, "Content-Type": "application/json" },
          body: JSON.stringify(bodyOf(config, message)),
          redirect: "error",
          signal: AbortSignal.any([signal, AbortSignal.timeout(TIMEOUT_MS)]),
        });
        return readAnswer(response.status, await response.text());
      } catch (error) {
        return { outcome: "retry", code: "NETWORK", error: `No answer: ${nameOf(error)}` };
      }
    },
  };
}

function bodyOf(config: NonNullable<Env["whatsapp"]>, message: OutgoingWhatsApp) {
  const parameters = message.parameters.map((text) => ({ type: "text", text }));
  return {
    messaging_product: "whatsapp",
    recipient_type: "individual",
    to: message.to,
    type: "template",
    template: {
      name: `${config.templatePrefix}${message.template}`,
      language: { code: config.language },
      components: [{ type: "body", parameters }],
    },
    biz_opaque_callback_data: message.messageId,
  };
}

function readAnswer(status: number, text: string): SendResult {
  const json = parseJson(text);
  const accepted = status >= 200 && status < 300 ? acceptedSchema.safeParse(json) : null;
  const id = accepted?.data?.messages[0]?.id;
  if (id !== undefined) return { outcome: "sent", transportId: id };
  const refused = refusedSchema.safeParse(json).data?.error;
  const { action, meaning, wait, alert } = actionOf(refused?.code ?? null, status);
  const details = refused?.error_data?.details ?? refused?.message;
  const label = refused ? `WhatsApp ${refused.code}` : `WhatsApp HTTP ${status}`;
  return {
    outcome: action,
    code: label,
    error: `${label}: ${meaning}${details ? ` (${details})` : ""}`.slice(0, 300),
    ...(wait !== undefined && { waitAtLeast: wait * 1000 }),
    alert,
  };
}

function nameOf(error: unknown): string {
  if (!(error instanceof Error)) return "unknown fault";
  const cause = error.cause as { code?: string } | undefined;
  return cause?.code ?? error.name;
}

// What to do for Meta's error codes. The HTTP status counts only without a known code.

export interface CodeAction {
  /**
   * `retry`: temporary. `park`: this message will never get through. `stop`: the account is broken;
   * messages wait until a person fixes it.
   */
  action: "retry" | "park" | "stop";
  meaning: string;
  /** Seconds until the next try, at least. */
  wait?: number;
  alert?: boolean;
}

const retry = (meaning: string, wait?: number): CodeAction => ({ action: "retry", meaning, wait });
const park = (meaning: string, alert?: true): CodeAction => ({ action: "park", meaning, alert });
const stop = (meaning: string): CodeAction => ({ action: "stop", meaning, alert: true });

export const WHATSAPP_CODES: Readonly<Record<number, CodeAction>> = {
  0: stop("The access token does not work."),
  190: stop("The access token is invalid or has expired."),
  3: stop("The token lacks a permission."),
  10: stop("The token lacks a permission."),
  4: retry("Too many calls.", 30),
  80007: retry("Too many messages for the account.", 30),
  130429: retry("Too many messages at once.", 5),
  131056: retry("Too many messages to this number.", 10),
  131048: stop("The number is limited because of spam reports."),
  1: retry("A temporary fault at WhatsApp."),
  2: retry("WhatsApp is down."),
  131000: retry("A temporary fault at WhatsApp."),
  131016: retry("WhatsApp is overloaded."),
  100: park("A parameter is wrong.", true),
  131008: park("A parameter is missing.", true),
  131009: park("A parameter has a wrong value.", true),
  131026: park("This number cannot be reached on WhatsApp; the e-mail goes out all the same."),
  131030: park("The number is not in the test account's list.", true),
  131042: stop("There is a billing problem."),
  131047: park("The 24-hour window is closed, and this was no template.", true),
  131049: park("WhatsApp limits marketing messages to this person."),
  131031: stop("The account is locked."),
  368: stop("The account is blocked for a while."),
  132000: park("The template wants another number of parameters.", true),
  132001: park("The template does not exist in that language.", true),
  132005: park("The text is too long once filled in.", true),
  132012: park("A parameter has another format than the template wants.", true),
  132015: park("The template is paused.", true),
  132016: park("The template is disabled.", true),
  132018: park("A parameter holds a line break, a tab or too many blanks.", true),
  133010: stop("The sending number is not registered."),
};

/** What to do for an error code (null for none) and the HTTP status. */
export function actionOf(code: number | null, status: number): CodeAction {
  if (code !== null) {
    const known = WHATSAPP_CODES[code];
    if (known) return known;
    if (code >= 200 && code <= 299) return stop("The token lacks a permission.");
  }
  if (status === 401 || status === 403) return stop("The access token was refused.");
  if (status === 429) return retry("Too many calls.", 30);
  if (status >= 500 || status < 400) return retry("WhatsApp gave no usable answer.");
  return code === null
    ? retry("WhatsApp gave no usable answer.", 60)
    : park("WhatsApp refused the message.", true);
}
