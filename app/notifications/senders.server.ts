/** What the outbox needs from the outside: one sender for each channel. */
import type { Env } from "#app/core/env.server.ts";
import type { Senders } from "#app/core/services.ts";
import { createMailSender } from "./mail-sender.server.ts";
import { createWhatsAppSender } from "./whatsapp-sender.server.ts";

/** Opens no connection; the first send does. */
export function createSenders(env: Env): Senders {
  return {
    mail: createMailSender(env),
    whatsapp: env.whatsapp === null ? null : createWhatsAppSender(env.whatsapp),
  };
}
