/** Every cause has its messages, each delivered once, parked, or held back where nobody had paid. */
import { isTooLate } from "#app/model/statuses.ts";
import type { Mail } from "#scripts/sandbox/mailbox.ts";
import {
  type Evidence,
  isPaidStatus,
  type MessageEvidence,
  type Moment,
  type QueuedMessage,
  type Rules,
} from "./evidence.ts";

export const MESSAGE_RULES: Rules = {
  "every cause has its messages": causes,
  "every message is delivered or parked visibly": ends,
  "what is held back does not arrive": heldBack,
  "what is marked as sent has arrived": sent,
  "a message once per cause": copies,
  "a mail carries its invoice or credit note": attachments,
};

/** What must have been queued, from what happened. */
function* causes(evidence: Evidence) {
  const { queued, moments, payments, stuckRefunds } = evidence;
  const known = new Set(queued.map(({ cause, channel, kind }) => `${cause} ${channel} ${kind}`));
  const missing = (cause: string, ...kinds: string[]) =>
    kinds
      .filter((kind) => !known.has(`${cause} email ${kind}`))
      .map((kind) => `no ${kind} for ${cause}`);
  for (const [id, states] of moments) {
    const cancelled = states.findIndex(({ status }) => status === "cancelled");
    const before = states[cancelled - 1];
    // Late money and a deletion cancel without raising the sequence: the one has messages of its own,
    // of the other nobody is notified.
    const byHand = before && states[cancelled]!.calendar_sequence > before.calendar_sequence;
    if (states.some(({ status }) => isPaidStatus(status))) {
      yield* missing(`confirmed:${id}`, "booking_confirmed", "counselor_new");
    }
    if (byHand) yield* missing(`cancelled:${id}`, "booking_cancelled");
    if (byHand && isPaidStatus(before.status)) {
      yield* missing(`cancelled:${id}`, "counselor_cancelled");
    }
    yield* moves(id, states, queued);
    const { status, hold_until } = states.at(-1)!;
    const isUnpaid = status === "pending_payment" && (hold_until ?? 0) < Date.now();
    // Money may still be under way.
    const isChecked = [...payments.values()].some(
      (one) => one.appointment_id === id && one.outcome === "authorized",
    );
    if (isUnpaid && !isChecked) yield* missing(`unpaid:${id}`, "booking_unpaid");
  }
  for (const { payment_id: id, outcome } of payments.values()) {
    const back = `payment_returned:${id}`;
    if (isTooLate(outcome)) {
      yield* missing(`late_payment:${id}`, "late_payment_refunded", "admin_late_refund");
    } else if (outcome === "second") yield* missing(back, "payment_refunded");
    else if (outcome === "wrong_amount") {
      yield* missing(back, "payment_refunded", "admin_wrong_amount");
    } else if (outcome === "unmatched") {
      yield* missing(`unmatched:${id}`, "admin_unmatched_payment");
    }
  }
  for (const { id, generation } of stuckRefunds) {
    yield* missing(`refund_needs_person:${id}:${generation}`, "admin_refund_needs_person");
  }
}

function* moves(id: string, states: readonly Moment[], queued: readonly QueuedMessage[]) {
  for (const [i, { status, calendar_sequence: sequence }] of states.entries()) {
    const before = states[i - 1];
    if (!before || status === "deleted" || status === "cancelled") continue;
    if (sequence <= before.calendar_sequence) continue;
    // A captain who was not told yet that the session is theirs is told of a new one.
    const toCaptain = isPaidStatus(status) ? ["counselor_moved counselor_new"] : [];
    for (const kinds of ["booking_rescheduled", ...toCaptain]) {
      const isQueued = queued.some(
        (one) =>
          kinds.split(" ").includes(one.kind) &&
          one.appointment_id === id &&
          JSON.parse(one.data).sequence === sequence,
      );
      if (!isQueued) yield `no ${kinds} for move ${sequence} of ${id}`;
    }
  }
}

function* ends({ messages }: Evidence) {
  for (const { id, kind, state, last_error, next_try_at, appointment_id } of messages) {
    const isParked = (state === "failed" || state === "held_back") && Boolean(last_error);
    const isDone = isParked || state === "sent" || state === "delivered" || state === "read";
    if (isDone && next_try_at === null) continue;
    yield `${kind} ${id} of ${appointment_id} is ${state} (${last_error})`;
  }
}

/** What came, by the row's id: before the `@`, and before the count of a wanted resend. */
const mailsOf = ({ sandbox }: Evidence) =>
  Map.groupBy(
    sandbox.mailbox.list(),
    ({ messageId }) => /^<?([a-z0-9]+)/.exec(messageId ?? "")?.[1] ?? `none: ${messageId}`,
  );
const whatsAppsOf = ({ sandbox }: Evidence) =>
  Map.groupBy(sandbox.whatsapp.messages, ({ opaque }) => opaque?.split(".")[0] ?? "");

const nameOf = ({ kind, id, appointment_id }: QueuedMessage | MessageEvidence) =>
  `${kind} ${id} of ${appointment_id}`;

/** Whether a message came where its channel leads. */
function arrivedIn(evidence: Evidence) {
  const arrived = { email: mailsOf(evidence), whatsapp: whatsAppsOf(evidence) };
  return ({ channel, id }: MessageEvidence) => arrived[channel].has(id);
}

function* heldBack(evidence: Evidence) {
  const hasArrived = arrivedIn(evidence);
  for (const message of evidence.messages) {
    if (message.state === "held_back" && hasArrived(message)) yield nameOf(message);
  }
}

function* sent(evidence: Evidence) {
  const hasArrived = arrivedIn(evidence);
  for (const message of evidence.messages) {
    const isParked = message.state === "failed" || message.state === "held_back";
    if (!isParked && !hasArrived(message)) yield nameOf(message);
  }
}

/**
 * What arrived was queued; copies are one message. A send whose answer was never seen must be
 * repeated; without such a reason nothing is.
 */
function* copies(evidence: Evidence) {
  const { sandbox, queued, messages, kills } = evidence;
  const known = new Map(queued.map((message) => [message.id, message]));
  const resends = (id: string) => {
    const data = messages.find((message) => message.id === id)?.data;
    return data ? Number(JSON.parse(data).resend ?? 0) : 0;
  };
  const came = [
    ["email", "smtp_answer_lost", mailsOf(evidence)],
    ["whatsapp", "whatsapp_answer_lost", whatsAppsOf(evidence)],
  ] as const;
  for (const [channel, lost, arrived] of came) {
    const excused = kills + sandbox.switches.fired(lost);
    for (const [id, all] of arrived) {
      const message = known.get(id);
      if (!message) yield `${channel} ${id} was never queued`;
      else if (all.length - resends(id) > 1 + excused) {
        yield `${all.length} copies of ${nameOf(message)}`;
      }
    }
  }
}

function* attachments(evidence: Evidence) {
  const { queued, documents } = evidence;
  const mails = mailsOf(evidence);
  const hasPdf = (mail: Mail) =>
    mail.attachments.some(({ contentType }) => contentType === "application/pdf");
  for (const message of queued) {
    if (message.kind !== "booking_confirmed" && message.kind !== "refund_under_way") continue;
    const { refundId } = JSON.parse(message.data);
    if (refundId && !documents.some(({ refund_id }) => refund_id === refundId)) continue;
    if (!(mails.get(message.id) ?? []).every(hasPdf)) yield nameOf(message);
  }
}
