/** Turns what happened into message rows, inside the transaction of the cause. Sends nothing. */

import { change } from "#app/core/change.server.ts";
import type { Deps } from "#app/core/deps.server.ts";
import type { Env } from "#app/core/env.server.ts";
import type { Actor } from "#app/model/actor.ts";
import { dateInIndia } from "#app/model/dates.ts";
import { HOUR } from "#app/model/duration.ts";
import { newId } from "#app/model/ids.ts";
import type { MessageEvent } from "#app/model/message-events.ts";
import {
  type Channel,
  HELD_BACK_WINDOW,
  MESSAGE_KINDS,
  type Message,
  type OwnerAlert,
} from "#app/model/messages.ts";
import { failure, type Outcome, success } from "#app/model/outcome.ts";
import { type Db, inTransaction } from "#db/connection.server.ts";
import { findAppointment } from "#db/queries/appointments.server.ts";
import { countRecentMails } from "#db/queries/held-back.server.ts";
import {
  findMessage,
  insertMessage,
  redirectCustomerMessages,
  requeueMessage,
  supersedeConfirmation,
  supersedeCounselorMessages,
  supersedeLink,
  wasOwnerAlerted,
} from "#db/queries/messages.server.ts";
import { isOptedOut } from "#db/queries/opt-outs.server.ts";
import { confirmedAgain, type Draft, draftsOf } from "./drafts.server.ts";
import { holdsCode, isE164, isMailAddress, whyHeldBack, whyNotSentAgain } from "./relevance.ts";

/**
 * Queues every message an event causes. `now` is milliseconds UTC. Called inside the transaction
 * of the cause; wake the worker after the commit. A repeat of the event changes nothing.
 */
export function queueMessages(tx: Db, env: Env, now: number, event: MessageEvent): void {
  const drafts = draftsOf(env, now, event);
  for (const { kind, appointmentId } of drafts) {
    if (kind === "payment_link" && appointmentId) supersedeLink(tx, appointmentId);
  }
  if (event.type === "contact_corrected") correctRecipients(tx, event);
  if (event.type === "rescheduled" && event.previous.counselor) {
    supersedeCounselorMessages(tx, event.appointment.id);
  }
  for (const draft of drafts) insertDraft(tx, env, now, draft);
}

function insertDraft(tx: Db, env: Env, now: number, draft: Draft): void {
  const { audience, whatsapp } = MESSAGE_KINDS[draft.kind];
  const { email, phone } = draft.recipient;
  const wants = (channel: Channel) => draft.channels?.includes(channel) ?? true;
  const insert = (channel: Channel, recipient: string) => {
    const heldBack = whyHeldBack({
      kind: draft.kind,
      channel,
      unpaid: draft.unpaid ?? false,
      bySelfService: draft.bySelfService ?? false,
      optedOut: channel === "whatsapp" && isOptedOut(tx, recipient),
      recent: countRecentMails(tx, draft.kind, recipient, now - HELD_BACK_WINDOW),
    });
    insertMessage(tx, {
      id: newId(),
      // Of what an address asks for again and again, one row a day says that it was held back.
      cause:
        heldBack !== null && !draft.appointmentId
          ? `held_back:${draft.kind}:${recipient.toLowerCase()}:${dateInIndia(now)}`
          : draft.cause,
      kind: draft.kind,
      channel,
      audience,
      recipient,
      appointmentId: draft.appointmentId ?? null,
      data: draft.data ?? {},
      notAfter: draft.notAfter ?? null,
      heldBack,
      now,
    });
  };
  if (email && isMailAddress(email) && wants("email")) insert("email", email);
  const toPhone = whatsapp && env.whatsapp !== null && phone && isE164(phone) && wants("whatsapp");
  if (toPhone) insert("whatsapp", phone);
}

/** Unsent messages follow the customer; an unsent confirmation gives way to the new one. */
function correctRecipients(
  tx: Db,
  event: Extract<MessageEvent, { type: "contact_corrected" }>,
): void {
  const { id, contact } = event.appointment;
  const { email, phone } = contact;
  if (confirmedAgain(event).includes("email")) supersedeConfirmation(tx, id, "email");
  if (event.changed.includes("email")) redirectCustomerMessages(tx, id, "email", email);
  if (event.changed.includes("phone")) {
    supersedeConfirmation(tx, id, "whatsapp");
    if (isE164(phone)) redirectCustomerMessages(tx, id, "whatsapp", phone);
  }
}

/**
 * Queues the alert's mail unless one was queued within the hour before `now` (milliseconds UTC);
 * true if it did: wake the worker then, after the commit. Joins the caller's transaction, or makes
 * one. Cheap to call at every event of a flood: within the hour it only reads.
 */
export function alertOwner(db: Db, env: Env, now: number, alert: OwnerAlert): boolean {
  const isNews = () => !wasOwnerAlerted(db, alert, now - HOUR + 1, now);
  if (!isNews()) return false;
  return inTransaction(db, (tx) => {
    if (!isNews()) return false;
    queueMessages(tx, env, now, { type: "owner_alert", alert, at: now });
    return true;
  });
}

/**
 * Queues a message again, also one that was sent or held back, for the address that its
 * customer has now, or whose captain has the session now. One that is being sent at this moment
 * stays as it is. With `sends`, so does one that was sent again more often than that: the press
 * comes for the second time. Refusals: `not_found`, `validation_failed` (a code; a WhatsApp message about a
 * booking that is not paid).
 */
export function resendMessage(
  deps: Pick<Deps, "db" | "now" | "wake">,
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
    const reason = whyNotSentAgain(message, appointment, isOptedOut(tx, message.recipient));
    if (reason !== null) return failure("validation_failed", reason);
    if (sends !== undefined && sends !== timesResent(message)) return success(message);
    requeueMessage(tx, messageId, now);
    log("resend", message.appointmentId ?? messageId, {
      after: { message: messageId, kind: message.kind, channel: message.channel },
    });
    return success(findMessage(tx, messageId) ?? message);
  });
}

/** How often it was sent again by a person. */
export function timesResent({ data }: Pick<Message, "data">): number {
  return Number(data.resend ?? 0);
}
