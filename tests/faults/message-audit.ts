/** Every cause has its messages, each delivered once, parked, or held back where nobody had paid. */
import { isTooLate } from "#app/model/statuses.ts";
import type { Mail } from "#scripts/sandbox/mailbox.ts";
import { type Evidence, isPaidStatus, type MessageEvidence, type Violation } from "./evidence.ts";
import type { QueuedMessage } from "./journal.ts";

export function auditMessages(evidence: Evidence): Violation[] {
  return [...causes(evidence), ...ends(evidence), ...arrivals(evidence)];
}

/** What must have been queued, from what happened. */
function causes(evidence: Evidence): Violation[] {
  const violations: Violation[] = [];
  const queued = new Set(
    evidence.queued.map(({ cause, channel, kind }) => `${cause} ${channel} ${kind}`),
  );
  const expect = (cause: string, kinds: string[], about: string[]) => {
    for (const kind of kinds) {
      if (queued.has(`${cause} email ${kind}`)) continue;
      violations.push({
        rule: "every cause has its messages",
        what: `no ${kind} for ${cause}`,
        about,
      });
    }
  };
  for (const [id, states] of evidence.moments) {
    const paid = states.some(({ status }) => isPaidStatus(status));
    const cancelled = states.findIndex(({ status }) => status === "cancelled");
    const before = states[cancelled - 1];
    // Late money and a deletion cancel without raising the sequence: the one has messages of its own,
    // of the other nobody is notified.
    const byHand = (states[cancelled]?.calendar_sequence ?? 0) > (before?.calendar_sequence ?? 0);
    const wasPaid = byHand && before !== undefined && isPaidStatus(before.status);
    if (paid) expect(`confirmed:${id}`, ["booking_confirmed", "counselor_new"], [id]);
    if (before && byHand) expect(`cancelled:${id}`, ["booking_cancelled"], [id]);
    if (wasPaid) expect(`cancelled:${id}`, ["booking_cancelled", "counselor_cancelled"], [id]);
    for (const [i, state] of states.entries()) {
      const before = states[i - 1];
      if (!before || state.status === "deleted") continue;
      if (state.calendar_sequence <= before.calendar_sequence || state.status === "cancelled")
        continue;
      const isPaid = isPaidStatus(state.status);
      for (const kind of ["booking_rescheduled", ...(isPaid ? ["counselor_moved"] : [])]) {
        const isQueued = evidence.queued.some(
          (message) =>
            message.kind === kind &&
            message.appointment_id === id &&
            sequenceOf(message) === state.calendar_sequence,
        );
        if (!isQueued) expect(`move ${state.calendar_sequence} of ${id}`, [kind], [id]);
      }
    }
    const { status, hold_until } = states.at(-1)!;
    if (
      status === "pending_payment" &&
      (hold_until ?? 0) < Date.now() &&
      !isChecked(evidence, id)
    ) {
      expect(`unpaid:${id}`, ["booking_unpaid"], [id]);
    }
  }
  for (const payment of evidence.payments.values()) {
    const { payment_id: id, outcome, appointment_id } = payment;
    const about = [id, appointment_id ?? ""];
    if (isTooLate(outcome)) {
      expect(`late_payment:${id}`, ["late_payment_refunded", "admin_late_refund"], about);
    } else if (outcome === "second") expect(`payment_returned:${id}`, ["payment_refunded"], about);
    else if (outcome === "wrong_amount") {
      expect(`payment_returned:${id}`, ["payment_refunded", "admin_wrong_amount"], about);
    } else if (outcome === "unmatched") {
      expect(`unmatched:${id}`, ["admin_unmatched_payment"], about);
    }
  }
  for (const { id, generation, payment_id } of evidence.stuckRefunds) {
    expect(`refund_needs_person:${id}:${generation}`, ["admin_refund_needs_person"], [payment_id]);
  }
  return violations;
}

