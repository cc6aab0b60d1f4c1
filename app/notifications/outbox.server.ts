/**
 * Sends what is queued. At least once, never lost: a row is leased, sent, then marked; a process
 * that dies in between leaves a lease that ends within LEASE_MS, and the message goes out again
 * under the same Message-ID. The lease is short and renewed while a send is under way, rather than
 * cleared at start, so a second process on the same file never takes a message that is in hand.
 */

import { BACKOFF, delay, GIVE_UP_AFTER } from "#app/core/backoff.ts";
import type { Deps } from "#app/core/deps.server.ts";
import { noteFailure } from "#app/core/failures.server.ts";
import type { Senders, SendResult } from "#app/core/senders.ts";
import type { Channel } from "#app/model/messages.ts";
import { inTransaction } from "#db/connection.server.ts";
import {
  extendLease,
  hastenRetries,
  type LeasedMessage,
  markFailed,
  markRetrying,
  markSent,
  takeDueMessages,
} from "#db/queries/message-leases.server.ts";
import { composeMessage } from "./compose.server.ts";
import { MAIL_CONNECTIONS } from "./mail-sender.server.ts";
import { queueMessages } from "./queue.server.ts";

const LEASE_MS = 6_000;
const RENEW_MS = 1_500;
/** Longer than any time limit of the senders, so it ends only what trickles for ever. */
const LONGEST_SEND_MS = 60_000;
/** When the process stops, a message in hand has this long. */
const GRACE_MS = 5_000;
/** How often new rows are looked for while a send is under way. */
const LOOK_MS = 250;

const CHANNELS: readonly Channel[] = ["email", "whatsapp"];
/** Sends at once; each channel has its own, so a dead mail server holds no WhatsApp message up. */
const SLOTS: Readonly<Record<Channel, number>> = { email: MAIL_CONNECTIONS, whatsapp: 5 };

interface Pause {
  until: number;
  /** Stops in a row. */
  stops: number;
}

/** A broken WhatsApp account is left alone for a moment instead of refused once per message. */
const pauses = new WeakMap<Senders, Pause>();

/** What this process is sending, by id. */
const sends = new WeakMap<Senders, Map<string, Promise<void>>>();

function sendsOf({ senders }: Pick<Deps, "senders">): Map<string, Promise<void>> {
  const known = sends.get(senders) ?? new Map();
  sends.set(senders, known);
  return known;
}

export function messagesUnderWay(deps: Pick<Deps, "senders">): string[] {
  return [...sendsOf(deps).keys()];
}

/**
 * Sends every due message, several at once but never two to one recipient, until none is due and
 * none under way. An aborted signal lets what is in hand finish and takes nothing new. Returns the
 * number of messages taken up. Throws if the database cannot be written.
 */
export async function runOutbox(
  deps: Deps,
  options: { signal?: AbortSignal } = {},
): Promise<number> {
  const stop = options.signal ?? new AbortController().signal;
  const grace = new AbortController();
  let graceTimer: NodeJS.Timeout | undefined;
  const onStop = () => {
    graceTimer = setTimeout(() => grace.abort(), GRACE_MS);
  };
  stop.addEventListener("abort", onStop, { once: true });
  const inHand = sendsOf(deps);
  const busy: Record<Channel, number> = { email: 0, whatsapp: 0 };
  let taken = 0;
  try {
    while (true) {
      for (const message of stop.aborted ? [] : take(deps, busy, [...inHand.keys()])) {
        taken += 1;
        busy[message.channel] += 1;
        const work = handle(deps, message, grace.signal).finally(() => {
          busy[message.channel] -= 1;
          inHand.delete(message.id);
        });
        inHand.set(message.id, work);
      }
      if (inHand.size === 0) return taken;
      await Promise.race([...inHand.values(), sleep(LOOK_MS)]);
    }
  } finally {
    stop.removeEventListener("abort", onStop);
    await Promise.allSettled(inHand.values());
    clearTimeout(graceTimer);
  }
}

/** Called once at start: what waited for a later try is due within a few seconds. */
export function resumeOutbox(deps: Deps): number {
  return hastenRetries(deps.db, deps.now(), 3_000);
}

/** Never one in hand: its lease seems over where the clock went ahead meanwhile. */
function take(
  deps: Deps,
  busy: Readonly<Record<Channel, number>>,
  inHand: readonly string[],
): LeasedMessage[] {
  const now = deps.now();
  const until = pauses.get(deps.senders)?.until ?? 0;
  // No pause is longer, but where the clock was set back meanwhile.
  const paused = until > now && until <= now + BACKOFF.channel.longest;
  return CHANNELS.flatMap((channel) => {
    const limit = channel === "whatsapp" && paused ? 0 : SLOTS[channel] - busy[channel];
    if (limit <= 0) return [];
    const leaseUntil = now + LEASE_MS;
    return takeDueMessages(deps.db, now, { channel, limit, leaseUntil, except: inHand });
  });
}

