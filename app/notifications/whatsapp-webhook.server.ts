/** Meta's webhook: delivery reports, and customers who opt out or in. */
import { createHmac, timingSafeEqual } from "node:crypto";
import { z } from "zod";
import { BACKOFF, delay } from "#app/core/backoff.ts";
import type { Deps } from "#app/core/deps.server.ts";
import type { Env } from "#app/core/env.server.ts";
import { isSame } from "#app/core/secrets.server.ts";
import { parseJson } from "#app/core/services.ts";
import { HOUR, SECOND } from "#app/model/dates.ts";
import { STATE_RANK } from "#app/model/messages.ts";
import { failure, type Outcome, success } from "#app/model/outcome.ts";
import { type Db, inTransaction } from "#db/connection.server.ts";
import { findAppointment } from "#db/queries/appointments.server.ts";
import { setOptOut } from "#db/queries/message-leases.server.ts";
import { findMessageForReport, type Message, markReported } from "#db/queries/messages.server.ts";
import { presentRecipient, queueMessages } from "./queue.server.ts";
import { isE164, whyNotSentAgain } from "./relevance.ts";
import { actionOf } from "./whatsapp-sender.server.ts";

const errorSchema = z.object({
  code: z.number(),
  title: z.string().optional(),
  error_data: z.object({ details: z.string().optional() }).optional(),
});

/** Unix seconds as text. */
const timestampSchema = z.string().optional();

const statusSchema = z.object({
  id: z.string().min(1),
  status: z.enum(["sent", "delivered", "read", "failed"]),
  timestamp: timestampSchema,
  biz_opaque_callback_data: z.string().optional(),
  errors: z.array(errorSchema).optional(),
});

const incomingSchema = z.object({
  /** Digits without `+`; empty for people who show only a user name. */
  from: z.string().optional(),
  timestamp: timestampSchema,
  text: z.object({ body: z.string() }).optional(),
  button: z.object({ text: z.string().optional() }).optional(),
});

/** Updates are validated one by one, so that an invalid one does not cost the others in the body. */
const updatesSchema = z.array(z.unknown()).default([]);
const valueSchema = z.object({ statuses: updatesSchema, messages: updatesSchema });
const changesSchema = z.array(z.object({ value: valueSchema.optional() })).default([]);
const bodySchema = z.object({
  object: z.string(),
  entry: z.array(z.object({ changes: changesSchema })),
});

type Status = z.infer<typeof statusSchema>;
type Fault = z.infer<typeof errorSchema>;

/** Of a message that WhatsApp took and reported as failed: fewer than of what it did not take. */
const MOST_TRIES = 5;
/** Milliseconds. Meta repeats for days what we did not answer: a late one mends nothing. */
const NEW_FAILURE = HOUR;
/** As long as any code asks for. */
const SHORTEST_WAIT = 30 * SECOND;

/** Not "cancel": it means the session, not the messages. */
const STOP = /^(stop( ?all)?|unsubscribe|opt ?out|band karo|बंद( करो)?|रोकें)$/;
const START = /^(start|unstop|subscribe|opt ?in|शुरू)$/;

/**
 * Applies one webhook body; a repeated one has no effect. `signatureHeader` is X-Hub-Signature-256
 * over the raw bytes. Returns how many reports and opt-out words were applied. Refusals: `not_found`,
 * `invalid_signature`, `malformed_json`. Throws if the database cannot be written.
 */
export function applyWhatsAppWebhook(
  deps: Deps,
  rawBody: Buffer,
  signatureHeader: string | null,
): Outcome<{ reports: number; words: number }> {
  const config = deps.env.whatsapp;
  if (config === null) return failure("not_found", "WhatsApp is not configured.");
  if (!isSigned(config.appSecret, rawBody, signatureHeader)) {
    return failure("invalid_signature", "The signature does not fit the body.");
  }
  const json = parseJson(rawBody.toString("utf8"));
  if (json === undefined) return failure("malformed_json", "The body is not JSON.");
  const body = bodySchema.safeParse(json);
  // Another kind of update: accepted, because Meta would repeat a refused one for days.
  if (!body.success) return success({ reports: 0, words: 0 });
  const values = body.data.entry.flatMap(({ changes }) => changes.map(({ value }) => value));
  const counts = inTransaction(deps.db, (tx) => {
    let reports = 0;
    let words = 0;
    for (const value of values) {
      for (const item of value?.statuses ?? []) {
        const status = statusSchema.safeParse(item);
        if (status.success && applyStatus(tx, deps, status.data)) reports += 1;
      }
      for (const item of value?.messages ?? []) {
        const incoming = incomingSchema.safeParse(item);
        if (incoming.success && applyWord(tx, deps, incoming.data)) words += 1;
      }
    }
    return { reports, words };
  });
  return success(counts);
}