/** Its money may still be under way, so nobody is notified that it is unpaid. */
function isChecked({ payments }: Evidence, appointmentId: string): boolean {
  return [...payments.values()].some(
    (p) => p.appointment_id === appointmentId && p.outcome === "authorized",
  );
}

function ends({ messages }: Evidence): Violation[] {
  return messages
    .filter((message) => !isDone(message))
    .map(({ id, kind, state, last_error, appointment_id }) => ({
      rule: "every message is delivered or parked visibly",
      what: `${kind} ${id} is ${state} (${last_error})`,
      about: [appointment_id ?? ""],
    }));
}

function isDone({ state, last_error, next_try_at }: MessageEvidence): boolean {
  if (next_try_at !== null) return false;
  if (state === "failed" || state === "held_back") return Boolean(last_error);
  return state === "sent" || state === "delivered" || state === "read";
}

/** What is marked as sent has arrived, and what arrived was queued; copies are one message. */
function arrivals({ sandbox, messages, queued, documents, kills }: Evidence): Violation[] {
  const violations: Violation[] = [];
  const wrong = (rule: string, what: string, message?: QueuedMessage | MessageEvidence) =>
    violations.push({ rule, what, about: [message?.appointment_id ?? ""] });
  const mails = Map.groupBy(sandbox.mailbox.list(), messageIdOf);
  const whatsapps = Map.groupBy(sandbox.whatsapp.messages, idOfWhatsApp);
  const known = new Map(queued.map((message) => [message.id, message]));
  for (const message of messages) {
    const arrived = message.channel === "email" ? mails : whatsapps;
    if (message.state === "held_back" && arrived.has(message.id)) {
      wrong("what is held back does not arrive", `${message.kind} ${message.id}`, message);
    }
    if (message.state === "failed" || message.state === "held_back") continue;
    if (!arrived.has(message.id)) {
      wrong("what is marked as sent has arrived", `${message.kind} ${message.id}`, message);
    }
  }
  const faults = [
    ["email", mails, ["smtp_answer_lost"]],
    ["whatsapp", whatsapps, ["whatsapp_answer_lost"]],
  ] as const;
  for (const [channel, arrived, excuses] of faults) {
    // A send whose answer was never seen must be repeated; without such a reason nothing is.
    const excused = kills + excuses.reduce((sum, name) => sum + sandbox.switches.fired(name), 0);
    for (const [id, copies] of arrived) {
      const message = known.get(id);
      if (!message) wrong("what arrives was queued", `${channel} ${id}`);
      else if (copies.length - resendsOf(messages, id) > 1 + excused) {
        wrong(
          "a message once per cause",
          `${copies.length} copies of ${message.kind} ${id}`,
          message,
        );
      }
    }
  }
  for (const [id, copies] of mails) {
    const message = known.get(id);
    if (message?.kind !== "booking_confirmed" && message?.kind !== "refund_under_way") continue;
    const { refundId } = JSON.parse(message.data);
    if (refundId && !documents.some(({ refund_id }) => refund_id === refundId)) continue;
    const whole = copies.every(({ attachments }) =>
      attachments.some(({ contentType }) => contentType === "application/pdf"),
    );
    if (!whole) wrong("a mail carries its invoice or credit note", id, message);
  }
  return violations;
}

function resendsOf(messages: readonly MessageEvidence[], id: string): number {
  const data = messages.find((message) => message.id === id)?.data;
  return data ? Number(JSON.parse(data).resend ?? 0) : 0;
}

/** The row's id: before the `@`, and before the count of a wanted resend. */
function messageIdOf({ messageId }: Mail): string {
  return /^<?([a-z0-9]+)/.exec(messageId ?? "")?.[1] ?? `none: ${messageId}`;
}

function idOfWhatsApp({ opaque }: { opaque?: string }): string {
  return opaque?.split(".")[0] ?? "";
}

/** The move that a message is about. */
function sequenceOf({ data }: QueuedMessage): number {
  return JSON.parse(data).sequence;
}
