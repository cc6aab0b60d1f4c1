/**
 * Sends queued messages at least once: a row is leased, sent, then marked. If the process dies in
 * between, the lease ends within seconds and the message is sent again under the same Message-ID.
 * Leases are short and renewed during a send, not cleared at start, so that a second process on the
 * same database never takes a message that is being sent.
 */
import { BACKOFF, delay, GIVE_UP_AFTER } from "#app/core/backoff.ts";
import type { Deps } from "#app/core/deps.server.ts";
import type { Env } from "#app/core/env.server.ts";
import { type Failed, type Queue, runQueue } from "#app/core/queue.server.ts";
import { OutsideError, type Senders, type SendResult } from "#app/core/services.ts";
import type { Channel } from "#app/model/messages.ts";
import type { Db } from "#db/connection.server.ts";
import {
  extendLease,
  hastenRetries,
  type LeasedMessage,
  markFailed,
  markRetrying,
  markSent,
  sendToNewAddress,
  takeDueMessages,
} from "#db/queries/message-leases.server.ts";
import { supersedeFirstLink } from "#db/queries/unsent-messages.server.ts";
import { type Composed, composeMessage } from "./compose.server.ts";
import { createMailSender, MAIL_CONNECTIONS } from "./mail-sender.server.ts";
import { CHANNELS, queueMessages } from "./queue.server.ts";
import { holdsCode } from "./relevance.ts";
import { createWhatsAppSender } from "./whatsapp-sender.server.ts";

/** Renewed during a send, unlike those of the other queues. */
const RENEWED_LEASE_MS = 6_000;
/** Longer than any time limit of the senders; ends only endlessly slow connections. */
const LONGEST_SEND_MS = 60_000;

/** Sends at once, per channel, so that a dead mail server delays no WhatsApp message. */
const SLOTS: Readonly<Record<Channel, number>> = { email: MAIL_CONNECTIONS, whatsapp: 5 };

interface Pause {
  until: number;
  /** Consecutive `stop` results. */
  stops: number;
}

/** While a WhatsApp account is broken, no messages are tried. */
const pauses = new WeakMap<Senders, Pause>();

/** What this process is sending, by channel and message id. */
const sends = new WeakMap<Senders, Record<Channel, Map<string, Promise<void>>>>();

function sendsOf({ senders }: Pick<Deps, "senders">): Record<Channel, Map<string, Promise<void>>> {
  const known = sends.get(senders) ?? { email: new Map(), whatsapp: new Map() };
  sends.set(senders, known);
  return known;
}

/** The ids of the messages that this process is sending. */
export function messagesUnderWay(deps: Pick<Deps, "senders">): string[] {
  const inHand = sendsOf(deps);
  return CHANNELS.flatMap((channel) => [...inHand[channel].keys()]);
}

/** Sends what is due on every channel; returns the number of messages taken. */
export async function runOutbox(deps: Deps, signal?: AbortSignal): Promise<number> {
  const taken = await Promise.all(CHANNELS.map((channel) => runChannel(deps, channel, signal)));
  return taken.reduce((sum, each) => sum + each, 0);
}

/**
 * Sends every due message, several at once but never two to one recipient, until none is due or being
 * sent. After an abort running sends finish and no new ones start. Returns the number of messages
 * taken. Throws if the database is unavailable.
 */
export async function runChannel(
  deps: Deps,
  channel: Channel,
  signal?: AbortSignal,
): Promise<number> {
  let taken = 0;
  const queue: Queue<LeasedMessage> = {
    name: `outbox ${channel}`,
    keyOf: ({ id }) => id,
    attemptsOf: ({ attempts }) => attempts,
    about: ({ id, kind }) => ({ messageId: id, kind }),
    backoff: BACKOFF.message,
    leaseMs: RENEWED_LEASE_MS,
    atOnce: SLOTS[channel],
    inHand: sendsOf(deps)[channel],
    take({ now, limit, leaseUntil, except }) {
      if (channel === "whatsapp" && isPaused(deps, now)) return [];
      const messages = takeDueMessages(deps.db, now, { channel, limit, leaseUntil, except });
      taken += messages.length;
      return messages;
    },
    renew(message, leaseUntil) {
      const isHeld = extendLease(deps.db, message, leaseUntil);
      if (isHeld) message.leaseUntil = leaseUntil;
      return isHeld;
    },
    work: (message, stop) => send(deps, message, stop),
    givesUp: (_, { attempts, error }) =>
      attempts >= GIVE_UP_AFTER || (error instanceof NotSent && error.isFinal),
    putOff: (tx, message, failed) => putOff(tx, deps, message, failed),
  };
  await runQueue(deps, queue, signal);
  if (channel === "email") forgetCodes(deps);
  return taken;
}

/** Databases whose write-ahead log certainly contains no sent code. */
const withoutCodes = new WeakSet<Deps["db"]>();

