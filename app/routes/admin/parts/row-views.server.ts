/** Rows as several admin pages show them. */

import { type ActivityData, type ActivityEntry, activityLabel } from "#app/model/activity.ts";
import { type Appointment, isLive, isPaid, takesAttendance } from "#app/model/appointment.ts";
import { adminDay, adminInstant, formatDeadline, formatSlot } from "#app/model/dates.ts";
import { shortId } from "#app/model/ids.ts";
import { formatAmount } from "#app/model/money.ts";
import { refundStateWords } from "#app/model/wording.ts";
import type { StoredRefund } from "#db/queries/payments.server.ts";

export function refundView(refund: StoredRefund) {
  return {
    id: refund.id,
    amount: formatAmount(refund.amountPaise),
    words: refundStateWords(refund.state),
    providerId: refund.providerRefundId,
    when: adminInstant(refund.updatedAt),
    error: refund.state === "processed" ? null : refund.lastError,
    canRetry: refund.state === "failed" || refund.state === "needs_person",
  };
}

export function historyView(entry: ActivityEntry) {
  return {
    when: adminInstant(entry.at),
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
  return { id, attendance, version, name };
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
    name: appointment.contact.name,
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
