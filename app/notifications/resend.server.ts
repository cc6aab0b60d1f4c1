/** The admin's "send again". */
import type { Deps } from "#app/lib/deps.server.ts";
import { failure, type Outcome, success } from "#app/lib/outcome.ts";
import { inTransaction } from "#db/connection.server.ts";
import { findMessage, requeueMessage } from "#db/queries/messages.server.ts";
import type { Message } from "./messages.ts";

/**
 * Queues a message anew, also one that was sent, for the address its customer has now. One that is
 * being sent at this moment stays as it is. The caller writes the activity log.
 */
export function resendMessage(deps: Deps, messageId: string): Outcome<Message> {
  const outcome = inTransaction(deps.db, (tx): Outcome<Message> => {
    const message = findMessage(tx, messageId);
    if (message === null) return failure("not_found", "There is no such message.");
    if (message.kind === "reset_code") {
      return failure("validation_failed", "A code is sent only once. Please ask for a new one.");
    }
    requeueMessage(tx, messageId, deps.now());
    return success(findMessage(tx, messageId) ?? message);
  });
  if (outcome.ok) deps.wake();
  return outcome;
}
