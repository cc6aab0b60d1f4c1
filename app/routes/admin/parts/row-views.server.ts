/** Rows as several admin pages show them. */

import { actorWords } from "#app/model/activity-words.ts";
import { type Appointment, isLive, isPaid, takesAttendance } from "#app/model/appointment.ts";
import {
  adminDay,
  adminInstant,
  formatDeadline,
  formatInstant,
  formatSlot,
} from "#app/model/dates.ts";
import { disputedPaise, isUndecided } from "#app/model/dispute.ts";
import { type ErrorWords, refundErrorWords } from "#app/model/error-words.ts";
import { shortId } from "#app/model/ids.ts";
import { formatAmount } from "#app/model/money.ts";
import { mayRetry } from "#app/model/refund.ts";
import { disputeWords, personName, refundStateWords } from "#app/model/wording.ts";
import type { LoggedEntry } from "#db/queries/activity.server.ts";
import type { StoredDispute } from "#db/queries/disputes.server.ts";
import type { StoredRefund } from "#db/queries/payments.server.ts";

export function refundView(refund: StoredRefund) {
  return {
    id: refund.id,
    amount: formatAmount(refund.amountPaise),
    words: refundStateWords(refund.state),
    providerId: refund.providerRefundId,
    when: adminInstant(refund.updatedAt),
    error: refund.state === "processed" ? null : errorOf(refund.lastError),
    canRetry: mayRetry(refund),
  };
}

export function disputeView(dispute: StoredDispute) {
  const { disputeId, respondBy } = dispute;
  const answer = isUndecided(dispute) && respondBy ? `, answer by ${adminInstant(respondBy)}` : "";
  return {
    id: disputeId,
    words: disputeWords(dispute),
    sum: `${formatAmount(disputedPaise(dispute))}${answer}`,
  };
}

function errorOf(error: string | null): ErrorWords | null {
  return error ? refundErrorWords(error) : null;
}

export function historyView(entry: LoggedEntry) {
  const { at, before, after, words, about } = entry;
  return {
    // Day first, as the dates in the words.
    when: formatInstant(at),
    actor: actorWords(entry),
    words,
    about,
    raw: before || after ? JSON.stringify({ before, after }, null, 1) : null,
  };
}

/** What the status alone does not tell. */
export function statusNote(appointment: Appointment, now: number): string | null {
  const { status, window } = appointment;
  if (status !== "pending_payment") return null;
  const held = window !== null && window.holdUntil > now;
  return held ? `Held until ${formatDeadline(window.holdUntil, now)}` : "Time released";
}

/** What the presses on attendance need; null while there is nothing to note. */
export function attendanceView(
  appointment: Pick<Appointment, "id" | "status" | "startsAt" | "attendance" | "version">,
  name: string,
  now: number,
) {
  if (!takesAttendance(appointment, now)) return null;
  const { id, attendance, version } = appointment;
  return { id, attendance, version, name: personName(name) };
}

export type AttendanceView = NonNullable<ReturnType<typeof attendanceView>>;

export type SessionView = ReturnType<typeof sessionView>;

/** What every dialog says of the session it is about. */
export function sessionView(appointment: Appointment, now: number) {
  const paid = isPaid(appointment);
  const future = appointment.startsAt > now;
  return {
    id: appointment.id,
    /** The last 8 characters. */
    shortId: shortId(appointment.id),
    version: appointment.version,
    name: personName(appointment.contact.name),
    counselor: appointment.counselor,
    date: adminDay(appointment.date),
    time: `${formatSlot(appointment.timeSlot)} IST`,
    minutes: appointment.minutes,
    status: appointment.status,
    note: statusNote(appointment, now),
    total: formatAmount(appointment.price.totalPaise),
    paid,
    /** Live, and still to come. */
    upcoming: future && isLive(appointment, now),
    invoiceNumber: appointment.invoiceNumber,
    attendance: attendanceView(appointment, appointment.contact.name, now),
  };
}