/** Never rejects: one message's bug must not stop the others. */
async function handle(deps: Deps, message: LeasedMessage, grace: AbortSignal): Promise<void> {
  const lost = new AbortController();
  const renewal = setInterval(() => {
    if (!renew(deps, message)) lost.abort();
  }, RENEW_MS);
  const signal = AbortSignal.any([grace, lost.signal, AbortSignal.timeout(LONGEST_SEND_MS)]);
  try {
    const result = await sendOne(deps, message, signal);
    await persist(() => settle(deps, message, result));
    if (result.outcome !== "sent") logFault(deps, message, result);
  } catch (error) {
    const { id, kind } = message;
    deps.log.error({ err: error, messageId: id, kind }, "message state could not be written");
  } finally {
    clearInterval(renewal);
  }
}

type Settled = SendResult | { outcome: "not_sent"; code: string; error: string };

async function sendOne(deps: Deps, message: LeasedMessage, signal: AbortSignal): Promise<Settled> {
  try {
    const composed = await composeMessage(deps, message);
    switch (composed.kind) {
      case "not_sent":
        return { outcome: "not_sent", code: "stale", error: `Not sent: ${composed.reason}` };
      case "mail":
        return await deps.senders.mail.send(composed.mail, signal);
      case "whatsapp":
        return deps.senders.whatsapp === null
          ? { outcome: "not_sent", code: "off", error: "Not sent: WhatsApp is not configured." }
          : await deps.senders.whatsapp.send(composed.message, signal);
    }
  } catch (error) {
    const name = error instanceof Error ? error.name : "Error";
    deps.log.error({ err: error, messageId: message.id, kind: message.kind }, "message not built");
    noteFailure(deps, error, { area: `message ${message.kind}` });
    return { outcome: "retry", code: name, error: `Could not be prepared: ${name}` };
  }
}

/** Writes what became of the send. Does nothing if the lease was lost meanwhile. */
function settle(deps: Deps, message: LeasedMessage, result: Settled): void {
  const { db } = deps;
  const now = deps.now();
  switch (result.outcome) {
    case "sent":
      if (message.channel === "whatsapp") pauses.delete(deps.senders);
      markSent(db, message, now, result.transportId);
      return;
    case "not_sent":
      markFailed(db, message, result.error, { attempted: false });
      return;
    case "park":
      inTransaction(db, (tx) => {
        markFailed(tx, message, result.error, { attempted: true });
        alertAdmin(deps, message, result, now);
      });
      return;
    case "retry":
    case "stop": {
      if (result.outcome === "stop") pause(deps, now);
      const tries = message.attempts + 1;
      inTransaction(db, (tx) => {
        if (tries >= GIVE_UP_AFTER) {
          const error = `Given up after ${tries} tries. ${result.error}`;
          markFailed(tx, message, error, { attempted: true });
        } else {
          // The first is due within 5 seconds, whatever the provider asks.
          const least = tries > 1 ? (result.waitAtLeast ?? 0) : 0;
          const wait = Math.max(least, delay(tries, BACKOFF.message, Math.random()));
          markRetrying(tx, message, now + wait, result.error);
        }
        alertAdmin(deps, message, result, now);
      });
    }
  }
}

type Fault = Exclude<Settled, { outcome: "sent" }>;

/** A broken mail account cannot be reported by mail: the log and the dashboard show it. */
function alertAdmin(deps: Deps, message: LeasedMessage, fault: Fault, now: number): void {
  if (!("alert" in fault) || !fault.alert || message.channel !== "whatsapp") return;
  const code = Number(/\d+/.exec(fault.code)?.[0]) || null;
  const { error } = fault;
  queueMessages(deps.db, deps.env, now, { type: "whatsapp_trouble", at: now, code, error });
}

function pause(deps: Deps, now: number): void {
  const stops = (pauses.get(deps.senders)?.stops ?? 0) + 1;
  pauses.set(deps.senders, { until: now + delay(stops, BACKOFF.channel), stops });
}

function renew(deps: Deps, message: LeasedMessage): boolean {
  const leaseUntil = deps.now() + LEASE_MS;
  try {
    if (!extendLease(deps.db, message, leaseUntil)) return false;
    message.leaseUntil = leaseUntil;
  } catch (error) {
    deps.log.warn({ err: error, messageId: message.id }, "lease not renewed");
  }
  return true;
}

/** A full disk or a locked file may pass; what was sent should be marked before the lease ends. */
async function persist(write: () => void): Promise<void> {
  for (let tries = 1; ; tries++) {
    try {
      write();
      return;
    } catch (error) {
      if (tries === 4) throw error;
      await sleep(200 * tries);
    }
  }
}

/** The error's text may hold the recipient's address, so only its code is logged. */
function logFault(deps: Deps, message: LeasedMessage, fault: Fault): void {
  const { id: messageId, kind, channel, attempts } = message;
  const { outcome, code } = fault;
  const line = { messageId, kind, channel, attempts: attempts + 1, outcome, code };
  if ("alert" in fault && fault.alert) deps.log.error(line, "message needs a person");
  else deps.log.warn(line, "message not sent");
}

function sleep(ms: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, ms).unref());
}
