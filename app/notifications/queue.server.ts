/** Turns events into message rows, inside the transaction of their cause. Sends nothing. */
import { change } from "#app/core/change.server.ts";
import type { ChangeDeps } from "#app/core/deps.server.ts";
import type { Env } from "#app/core/env.server.ts";
import type { Actor } from "#app/model/actor.ts";
import type { Appointment } from "#app/model/appointment.ts";
import { dateInIndia, HOUR } from "#app/model/dates.ts";
import { newId } from "#app/model/ids.ts";
import type { MessageEvent } from "#app/model/message-events.ts";
import {
  type Channel,
  HELD_BACK_WINDOW,
  MESSAGE_KINDS,
  type MessageKind,
  type OwnerAlert,
} from "#app/model/messages.ts";
import { failure, type Outcome, success } from "#app/model/outcome.ts";
import { type Db, inTransaction } from "#db/connection.server.ts";
import { findAppointment } from "#db/queries/appointments.server.ts";
import { countRecentMails, isOptedOut } from "#db/queries/message-leases.server.ts";
import {
  findMessage,
  insertMessage,
  type Message,
  requeueMessage,
  wasOwnerAlerted,
} from "#db/queries/messages.server.ts";
import {
  MOVES,
  redirectCustomerMessages,
  supersedeConfirmation,
  supersedeCounselorMessages,
  supersedeOlder,
  takeUntold,
  wasSent,
} from "#db/queries/unsent-messages.server.ts";
import { confirmedAgain, type Draft, draftsOf } from "./drafts.server.ts";
import { holdsCode, isE164, isMailAddress, whyHeldBack, whyNotSentAgain } from "./relevance.ts";

export const CHANNELS: readonly Channel[] = ["email", "whatsapp"];

/**
 * Queues every message that an event causes. Call it inside the transaction of the cause, and wake
 * the worker after the commit. A repeated event changes nothing.
 */
export function queueMessages(tx: Db, env: Env, now: number, event: MessageEvent): void {
  const drafts = draftsOf(env, now, event);
  // Before what waits is superseded below.
  const letters = drafts
    .flatMap((draft) => lettersOf(env, draft))
    .flatMap((letter) => inPlaceOfUntold(tx, letter, now) ?? []);
  for (const { kind, appointmentId, channels = CHANNELS } of drafts) {
    if (!appointmentId) continue;
    for (const channel of channels) supersedeOlder(tx, appointmentId, channel, kind);
  }
  if (event.type === "contact_corrected") correctRecipients(tx, event, now);
  if (event.type === "rescheduled" && event.previous.counselor) {
    supersedeCounselorMessages(tx, event.appointment.id);
  }
  for (const letter of letters) insertLetter(tx, now, letter);
}

/** A draft by one channel. */
interface Letter extends Omit<Draft, "recipient" | "channels"> {
  channel: Channel;
  recipient: string;
}

function lettersOf(env: Env, { recipient: to, channels = CHANNELS, ...draft }: Draft): Letter[] {
  const { email, phone } = to;
  const letters: Letter[] = [];
  if (email && isMailAddress(email) && channels.includes("email")) {
    letters.push({ ...draft, channel: "email", recipient: email });
  }
  const { whatsapp } = MESSAGE_KINDS[draft.kind];
  const mayWrite = whatsapp && env.whatsapp !== null && channels.includes("whatsapp");
  if (mayWrite && phone && isE164(phone)) {
    letters.push({ ...draft, channel: "whatsapp", recipient: phone });
  }
  return letters;
}

/**
 * Takes the place of messages about earlier changes that still wait: their recipient knows only the
 * time and captain before these. Null for a captain to whom the session was passed on and who was not
 * told.
 */
function inPlaceOfUntold(tx: Db, letter: Letter, now: number): Letter | null {
  const { kind, cause, channel, recipient, appointmentId, data } = letter;
  const isFirst = kind === "counselor_new" && !data?.previousCounselor;
  if (!appointmentId || isFirst || !OF_CHANGES.includes(kind)) return letter;
  const { audience } = MESSAGE_KINDS[kind];
  const untold = takeUntold(tx, { appointmentId, audience, channel, recipient, cause }, now);
  const first = untold[0];
  if (!first) return letter;
  if (first.kind === "counselor_new") {
    return kind === "counselor_cancelled" ? null : { ...letter, kind: "counselor_new" };
  }
  const { previousDate, previousTimeSlot } = first.data;
  const known = { ...letter, data: { ...data, previousDate, previousTimeSlot } };
  // Who was told of the session, and not yet that they gave it away.
  if (kind === "counselor_new") {
    return wasSent(tx, appointmentId, recipient) ? { ...known, kind: "counselor_moved" } : letter;
  }
  if (kind !== "booking_rescheduled") return known;
  const said = [...untold.map((one) => one.data), data];
  const previousCounselor = said.map((one) => one?.previousCounselor).find(Boolean);
  return { ...known, data: { ...known.data, previousCounselor } };
}

