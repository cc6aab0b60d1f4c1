/** Sends over the WhatsApp Cloud API. A 200 means accepted; a webhook reports the delivery. */
import { z } from "zod";
import type { Env } from "#app/core/env.server.ts";
import type { OutgoingWhatsApp, Senders, SendResult } from "#app/core/services.ts";
import { isE164 } from "./recipients.ts";
import { actionOf } from "./whatsapp-codes.ts";

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
          headers: {
            Authorization: `Bearer ${config.token}`,
            "Content-Type": "application/json",
          },
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
  return {
    messaging_product: "whatsapp",
    recipient_type: "individual",
    to: message.to,
    type: "template",
    template: {
      name: `${config.templatePrefix}${message.template}`,
      language: { code: config.language },
      components: [
        {
          type: "body",
          parameters: message.parameters.map((text) => ({ type: "text", text })),
        },
      ],
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
    ...(wait === undefined ? {} : { waitAtLeast: wait * 1000 }),
    ...(alert ? { alert } : {}),
  };
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
}

function nameOf(error: unknown): string {
  if (!(error instanceof Error)) return "unknown fault";
  const cause = error.cause as { code?: string } | undefined;
  return cause?.code ?? error.name;
}
