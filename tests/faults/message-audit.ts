/**
 * Every cause has its messages, each delivered once, parked, or held back where nobody had paid, and
 * none said what was not so.
 */
import { BY_HAND } from "#app/documents/document-facts.ts";
import { isTooLate } from "#app/model/statuses.ts";
import type { Mail } from "#scripts/sandbox/mailbox.ts";
import {
  type Evidence,
  isPaidStatus,
  type MessageEvidence,
  type RefundEvidence,
  type Violation,
} from "./evidence.ts";
import type { Moment, QueuedMessage } from "./journal.ts";

export function auditMessages(evidence: Evidence): Violation[] {
  return [
    ...causes(evidence),
    ...captains(evidence),
    ...links(evidence),
    ...ends(evidence),
    ...arrivals(evidence),
    ...contradictions(evidence),
    ...strangers(evidence),
  ];
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
      // Asked for again, a link of staff's booking goes out anew.
      if (queued.has(`payment_link:${id}:${state.version} email payment_link`)) continue;
      for (const kind of newsOfMove(before, state)) {
        const told = evidence.queued.some(
          (message) =>
            message.kind === kind &&
            message.appointment_id === id &&
            sequenceOf(message) === state.calendar_sequence,
        );
        if (!told) expect(`move ${state.calendar_sequence} of ${id}`, [kind], [id]);
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
  for (const refund of evidence.refunds) violations.push(...newsOf(evidence, refund));
  for (const { id, generation, payment_id } of evidence.stuckRefunds) {
    expect(`refund_needs_person:${id}:${generation}`, ["admin_refund_needs_person"], [payment_id]);
  }
  for (const { id, payment_id, phase, status } of evidence.sandbox.ledger.disputes.values()) {
    expect(`dispute:${id}:${phase}:${status}`, ["admin_dispute"], [payment_id]);
  }
  return violations;
}

function newsOfMove(before: Moment, { status, counselor_key }: Moment): string[] {
  if (!isPaidStatus(status)) return ["booking_rescheduled"];
  const isHandedOver = counselor_key !== before.counselor_key;
  return isHandedOver
    ? ["booking_rescheduled", "counselor_cancelled", "counselor_new"]
    : ["booking_rescheduled", "counselor_moved"];
}

/** Each captain hears of a session that changes hands at the own address. */
function captains({ db, queued, moments }: Evidence): Violation[] {
  const emails = new Map(
    db
      .allRaw<{ key: string; email: string }>("SELECT key, email FROM counselor")
      .map(({ key, email }) => [key, email]),
  );
  return queued
    .filter(({ kind, data }) => kind.startsWith("counselor_") && JSON.parse(data).previousCounselor)
    .filter((message) => {
      const { previousCounselor } = JSON.parse(message.data);
      const states = moments.get(message.appointment_id ?? "") ?? [];
      const now = states.find(({ calendar_sequence }) => calendar_sequence === sequenceOf(message));
      const key = message.kind === "counselor_cancelled" ? previousCounselor : now?.counselor_key;
      return emails.get(key) !== message.recipient;
    })
    .map(({ kind, id, recipient, appointment_id }) => ({
      rule: "each captain hears of a session that changes hands",
      what: `${kind} ${id} to ${recipient}`,
      about: [appointment_id ?? ""],
    }));
}

/** What staff booked with a link has it mailed, once for each version. */
function links({ trails, queued }: Evidence): Violation[] {
  const wrong = (what: string, id: string | null): Violation => ({
    rule: "a payment link is told once a version",
    what: `${what}: ${id}`,
    about: [id ?? ""],
  });
  const told = queued.filter(({ kind }) => kind === "payment_link");
  const ofLinks = new Set(
    trails.filter(({ byStaff }) => byStaff === "link").map(({ appointmentId }) => appointmentId),
  );
  return [
    ...[...ofLinks]
      .filter((id) => !told.some(({ appointment_id }) => appointment_id === id))
      .map((id) => wrong("no link for", id)),
    ...[...Map.groupBy(told, ({ cause }) => cause)]
      .filter(([, copies]) => copies.length > 1)
      .map(([cause, copies]) => wrong(`${copies.length} of ${cause}`, copies[0]!.appointment_id)),
    ...told
      .filter(({ appointment_id }) => !ofLinks.has(appointment_id))
      .map(({ appointment_id }) => wrong("a link that staff did not send", appointment_id)),
  ];
}

/** What the customer has of a refund that was accepted or paid by hand, and the admin of the provider's. */
function newsOf(evidence: Evidence, refund: RefundEvidence): Violation[] {
  const { id, state, way, appointment_id, provider_refund_id, settled_at } = refund;
  if (provider_refund_id === null && settled_at === null) return [];
  // What went back another way is told by the refund that did it.
  if (state === "failed" || state === "superseded") return [];
  const isHere = evidence.moments.get(appointment_id ?? "")?.at(-1)?.status !== "deleted";
  const isPapered = evidence.documents.some(({ refund_id }) => refund_id === id);
  const kinds = [
    ...(appointment_id && isHere && (isPapered || way === "dashboard") ? ["refund_under_way"] : []),
    ...(way === "dashboard" ? ["admin_provider_refund"] : []),
  ];
  const told = evidence.queued.filter(({ data }) => JSON.parse(data).refundId === id);
  return kinds
    .filter((kind) => !told.some((message) => message.kind === kind))
    .map((kind) => ({
      rule: "every refund is told",
      what: `no ${kind} for ${id}`,
      about: [appointment_id ?? "", refund.payment_id],
    }));
}

/** Its money may still be under way, so nobody is told that it is unpaid. */
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
  const whatsapps = Map.groupBy(sandbox.whatsapp.messages, ({ opaque }) => opaque ?? "");
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
    const { refundId, way } = JSON.parse(message.data);
    const note = documents.find(({ refund_id }) => refund_id === refundId);
    if (refundId && !note) continue;
    // Issued for a refund that failed, it says another way than the one by which the money came.
    if (way === "by_hand" && note?.paid_method !== BY_HAND) continue;
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

/** Each arrival against what the appointment was between its taking up and its arrival. */
function contradictions({ sandbox, queued, moments, takings }: Evidence): Violation[] {
  const known = new Map(queued.map((message) => [message.id, message]));
  const arrivals = [
    ...sandbox.mailbox.list().map((mail) => ({ id: messageIdOf(mail), at: mail.at })),
    ...sandbox.whatsapp.messages.map(({ opaque, at }) => ({ id: opaque ?? "", at })),
  ];
  const violations: Violation[] = [];
  for (const { id, at } of arrivals) {
    const message = known.get(id);
    const states = moments.get(message?.appointment_id ?? "");
    if (!message || !states) continue;
    const taken = takings.get(id)?.findLast((taking) => taking <= at) ?? at;
    const then = statesBetween(states, taken, at);
    if (then.some((state) => isTrue(message, state))) continue;
    violations.push({
      rule: "no message contradicts the state at the time it was sent",
      what: `${message.kind} ${message.channel} ${id} while ${then.map(({ status }) => status)}, ${at - taken} ms after it was taken up`,
      about: [message.appointment_id ?? ""],
    });
  }
  return violations;
}

/**
 * Of a booking that nobody has paid yet no WhatsApp message goes out, and no mail of what its own page
 * did; and only of such a one is anything held back.
 */
function strangers(evidence: Evidence): Violation[] {
  const { sandbox, queued, messages, moments, db, trails } = evidence;
  const madeByStaff = new Set(
    trails.filter(({ byStaff }) => byStaff !== null).map(({ appointmentId }) => appointmentId),
  );
  const wrong = (what: string, { id, kind, channel, appointment_id }: Known): Violation => ({
    rule: "an unpaid booking is a stranger's claim",
    what: `${what}: ${kind} ${channel} ${id}`,
    about: [appointment_id ?? ""],
  });
  type Known = Pick<QueuedMessage, "id" | "kind" | "channel" | "appointment_id">;
  const paidAt = (id: string | null) =>
    moments.get(id ?? "")?.find(({ status }) => isPaidStatus(status))?.at ?? Infinity;
  const staffDid = new Set(
    db
      .allRaw<{ deed: string }>(
        "SELECT action || ' ' || target AS deed FROM activity WHERE actor <> 'customer'",
      )
      .map(({ deed }) => deed),
  );
  const known = new Map(queued.map((message) => [message.id, message]));
  const violations = messages
    .filter(
      ({ state, appointment_id: id, created_at }) =>
        state === "held_back" && paidAt(id) < created_at,
    )
    .map((message) => wrong("held back although it was paid", message));
  for (const { opaque, at } of sandbox.whatsapp.messages) {
    const message = known.get(opaque ?? "");
    if (message && paidAt(message.appointment_id) > at) violations.push(wrong("sent", message));
  }
  const deeds: Record<string, string> = {
    booking_rescheduled: "reschedule",
    booking_cancelled: "cancel",
  };
  for (const mail of sandbox.mailbox.list()) {
    const message = known.get(messageIdOf(mail));
    const deed = message && deeds[message.kind];
    if (!deed || paidAt(message.appointment_id) <= mail.at) continue;
    if (madeByStaff.has(message.appointment_id)) continue;
    const byStaff = [deed, "resend"].some((word) =>
      staffDid.has(`${word} ${message.appointment_id}`),
    );
    if (!byStaff) violations.push(wrong("sent", message));
  }
  return violations;
}

/** Which move a message tells of. */
function sequenceOf({ data }: QueuedMessage): number {
  return JSON.parse(data).sequence;
}

function statesBetween(states: readonly Moment[], from: number, to: number): Moment[] {
  return states.filter((state, i) => state.at <= to && (states[i + 1]?.at ?? to) >= from);
}

function isTrue(
  message: QueuedMessage,
  { status, calendar_sequence, hold_until, counselor_key }: Moment,
): boolean {
  const { previousCounselor } = JSON.parse(message.data);
  switch (message.kind) {
    case "counselor_new":
      if (previousCounselor && sequenceOf(message) !== calendar_sequence) return false;
      return isPaidStatus(status);
    case "payment_link":
      return status === "pending_payment" && hold_until !== null;
    case "booking_confirmed":
    case "counselor_corrected":
      return isPaidStatus(status);
    case "booking_rescheduled":
    case "counselor_moved":
      return (
        (isPaidStatus(status) || status === "pending_payment") &&
        sequenceOf(message) === calendar_sequence
      );
    case "counselor_cancelled":
      // Whoever gave it away has it no longer.
      if (previousCounselor && previousCounselor !== counselor_key) return true;
      return status === "cancelled" || status === "deleted";
    case "booking_cancelled":
    case "late_payment_refunded":
      return status === "cancelled" || status === "deleted";
    // What went back is true of a deleted booking too.
    case "refund_under_way":
    case "payment_refunded":
      return true;
    case "booking_unpaid":
      return status === "pending_payment" && hold_until !== null;
    default:
      return message.audience === "admin" || status !== "deleted";
  }
}
