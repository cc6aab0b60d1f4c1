/** The parts of the sandbox and how they are put together. */

import { makeCalendars } from "./calendars.ts";
import { Chance } from "./chance.ts";
import { Clock } from "./clock.ts";
import { makeCourier } from "./courier.ts";
import { makeMailbox } from "./mailbox.ts";
import { Ledger } from "./razorpay/ledger.ts";
import { makePay } from "./razorpay/payer.ts";
import { makeRefundDesk } from "./razorpay/refunds.ts";
import { makeEvents } from "./razorpay/webhooks.ts";
import { makeS3 } from "./s3.ts";
import { Switches } from "./switches.ts";
import { makeWhatsApp } from "./whatsapp.ts";

const CREDENTIALS = {
  keyId: "rzp_test_sandbox000001",
  keySecret: "sandbox_key_secret_1",
  webhookSecret: "sandbox_hook_secret_1",
  whatsappPhoneNumberId: "100000000000001",
  whatsappToken: "sandbox_whatsapp_token_1",
  whatsappAppSecret: "sandbox_app_secret_1",
  whatsappVerifyToken: "sandbox_verify_token_1",
  s3Bucket: "sandbox-copies",
  s3Region: "sandbox-1",
  s3AccessKeyId: "SANDBOXACCESSKEY1",
  s3SecretAccessKey: "sandbox_s3_secret_1",
};

type Credentials = typeof CREDENTIALS;

export interface PartsOptions extends Partial<Omit<Credentials, "webhookSecret">> {
  /** The first signs, the second is the one of before a change. */
  webhookSecrets?: string[];
  webhookUrl?: string;
  webhookTimeoutMs?: number;
  whatsappWebhookUrl?: string;
  /** How far a message goes by itself. */
  whatsappAuto?: "none" | "sent" | "delivered" | "read";
  clockScale?: number;
  seed?: number;
}

interface ApiRequest {
  method: string;
  path: string;
  idempotencyKey: string | null;
}

export type Parts = ReturnType<typeof makeParts>;

export function makeParts(options: PartsOptions) {
  const { webhookSecrets = [CREDENTIALS.webhookSecret], webhookUrl } = options;
  const given = { ...options, webhookSecret: webhookSecrets[0] };
  const credentials = Object.fromEntries(
    Object.entries(CREDENTIALS).map(([key, own]) => [key, given[key as keyof Credentials] ?? own]),
  ) as Credentials;
  const clock = new Clock(options.clockScale ?? 1);
  const chance = new Chance(options.seed ?? 1);
  const switches = new Switches(chance);
  const courier = makeCourier(clock, options.webhookTimeoutMs ?? 5000);
  const events = makeEvents({ clock, courier, switches, chance, webhookUrl, webhookSecrets });
  const ledger = new Ledger(clock, (batch) => void events.publish(batch));
  const desk = makeRefundDesk(ledger, clock, switches);
  const pay = makePay(ledger, events, clock, credentials.keySecret);
  const mailbox = makeMailbox(switches);
  const { whatsappWebhookUrl, whatsappAuto = "delivered" } = options;
  const account = { ...credentials, whatsappWebhookUrl, whatsappAuto };
  const whatsapp = makeWhatsApp(account, clock, courier, switches);
  const calendars = makeCalendars(switches);
  const s3 = makeS3(credentials, switches);
  const requests: ApiRequest[] = [];
  return {
    /** The customer pays; the answer is what the browser would bring back. */
    pay,
    ...{ ledger, desk, events, courier, clock, switches },
    ...{ mailbox, whatsapp, calendars, s3, requests, credentials },
    /** Filled when the servers listen. */
    addresses: {} as Record<string, string>,
    reset() {
      clock.clear();
      switches.clear();
      for (const part of [ledger, desk.keys, events, courier, mailbox]) part.clear();
      whatsapp.messages.length = 0;
      calendars.texts.clear();
      s3.clear();
      requests.length = 0;
    },
  };
}
