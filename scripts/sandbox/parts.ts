/** What the parts of the sandbox are given. */
import type { Chance } from "./chance.ts";
import type { Clock } from "./clock.ts";
import type { Courier } from "./courier.ts";
import type { Events } from "./events.ts";
import type { Ledger } from "./ledger.ts";
import type { Mailbox } from "./mailbox.ts";
import type { Payer } from "./payer.ts";
import type { RefundDesk } from "./refund-desk.ts";
import type { Switches } from "./switches.ts";
import type { WhatsAppSink } from "./whatsapp.ts";

export interface Parts {
  clock: Clock;
  chance: Chance;
  switches: Switches;
  ledger: Ledger;
  desk: RefundDesk;
  events: Events;
  courier: Courier;
  payer: Payer;
  mailbox: Mailbox;
  whatsapp: WhatsAppSink;
  requests: ApiRequest[];
  credentials: Credentials;
  reset(): void;
  addresses(): Record<string, string>;
}

export interface Credentials {
  keyId: string;
  keySecret: string;
  webhookSecret: string;
  whatsappPhoneNumberId: string;
  whatsappToken: string;
  whatsappAppSecret: string;
  whatsappVerifyToken: string;
}

export interface ApiRequest {
  at: number;
  method: string;
  path: string;
  status: number | null;
  idempotencyKey: string | null;
}
