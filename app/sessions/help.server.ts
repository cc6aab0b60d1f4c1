/**
 * Help at a session's hour: one side says that the other is not there, the customer asks for
 * another time or a refund, staff settle it. When is in `app/model/help.ts`.
 */
import { cancelAppointment, refundOnCancel } from "#app/booking/cancel-and-refund.server.ts";
import { refuseCancelled } from "#app/booking/change-rules.ts";
import { rescheduleAppointment } from "#app/booking/reschedule-appointment.server.ts";
import { readOwnNewTimes } from "#app/booking/self-service.server.ts";
import { SLOT_TAKEN } from "#app/booking/take-time.server.ts";
import { changeAppointment } from "#app/core/change.server.ts";
import type { ChangeDeps } from "#app/core/deps.server.ts";
import type { Actor } from "#app/model/actor.ts";
import { formatDeadline, instantOf } from "#app/model/dates.ts";
import { isUndecided } from "#app/model/dispute.ts";
import { type HelpSide, helpHours, takesAsking, takesHelpCall } from "#app/model/help.ts";
import { type Failure, failure, type Outcome, success } from "#app/model/outcome.ts";
import { queueMessages } from "#app/notifications/queue.server.ts";
import type { Db } from "#db/connection.server.ts";
import {
  type HelpAsked,
  type HelpCall,
  insertHelpCall,
  listHelpCalls,
  type OfSession,
  saveAsked,
  settleHelpCall,
} from "#db/queries/help-calls.server.ts";
import { listDisputesOf } from "#db/queries/refunds.server.ts";

export function findHelpCall(db: Db, session: OfSession, side: HelpSide): HelpCall | null {
  return listHelpCalls(db, session).find((call) => call.side === side) ?? null;
}

/**
 * Once for each time of a session and each side: who repeats it is answered that it was known.
 * Notifies the other side and staff. Refusals: `not_found`, `already_cancelled`, `too_early`,
 * `stale` (too late, or noted as completed).
 */
export function callForHelp(
  deps: ChangeDeps,
  actor: Actor,
  id: string,
  side: HelpSide,
): Outcome<{ isNew: boolean }> {
  return changeAppointment<{ isNew: boolean }>(deps, actor, id, (appointment, { tx, now, log }) => {
    const cancelled = refuseCancelled(appointment);
    if (cancelled) return cancelled;
    if (findHelpCall(tx, appointment, side)) return success({ isNew: false });
    if (!takesHelpCall(appointment, now)) {
      const { from } = helpHours(appointment);
      return now < from ? tooEarly(formatDeadline(from, now)) : OVER;
    }
    insertHelpCall(tx, appointment, { side, at: now });
    log("help_call", id, { after: { missing: side === "customer" ? "captain" : "customer" } });
    queueMessages(tx, deps.env, now, { type: "help_called", appointment, side });
    return success({ isNew: true });
  });
}

const tooEarly = (from: string) =>
  failure("too_early", `You can say so from ${from} on. Please wait until then.`);

const OVER = failure(
  "stale",
  "This can be said of a paid session until an hour after its end, and not once it is noted as completed. Please contact us.",
);

/**
 * The customer asks for another time, or for all money back; asking again takes the place of what
 * was asked. Staff are mailed once about each. Refusals: `not_found`, `already_cancelled`,
 * `stale`, `slot_taken`.
 */
export function askForHelp(deps: ChangeDeps, id: string, asked: HelpAsked): Outcome<null> {
  return changeAppointment(deps, { kind: "customer" }, id, (appointment, { tx, now, log }) => {
    const cancelled = refuseCancelled(appointment);
    if (cancelled) return cancelled;
    const call = findHelpCall(tx, appointment, "customer");
    if (!takesAsking(appointment, call, now)) return NOT_OPEN;
    if (asked.asks === "refund" && refundOnCancel(tx, appointment) === 0) return NOTHING_LEFT;
    const isGone =
      asked.asks === "move" &&
      !readOwnNewTimes(deps, appointment, asked.date).includes(asked.timeSlot);
    if (isGone) return SLOT_TAKEN;
    saveAsked(tx, appointment, asked);
    const { asks } = asked;
    // Once, however often it is changed; what is settled stands in the line of that.
    if (call!.asks === null) log("help_ask", id, { after: { askedFor: asks } });
    queueMessages(tx, deps.env, now, { type: "help_called", appointment, side: "customer", asks });
    return success(null);
  });
}

const NOT_OPEN = failure(
  "stale",
  "There is nothing to ask for here (any more). If something is still open, please contact us.",
);

const NOTHING_LEFT = failure("stale", "All your money has been sent back already.");

/** What a call asks for: staff settle what they have read. */
export function askedOf({ asks, askedDate, askedTime }: HelpCall): string {
  return [asks, askedDate, askedTime].filter(Boolean).join(" ");
}

interface Settling {
  side: HelpSide;
  /** As `askedOf` said it when the button was shown. */
  asked: string;
  startsAt: number;
  /** Does what was asked for; else the call is closed. */
  confirm: boolean;
}

export type Settled = "moved" | "refunded" | "closed";

/**
 * Staff's, once. Confirming moves the session, or cancels it with all money back; what that refuses
 * leaves the call open. Refusals beside those: `not_found`, `stale`.
 */
export function settleHelp(
  deps: ChangeDeps,
  actor: Actor,
  id: string,
  { side, asked, startsAt, confirm }: Settling,
): Outcome<Settled> {
  return changeAppointment(deps, actor, id, (appointment, { tx, now, log }) => {
    const call = findHelpCall(tx, { id, startsAt }, side);
    const isSame = call !== null && appointment.startsAt === startsAt && askedOf(call) === asked;
    if (!isSame || call.settledAt !== null) return CHANGED;
    const refusal = confirm ? doAsked(deps, actor, id, call) : null;
    if (refusal) return refusal;
    settleHelpCall(tx, { id, startsAt }, side, now);
    const settled: Settled = !confirm ? "closed" : call.asks === "move" ? "moved" : "refunded";
    log("help_settle", id, { after: { settled, ...(asked && { askedFor: asked }) } });
    return success(settled);
  });
}

const CHANGED = failure(
  "stale",
  "This was settled, or something else was asked for, in the meantime. Please look at it again.",
);

/** Null once it is done. */
function doAsked(deps: ChangeDeps, actor: Actor, id: string, call: HelpCall): Failure | null {
  const { asks, askedDate, askedTime } = call;
  if (asks === null) return CHANGED;
  if (asks === "move") {
    const time = { date: askedDate!, timeSlot: askedTime! };
    if (instantOf(time.date, time.timeSlot) <= deps.now()) return TIME_GONE;
    const moved = rescheduleAppointment(deps, actor, id, time);
    if (moved.ok) return null;
    return moved.code === "slot_taken" ? TIME_GONE : moved;
  }
  // Only the panel's own dialog says what a refund beside a dispute means.
  if (listDisputesOf(deps.db, id).some(isUndecided)) return DISPUTED;
  const reason = { by: "business", reason: DID_NOT_COME } as const;
  const cancelled = cancelAppointment(deps, actor, id, reason);
  return cancelled.ok ? null : cancelled;
}

const TIME_GONE = failure(
  "slot_taken",
  "The time asked for is no longer free. Please move the session from its panel, or call the customer.",
);

const DISPUTED = failure(
  "validation_failed",
  "The customer's bank disputes this payment. Please cancel from the booking's panel, which says what to know first.",
);

const DID_NOT_COME = "The session did not take place, because the captain did not come.";