/** The challenge of Meta's set-up request; null for a wrong token. */
export function answerChallenge(env: Pick<Env, "whatsapp">, url: URL): string | null {
  const parameters = url.searchParams;
  const token = parameters.get("hub.verify_token") ?? "";
  if (env.whatsapp === null || parameters.get("hub.mode") !== "subscribe") return null;
  return isSame(token, env.whatsapp.verifyToken) ? parameters.get("hub.challenge") : null;
}

/** Compared in constant time. */
export function isSigned(secret: string, rawBody: Buffer, header: string | null): boolean {
  const match = /^sha256=([0-9a-f]{64})$/.exec(header ?? "");
  if (!match?.[1]) return false;
  const expected = createHmac("sha256", secret).update(rawBody).digest();
  return timingSafeEqual(expected, Buffer.from(match[1], "hex"));
}

function applyStatus(tx: Db, deps: Deps, status: Status): boolean {
  const { status: state } = status;
  const message = findMessageForReport(tx, status.id, status.biz_opaque_callback_data ?? null);
  if (message === null) return false;
  // While it waits to be sent again, reports about the previous send do not count.
  const waiting = message.nextTryAt !== null;
  if (waiting && message.transportId === status.id) return false;
  if (!waiting && STATE_RANK[state] <= STATE_RANK[message.state]) {
    // Only a message that was accepted but has not been delivered can still fail.
    if (!(state === "failed" && message.state === "sent")) return false;
  }
  const fault = state === "failed" ? status.errors?.[0] : undefined;
  const error = state === "failed" ? explain(fault) : null;
  const at = instantOf(status, deps);
  const isNew = deps.now() - at <= NEW_FAILURE;
  const nextTryAt = fault && isNew ? nextTryOf(tx, fault, message, deps.now()) : null;
  markReported(tx, message.id, { state, transportId: status.id, at, error, nextTryAt });
  if (fault) alertAdmin(tx, deps, fault);
  return true;
}

function explain(fault: Fault | undefined): string {
  if (!fault) return "WhatsApp could not deliver it.";
  const { meaning } = actionOf(fault.code, 400);
  const details = fault.error_data?.details ?? fault.title;
  return `WhatsApp ${fault.code}: ${meaning}${details ? ` (${details})` : ""}`.slice(0, 300);
}

/**
 * When a message whose failure passes is sent again. Null after MOST_TRIES, for a corrected number,
 * which gets messages of its own, and for what staff could not send again.
 */
function nextTryOf(tx: Db, { code }: Fault, message: Message, now: number): number | null {
  const { attempts, appointmentId } = message;
  if (actionOf(code, 400).action !== "retry" || attempts >= MOST_TRIES) return null;
  const appointment = appointmentId === null ? null : findAppointment(tx, appointmentId);
  const isMoved = presentRecipient(message, appointment) !== message.recipient;
  if (isMoved || whyNotSentAgain(message, appointment, false) !== null) return null;
  return now + Math.max(delay(attempts, BACKOFF.message), SHORTEST_WAIT);
}

function alertAdmin(tx: Db, deps: Deps, fault: Fault): void {
  const { code } = fault;
  if (!actionOf(code, 400).alert) return;
  const now = deps.now();
  const error = explain(fault);
  queueMessages(tx, deps.env, now, { type: "whatsapp_trouble", at: now, code, error });
}

/** Now where Meta names no instant. */
function instantOf({ timestamp }: { timestamp?: string }, { now }: Deps): number {
  return Number(timestamp) * 1000 || now();
}

/** By when it was written: Meta keeps no order, and repeats for days what we did not answer. */
function applyWord(tx: Db, deps: Deps, incoming: z.infer<typeof incomingSchema>): boolean {
  const phone = `+${(incoming.from ?? "").replace(/^\+/, "")}`;
  if (!isE164(phone)) return false;
  const word = wordOf(incoming.text?.body ?? incoming.button?.text ?? "");
  const isStop = STOP.test(word);
  if (!isStop && !START.test(word)) return false;
  return setOptOut(tx, phone, isStop, instantOf(incoming, deps));
}

/** `"Stop."` → `stop`: the whole message must be the word, so "stop by at 5?" is not one. */
function wordOf(text: string): string {
  return text
    .normalize("NFC")
    .toLowerCase()
    .replace(/[^\p{L}\p{M}\s]/gu, "")
    .replace(/\s+/gu, " ")
    .trim();
}
