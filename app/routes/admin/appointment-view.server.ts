/** An appointment with everything that hangs on it, worded for the admin's dialogs. */
import { data, href } from "react-router";
import { type Appointment, isLive, isPaid } from "#app/booking/appointment.ts";
import {
  type AppointmentDetail,
  readAppointmentDetail,
} from "#app/booking/appointment-detail.server.ts";
import type { CancelReason } from "#app/booking/wording.ts";
import type { AppointmentDetails } from "#app/components/admin/appointment-details.tsx";
import type { SessionView } from "#app/components/admin/session-facts.tsx";
import {
  channelWords,
  messageStateWords,
  paymentWords,
  refundStateWords,
} from "#app/components/admin/words.ts";
import { stateName } from "#app/documents/tax.ts";
import { type ActivityData, type ActivityEntry, activityLabel } from "#app/lib/activity.ts";
import { formatClock, formatDate, formatDay, formatInstant, formatSlot } from "#app/lib/dates.ts";
import type { Deps } from "#app/lib/deps.server.ts";
import { isId, shortId } from "#app/lib/ids.ts";
import { formatAmount } from "#app/lib/money.ts";
import { wording } from "#app/lib/unknown-code.ts";
import { whyNotSentAgain } from "#app/notifications/held-back.ts";
import { type Message, messageLabel } from "#app/notifications/messages.ts";
import { findAppointment } from "#db/queries/appointments.server.ts";
import type { RefundRow } from "#db/queries/payments.server.ts";

type ReadDeps = Pick<Deps, "db" | "now">;

/** Throws the page's 404. */
export function requireAppointment({ db }: Pick<Deps, "db">, id: string | undefined): Appointment {
  const appointment = isId(id) ? findAppointment(db, id) : null;
  if (!appointment) throw data(null, { status: 404 });
  return appointment;
}

/** What every dialog says of the session it is about. */
export function sessionView(appointment: Appointment, now: number): SessionView {
  const paid = isPaid(appointment);
  const future = appointment.startsAt > now;
  return {
    id: appointment.id,
    shortId: shortId(appointment.id),
    version: appointment.version,
    name: appointment.name,
    counselor: appointment.counselor,
    date: formatDay(appointment.date),
    time: `${formatSlot(appointment.timeSlot)} IST`,
    minutes: appointment.minutes,
    status: appointment.status,
    note: statusNote(appointment, now),
    total: formatAmount(appointment.totalPaise),
    paid,
    upcoming: future && isLive(appointment, now),
    invoiceNumber: appointment.invoiceNumber,
  };
}

/** What the status alone does not tell. */
export function statusNote(appointment: Appointment, now: number): string | null {
  if (appointment.status === "pending_payment") {
    const { holdUntil } = appointment;
    if (holdUntil === null || holdUntil <= now) return "Time released";
    return `Held until ${formatClock(holdUntil)}`;
  }
  return null;
}

/** Throws the page's 404. */
export function readDetails(deps: ReadDeps, id: string | undefined): AppointmentDetails {
  const detail = readAppointmentDetail(deps, id);
  if (!detail) throw data(null, { status: 404 });
  const { appointment, invoice, creditNote } = detail;
  return {
    session: sessionView(appointment, deps.now()),
    email: appointment.email,
    phone: appointment.phone,
    state: appointment.stateCode && stateName(appointment.stateCode),
    createdAt: formatInstant(appointment.createdAt),
    base: formatAmount(appointment.basePaise),
    gst: formatAmount(appointment.gstPaise),
    paymentId: appointment.paymentId,
    notes: appointment.notes,
    cancelReason: appointment.cancelReason && cancelledBy(appointment.cancelReason as CancelReason),
    invoice: invoice && {
      ...invoice,
      date: formatDate(invoice.date),
      url: href("/api/invoice/:id", { id: appointment.id }),
    },
    creditNote: creditNote && {
      ...creditNote,
      date: formatDate(creditNote.date),
      url: href("/api/credit-note/:id", { id: appointment.id }),
    },
    payments: detail.payments.map(paymentView),
    messages: detail.messages.map((message) => messageView(message, appointment)),
    history: detail.history.map(historyView).reverse(),
  };
}

function paymentView(
  payment: AppointmentDetail["payments"][number],
): AppointmentDetails["payments"][number] {
  return {
    paymentId: payment.payment_id,
    amount: formatAmount(payment.amount_paise),
    words: paymentWords(payment.outcome),
    when: formatInstant(payment.captured_at ?? payment.created_at),
    dispute: payment.dispute_state,
    refunds: payment.refunds.map(refundView),
  };
}

export function refundView(
  refund: RefundRow,
): AppointmentDetails["payments"][number]["refunds"][number] {
  return {
    id: refund.id,
    amount: formatAmount(refund.amount_paise),
    words: refundStateWords(refund.state),
    when: formatInstant(refund.updated_at),
    error: refund.state === "processed" ? null : refund.last_error,
    canRetry: refund.state === "failed" || refund.state === "needs_person",
  };
}

const cancelledBy = wording<CancelReason>({
  by_admin: "Cancelled by an admin",
  by_customer: "Cancelled by the customer",
  time_gone: "Cancelled: the payment came after the time was given away",
  payment_refunded_by_provider: "Cancelled: the payment was refunded in the provider's dashboard",
});

function messageView(
  message: Message,
  appointment: Appointment,
): AppointmentDetails["messages"][number] {
  return {
    id: message.id,
    label: messageLabel(message.kind),
    channel: channelWords(message.channel),
    recipient: message.recipient,
    words: messageStateWords(message.state),
    failed: message.state === "failed",
    when: formatInstant(message.sentAt ?? message.createdAt),
    attempts: message.attempts,
    reason: message.lastError,
    canResend: message.state !== "queued" && whyNotSentAgain(message, appointment) === null,
  };
}

export function historyView(entry: ActivityEntry): AppointmentDetails["history"][number] {
  return {
    when: formatInstant(entry.at),
    actor: entry.actor,
    words: activityLabel(entry.action),
    changes: changesOf(entry.before, entry.after),
  };
}

/** `date: 2026-11-21 → 2026-11-23`, one a field that changed. */
function changesOf(before: ActivityData | null, after: ActivityData | null): string[] {
  const was = new Map(Object.entries(before ?? {}));
  const is = new Map(Object.entries(after ?? {}));
  const changes: string[] = [];
  for (const name of new Set([...was.keys(), ...is.keys()])) {
    const [old, fresh] = [wordOf(was.get(name)), wordOf(is.get(name))];
    if (!was.has(name)) changes.push(`${name}: ${fresh}`);
    else if (!is.has(name)) changes.push(`${name}, before: ${old || "none"}`);
    else if (old !== fresh) changes.push(`${name}: ${old || "none"} → ${fresh || "none"}`);
  }
  return changes;
}

function wordOf(value: unknown): string {
  if (value === null || value === undefined) return "";
  if (Array.isArray(value)) return value.map(wordOf).join(", ");
  return typeof value === "object" ? JSON.stringify(value) : String(value);
}
