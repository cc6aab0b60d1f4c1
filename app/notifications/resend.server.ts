/** The admin's "send again". */

import { change } from "#app/core/change.server.ts";
import type { Deps } from "#app/core/deps.server.ts";
import type { Actor } from "#app/model/actor.ts";
import type { Message } from "#app/model/messages.ts";
import { failure, type Outcome, success } from "#app/model/outcome.ts";
import { findAppointment } from "#db/queries/appointments.server.ts";
import { isOptedOut } from "#db/queries/message-leases.server.ts";
import { findMessage, requeueMessage } from "#db/queries/messages.server.ts";
import { whyNotSentAgain } from "./held-back.ts";
import { holdsCode } from "./relevance.ts";

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