/** Empties the write-ahead log; the next run tries again if it is being read, for example by a backup. */
function forgetCodes({ db }: Pick<Deps, "db">): void {
  if (!withoutCodes.has(db) && db.emptyLog()) withoutCodes.add(db);
}

/** At start: makes all waiting retries due within three seconds. Returns their number. */
export function resumeOutbox(deps: Deps): number {
  return hastenRetries(deps.db, deps.now(), 3_000);
}

interface Fault extends Omit<Exclude<SendResult, { outcome: "sent" }>, "outcome"> {
  /** `void`: it must not be sent. */
  outcome: "retry" | "park" | "stop" | "void";
}

class NotSent extends OutsideError {
  readonly fault: Fault;
  readonly isFinal: boolean;

  constructor(fault: Fault) {
    super(fault.code, fault.error, fault.alert);
    this.name = "NotSent";
    this.fault = fault;
    this.isFinal = fault.outcome === "park" || fault.outcome === "void";
  }
}

async function send(deps: Deps, message: LeasedMessage, stop: AbortSignal): Promise<void> {
  const signal = AbortSignal.any([stop, AbortSignal.timeout(LONGEST_SEND_MS)]);
  if (holdsCode(message.kind)) withoutCodes.delete(deps.db);
  const composed = await composeMessage(deps, message);
  const result = await sendOne(deps, composed, signal);
  if (result.outcome !== "sent") throw new NotSent(result);
  await persist(() => {
    const now = deps.now();
    if (!markSent(deps.db, message, now, result.transportId)) {
      sendToNewAddress(deps.db, message, now);
    }
    if (composed.kind === "mail" && composed.sequence !== null) {
      supersedeFirstLink(deps.db, message, composed.sequence);
    }
  });
  if (message.channel === "whatsapp") pauses.delete(deps.senders);
}

async function sendOne(
  { senders: { mail, whatsapp } }: Pick<Deps, "senders">,
  composed: Composed,
  signal: AbortSignal,
): Promise<SendResult | Fault> {
  switch (composed.kind) {
    case "mail":
      return mail.send(composed.mail, signal);
    case "whatsapp":
      if (whatsapp) return whatsapp.send(composed.message, signal);
      return { outcome: "void", code: "off", error: "Not sent: WhatsApp is not configured." };
    case "not_sent":
      return { outcome: "void", code: "stale", error: `Not sent: ${composed.reason}` };
  }
}

/** Leaves the message alone if its lease was lost. */
function putOff(tx: Db, deps: Deps, message: LeasedMessage, failed: Failed): void {
  const { now, attempts, nextTryAt } = failed;
  const notSent = failed.error instanceof NotSent ? failed.error : null;
  const error = notSent?.message ?? failed.lastError;
  if (sendToNewAddress(tx, message, now)) {
    // The failure was the former address's.
  } else if (nextTryAt === null) {
    const words = notSent?.isFinal ? error : `Given up after ${attempts} tries. ${error}`;
    markFailed(tx, message, words, { attempted: notSent?.fault.outcome !== "void" });
  } else {
    // The first retry comes within 5 seconds, even if the provider asks to wait longer.
    const least = attempts > 1 ? (notSent?.fault.waitAtLeast ?? 0) : 0;
    markRetrying(tx, message, Math.max(nextTryAt, now + least), error);
  }
  if (notSent?.fault.outcome === "stop") pause(deps, now);
  if (notSent) alertAdmin(tx, deps, message, notSent.fault, now);
}

/** Only for WhatsApp. A broken mail account cannot be reported by mail; log and dashboard show it. */
function alertAdmin(
  tx: Db,
  { env }: Pick<Deps, "env">,
  { channel }: LeasedMessage,
  fault: Fault,
  now: number,
): void {
  if (!fault.alert || channel !== "whatsapp") return;
  const code = Number(/\d+/.exec(fault.code)?.[0]) || null;
  queueMessages(tx, env, now, { type: "whatsapp_trouble", at: now, code, error: fault.error });
}

/** False for a pause longer than the longest: then the clock was set back. */
function isPaused({ senders }: Deps, now: number): boolean {
  const until = pauses.get(senders)?.until ?? 0;
  return until > now && until <= now + BACKOFF.channel.longest;
}

function pause({ senders }: Deps, now: number): void {
  const stops = (pauses.get(senders)?.stops ?? 0) + 1;
  pauses.set(senders, { until: now + delay(stops, BACKOFF.channel), stops });
}

/** Retries if the disk is full or the database locked, to mark a message before its lease ends. */
async function persist(write: () => void): Promise<void> {
  for (let tries = 1; ; tries++) {
    try {
      write();
      return;
    } catch (error) {
      if (tries === 4) throw error;
      await new Promise((done) => setTimeout(done, 200 * tries).unref());
    }
  }
}

/** One sender per channel. Opens no connection before the first send. */
export function createSenders(env: Env): Senders {
  return {
    mail: createMailSender(env),
    whatsapp: env.whatsapp === null ? null : createWhatsAppSender(env.whatsapp),
  };
}
