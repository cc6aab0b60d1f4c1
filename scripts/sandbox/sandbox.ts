import { createServer, type IncomingMessage, type Server, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { AdminApi } from "./admin-api.ts";
import { Chance } from "./chance.ts";
import { Checkout } from "./checkout.ts";
import { Clock } from "./clock.ts";
import { Console } from "./console.ts";
import { Courier, type Delivery } from "./courier.ts";
import { Events, type SentEvent } from "./events.ts";
import { type Answer, type Call, HttpError, json, readCall, send, text } from "./http.ts";
import { Ledger, type LedgerSnapshot } from "./ledger.ts";
import { Mailbox } from "./mailbox.ts";
import type { ApiRequest, Credentials, Parts } from "./parts.ts";
import { Payer, type PayResult, type PayWish } from "./payer.ts";
import { RazorpayApi } from "./razorpay-api.ts";
import { RefundDesk } from "./refund-desk.ts";
import { StateFile } from "./state-file.ts";
import { Switches } from "./switches.ts";
import {
  type IncomingMessage as Incoming,
  type WhatsAppMessage,
  WhatsAppSink,
} from "./whatsapp.ts";

export interface SandboxOptions {
  /** Only a loopback address. */
  host?: string;
  port?: number;
  smtpPort?: number;
  keyId?: string;
  keySecret?: string;
  /** The first signs, the second is the one of before a change. */
  webhookSecrets?: string[];
  webhookUrl?: string;
  webhookTimeoutMs?: number;
  whatsappPhoneNumberId?: string;
  whatsappToken?: string;
  whatsappAppSecret?: string;
  whatsappVerifyToken?: string;
  whatsappWebhookUrl?: string;
  whatsappAuto?: "none" | "sent" | "delivered" | "read";
  stateFile?: string;
  clockScale?: number;
  seed?: number;
}

export interface Sandbox extends Omit<Parts, "addresses"> {
  origin: string;
  checkoutUrl: string;
  smtpUrl: string;
  addresses: Record<string, string>;
  /** The customer pays; the answer is what the browser would bring back. */
  pay(orderId: string, wish?: PayWish): PayResult;
  setWebhookUrl(url: string | undefined): void;
  setWhatsappWebhookUrl(url: string | undefined): void;
  idle(timeoutMs?: number): Promise<boolean>;
  close(): Promise<void>;
}

interface Saved {
  tick: number;
  ledger: LedgerSnapshot;
  keys: ReturnType<RefundDesk["keys"]>;
  events: SentEvent[];
  muted: string[];
  deliveries: Delivery[];
  mails: ReturnType<Mailbox["saved"]>;
  whatsapp: { messages: WhatsAppMessage[]; incoming: Incoming[] };
}

const LOOPBACK = new Set(["127.0.0.1", "localhost", "::1"]);
const MOST_SAVED = 300;
const MOST_REQUESTS = 5000;

export async function startSandbox(options: SandboxOptions = {}): Promise<Sandbox> {
  const host = options.host ?? "127.0.0.1";
  if (!LOOPBACK.has(host)) throw new Error("the sandbox listens on loopback only");
  const addresses: Record<string, string> = {};
  const parts = makeParts(options, () => addresses);
  const state = keepState(options.stateFile, parts);
  await state?.load();
  await parts.mailbox.listen(host, options.smtpPort ?? 0);
  const server = createServer(makeHandler(parts));
  await listen(server, host, options.port ?? 0).catch(async (error) => {
    await parts.mailbox.close();
    throw error;
  });
  const name = host === "::1" ? "[::1]" : host;
  const origin = `http://${name}:${(server.address() as AddressInfo).port}`;
  const smtpUrl = `smtp://${name}:${parts.mailbox.port}`;
  const checkoutUrl = `${origin}/v1/checkout.js`;
  Object.assign(addresses, {
    origin,
    console: `${origin}/`,
    razorpayApiUrl: origin,
    checkoutUrl,
    smtpUrl,
    whatsappUrl: origin,
    keyId: parts.credentials.keyId,
  });
  return {
    ...parts,
    origin,
    checkoutUrl,
    smtpUrl,
    addresses,
    pay: (orderId, wish) => parts.payer.pay(orderId, wish),
    setWebhookUrl: (url) => parts.events.setUrl(url),
    setWhatsappWebhookUrl: (url) => parts.whatsapp.setUrl(url),
    idle: (timeoutMs) => parts.courier.idle(timeoutMs),
    async close() {
      parts.courier.close();
      state?.save();
      parts.clock.clear();
      const closed = new Promise<void>((resolve) => server.close(() => resolve()));
      server.closeAllConnections();
      await Promise.all([closed, parts.mailbox.close()]);
    },
  };
}

function makeParts(options: SandboxOptions, addresses: () => Record<string, string>): Parts {
  const webhookSecrets = options.webhookSecrets ?? ["sandbox_hook_secret_1"];
  const credentials: Credentials = {
    keyId: options.keyId ?? "rzp_test_sandbox000001",
    keySecret: options.keySecret ?? "sandbox_key_secret_1",
    webhookSecret: webhookSecrets[0] ?? "sandbox_hook_secret_1",
    whatsappPhoneNumberId: options.whatsappPhoneNumberId ?? "100000000000001",
    whatsappToken: options.whatsappToken ?? "sandbox_whatsapp_token_1",
    whatsappAppSecret: options.whatsappAppSecret ?? "sandbox_app_secret_1",
    whatsappVerifyToken: options.whatsappVerifyToken ?? "sandbox_verify_token_1",
  };
  const seed = options.seed ?? 1;
  const clock = new Clock(options.clockScale ?? 1);
  const chance = new Chance(seed);
  const switches = new Switches(chance);
  const courier = new Courier(clock, options.webhookTimeoutMs ?? 5000);
  const events = new Events(clock, courier, switches, chance, {
    webhookUrl: options.webhookUrl,
    webhookSecrets,
  });
  const ledger = new Ledger(clock, (batch) => void events.publish(batch));
  const desk = new RefundDesk(ledger, clock, switches);
  const payer = new Payer(ledger, events, courier, switches, clock, credentials.keySecret);
  const mailbox = new Mailbox(switches);
  const whatsapp = new WhatsAppSink(
    {
      phoneNumberId: credentials.whatsappPhoneNumberId,
      token: credentials.whatsappToken,
      appSecret: credentials.whatsappAppSecret,
      verifyToken: credentials.whatsappVerifyToken,
      webhookUrl: options.whatsappWebhookUrl,
      auto: options.whatsappAuto ?? "delivered",
    },
    clock,
    courier,
    switches,
  );
  courier.onDelivered = () => events.noteDelivered();
  courier.onGivenUp = (delivery) => events.noteGivenUp(delivery);
  const requests: ApiRequest[] = [];
  const reset = () => {
    clock.clear();
    switches.clear();
    switches.forget();
    chance.seed(seed);
    for (const part of [ledger, desk, events, courier, mailbox, whatsapp]) part.clear();
    whatsapp.templates.clear();
    requests.length = 0;
  };
  return {
    clock,
    chance,
    switches,
    ledger,
    desk,
    events,
    courier,
    payer,
    mailbox,
    whatsapp,
    requests,
    credentials,
    reset,
    addresses,
  };
}

function keepState(path: string | undefined, parts: Parts) {
  if (!path) return undefined;
  const { clock, ledger, desk, events, courier, mailbox, whatsapp } = parts;
  const file = new StateFile<Saved>(path, () => ({
    tick: clock.tick(),
    ledger: ledger.snapshot(),
    keys: desk.keys(),
    events: events.sent.slice(-MOST_SAVED),
    muted: events.muted(),
    deliveries: [...courier.deliveries.values()].slice(-MOST_SAVED),
    mails: mailbox.saved(MOST_SAVED),
    whatsapp: {
      messages: whatsapp.messages.slice(-MOST_SAVED),
      incoming: whatsapp.incoming.slice(-MOST_SAVED),
    },
  }));
  return {
    async load() {
      const saved = file.read();
      if (saved) {
        clock.restore(saved.tick);
        ledger.restore(saved.ledger);
        desk.restoreKeys(saved.keys);
        events.restore(saved.events, saved.muted);
        courier.restore(saved.deliveries);
        whatsapp.restore(saved.whatsapp.messages, saved.whatsapp.incoming);
        await mailbox.restore(saved.mails);
      }
      const soon = () => file.soon();
      for (const part of [ledger, courier, mailbox, whatsapp]) part.onChange = soon;
    },
    save: () => file.write(),
  };
}

function makeHandler(parts: Parts) {
  const api = new RazorpayApi(parts.credentials, parts.ledger, parts.desk, parts.switches);
  const checkout = new Checkout(parts.credentials.keyId, parts.ledger, parts.payer, parts.switches);
  const admin = new AdminApi(parts);
  const pages = new Console(parts, admin);
  const answer = async (call: Call): Promise<Answer> => {
    const found =
      (await checkout.answer(call)) ??
      (await parts.whatsapp.answer(call)) ??
      (await pages.answer(call)) ??
      (await admin.answer(call));
    if (found) return found;
    if (call.path === "/favicon.ico") return text("", 204);
    return api.answer(call);
  };
  return async (request: IncomingMessage, response: ServerResponse) => {
    let entry: ApiRequest | undefined;
    try {
      if (!isLocalName(request.headers.host)) throw new HttpError(421, "loopback names only");
      const call = await readCall(request);
      if (/^\/v\d/.test(call.path)) entry = note(parts.requests, call);
      const reply = await answer(call);
      if ("cutAfterSeconds" in reply) {
        setTimeout(() => request.socket.destroy(), reply.cutAfterSeconds * 1000).unref();
        return;
      }
      if (entry) entry.status = reply.status;
      send(response, reply);
    } catch (error) {
      const known = error instanceof HttpError;
      if (!known) console.error(error);
      const words = known ? error.message : "sandbox fault";
      if (!response.headersSent) send(response, json({ error: words }, known ? error.status : 500));
      else request.socket.destroy();
    }
  };
}

function note(requests: ApiRequest[], call: Call): ApiRequest {
  const key = call.headers["x-refund-idempotency"];
  const entry: ApiRequest = {
    at: Date.now(),
    method: call.method,
    path: call.path,
    status: null,
    idempotencyKey: typeof key === "string" ? key : null,
  };
  requests.push(entry);
  if (requests.length > MOST_REQUESTS) requests.shift();
  return entry;
}

/** A page on another site that resolves its own name to loopback gets no answer. */
function isLocalName(host: string | undefined): boolean {
  return /^(127\.0\.0\.1|localhost|\[::1\])(:\d+)?$/.test(host ?? "");
}

function listen(server: Server, host: string, port: number): Promise<void> {
  return new Promise((resolve, reject) => {
    server.once("error", reject);
    server.listen(port, host, () => {
      server.off("error", reject);
      resolve();
    });
  });
}
