/** The parts of the sandbox, put together. */
import { existsSync, mkdirSync, readFileSync, renameSync, writeFileSync } from "node:fs";
import { dirname } from "node:path";
import { makeCalendars } from "./calendars.ts";
import { makeClock } from "./clock.ts";
import { makeCourier } from "./courier.ts";
import { CREDENTIALS } from "./credentials.ts";
import { makeMailbox } from "./mailbox.ts";
import type { SandboxOptions } from "./options.ts";
import { SeededRandom } from "./random.ts";
import { Ledger } from "./razorpay/ledger.ts";
import { makePay } from "./razorpay/payer.ts";
import { makeRefundDesk } from "./razorpay/refunds.ts";
import { makeEvents } from "./razorpay/webhooks.ts";
import { makeS3 } from "./s3.ts";
import { makeSwitches } from "./switches.ts";
import { makeWhatsApp } from "./whatsapp.ts";
import { makeZoom } from "./zoom.ts";

export type Parts = ReturnType<typeof makeParts>;

export function makeParts(options: SandboxOptions) {
  const { webhookSecrets = [CREDENTIALS.webhookSecret], webhookUrl } = options;
  const { whatsappWebhookUrl, whatsappAuto = "delivered" } = options;
  const credentials = { ...CREDENTIALS, webhookSecret: webhookSecrets[0] ?? "" };
  const clock = makeClock(options.clockScale ?? 1);
  const random = new SeededRandom(options.seed ?? 1);
  const switches = makeSwitches(random);
  const courier = makeCourier(clock, options.webhookTimeoutMs ?? 5000);
  const events = makeEvents(clock, courier, switches, webhookUrl, webhookSecrets);
  const ledger = new Ledger(clock, (batch) => void events.publish(batch));
  const desk = makeRefundDesk(ledger, clock, switches);
  const mailbox = makeMailbox(switches);
  const account = { ...credentials, whatsappWebhookUrl, whatsappAuto };
  const whatsapp = makeWhatsApp(account, clock, courier, switches);
  const calendars = makeCalendars(switches);
  const s3 = makeS3(credentials, switches);
  const zoom = makeZoom(credentials, switches);
  const requests: { method: string; path: string; idempotencyKey: string | null }[] = [];
  return {
    credentials,
    clock,
    switches,
    courier,
    events,
    ledger,
    desk,
    /** The customer pays; the answer is what the browser would bring back. */
    pay: makePay(ledger, events, clock, credentials.keySecret),
    mailbox,
    whatsapp,
    calendars,
    s3,
    zoom,
    /** The latest calls of the provider's and Meta's API. */
    requests,
    /** Filled when the servers listen. */
    addresses: {} as Record<string, string>,
    reset() {
      clock.clear();
      switches.clear();
      for (const part of [ledger, desk.keys, events, courier, mailbox]) part.clear();
      whatsapp.messages.length = 0;
      calendars.texts.clear();
      s3.clear();
      zoom.meetings.clear();
      requests.length = 0;
    },
  };
}

/** Milliseconds from a change until it is saved. */
const SAVE_AFTER = 500;

/**
 * Reads what an earlier process kept, and saves each change; the function it returns saves at once. The
 * file is written under another name and renamed, so that a stop at any moment leaves a whole one.
 */
export function keepState(path: string | undefined, { ledger, desk }: Parts): () => void {
  if (!path) return () => {};
  if (existsSync(path)) {
    try {
      const saved = JSON.parse(readFileSync(path, "utf8"));
      ledger.restore(saved.ledger);
      for (const [key, record] of saved.keys) desk.keys.set(key, record);
    } catch {
      console.error(`the sandbox begins anew: ${path} cannot be read`);
      ledger.clear();
    }
  }
  let timer: NodeJS.Timeout | undefined;
  const save = () => {
    clearTimeout(timer);
    timer = undefined;
    try {
      mkdirSync(dirname(path), { recursive: true });
      const keys = [...desk.keys].filter(([, { answer }]) => answer);
      const text = JSON.stringify({ ledger: ledger.state(), keys });
      writeFileSync(`${path}.next`, text, { mode: 0o600 });
      renameSync(`${path}.next`, path);
    } catch (error) {
      console.error(`the sandbox's state is not saved: ${(error as Error).message}`);
    }
  };
  ledger.onChange = () => {
    timer ??= setTimeout(save, SAVE_AFTER).unref();
  };
  return save;
}
