/** Turns what happened into message rows, inside the transaction of the cause. Sends nothing. */

import type { Env } from "#app/core/env.server.ts";
import { dateInIndia } from "#app/model/dates.ts";
import { newId } from "#app/model/ids.ts";
import type { MessageEvent } from "#app/model/message-events.ts";
import { type Channel, HELD_BACK_WINDOW, MESSAGE_KINDS } from "#app/model/messages.ts";
import type { Db } from "#db/connection.server.ts";
import { countRecentMails, isOptedOut } from "#db/queries/message-leases.server.ts";
import {
  insertMessage,
  redirectCustomerMessages,
  supersedeConfirmation,
  supersedeCounselorMessages,
  supersedeLink,
} from "#db/queries/messages.server.ts";
import { confirmedAgain, type Draft, draftsOf } from "./drafts.server.ts";
import { whyHeldBack } from "./held-back.ts";
import { isE164, isMailAddress } from "./recipients.ts";

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