/** Messages of which only the newest is true. */
const OF_CHANGES: readonly MessageKind[] = [...MOVES, "booking_cancelled"];

function insertLetter(tx: Db, now: number, letter: Letter): void {
  const { kind, channel, recipient, appointmentId = null, data = {}, notAfter = null } = letter;
  const heldBack = whyHeldBack({
    kind,
    channel,
    unpaid: letter.unpaid ?? false,
    bySelfService: letter.bySelfService ?? false,
    optedOut: channel === "whatsapp" && isOptedOut(tx, recipient),
    recent: countRecentMails(tx, kind, recipient, now - HELD_BACK_WINDOW),
  });
  insertMessage(tx, {
    id: newId(),
    // For an address that asks again and again, one row a day says that mails were held back.
    cause:
      heldBack !== null && !appointmentId
        ? `held_back:${kind}:${recipient.toLowerCase()}:${dateInIndia(now)}`
        : letter.cause,
    kind,
    channel,
    audience: MESSAGE_KINDS[kind].audience,
    recipient,
    appointmentId,
    data,
    notAfter,
    heldBack,
    now,
  });
}

/** Redirects unsent messages to the corrected address; a new confirmation replaces an unsent one. */
function correctRecipients(
  tx: Db,
  event: Extract<MessageEvent, { type: "contact_corrected" }>,
  now: number,
): void {
  const { id, contact } = event.appointment;
  const { email, phone } = contact;
  if (confirmedAgain(event).includes("email")) supersedeConfirmation(tx, id, "email");
  if (event.changed.includes("email")) redirectCustomerMessages(tx, id, "email", email, now);
  if (event.changed.includes("phone")) {
    supersedeConfirmation(tx, id, "whatsapp");
    if (isE164(phone)) redirectCustomerMessages(tx, id, "whatsapp", phone, now);
  }
}

/**
 * Queues an alert to the owner, unless the same one was queued within the hour before `now`. Wake
 * the worker after the commit if it returns true. Joins the caller's transaction, or makes one.
 * Cheap during a flood: within the hour it only reads.
 */
export function alertOwner(db: Db, env: Env, now: number, alert: OwnerAlert): boolean {
  const isDue = () => !wasOwnerAlerted(db, alert, now - HOUR + 1, now);
  if (!isDue()) return false;
  return inTransaction(db, (tx) => {
    if (!isDue()) return false;
    queueMessages(tx, env, now, { type: "owner_alert", alert, at: now });
    return true;
  });
}

/**
 * Queues a message again, even if it was sent or held back, for the present address of its customer
 * or captain. Does nothing while the message is being sent, nor if it was resent more often than
 * `sends`, because the form was submitted twice. Refusals: `not_found`, `validation_failed` (a code;
 * WhatsApp about an unpaid booking).
 */
export function resendMessage(
  deps: ChangeDeps,
  actor: Actor,
  messageId: string,
  sends?: number,
): Outcome<Message> {
  return change(deps, actor, ({ tx, now, log }) => {
    const message = findMessage(tx, messageId);
    if (message === null) return failure("not_found", "There is no such message.");
    if (holdsCode(message.kind)) {
      return failure("validation_failed", "A code is sent only once. Please ask for a new one.");
    }
    const appointment =
      message.appointmentId === null ? null : findAppointment(tx, message.appointmentId);
    const isOut = isOptedOut(tx, presentRecipient(message, appointment));
    const reason = whyNotSentAgain(message, appointment, isOut);
    if (reason !== null) return failure("validation_failed", reason);
    if (sends !== undefined && sends !== timesResent(message)) return success(message);
    if (!requeueMessage(tx, messageId, now, deps.env.business.email)) return success(message);
    log("resend", message.appointmentId ?? messageId, {
      after: { message: messageId, kind: message.kind, channel: message.channel },
    });
    return success(findMessage(tx, messageId) ?? message);
  });
}

/** Where a message would go now: its customer's number may have been corrected since. */
export function presentRecipient(
  { channel, recipient }: Pick<Message, "channel" | "recipient">,
  appointment: Pick<Appointment, "contact"> | null,
): string {
  return (channel === "whatsapp" && appointment?.contact.phone) || recipient;
}

/** How often it was resent. */
export function timesResent({ data }: Pick<Message, "data">): number {
  return Number(data.resend ?? 0);
}
