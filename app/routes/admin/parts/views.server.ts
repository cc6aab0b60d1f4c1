/** Views of rows for several admin pages. */
import { href } from "react-router";
import { refuseErased } from "#app/booking/change-rules.ts";
import { DEFAULT_PAGE_SIZE } from "#app/booking/list-fields.ts";
import type { Deps } from "#app/core/deps.server.ts";
import { actorWords } from "#app/model/activity-words.ts";
import { takesPlan } from "#app/model/after-session.ts";
import {
  type Appointment,
  type AppointmentFilter,
  type AppointmentSort,
  attendeeOf,
  isLive,
  isPaid,
  takesAttendance,
} from "#app/model/appointment.ts";
import {
  adminDate,
  adminDay,
  adminInstant,
  formatDeadline,
  formatInstant,
  formatSlot,
  keptUntil,
} from "#app/model/dates.ts";
import { disputedPaise, isUndecided } from "#app/model/dispute.ts";
import { refundErrorWords } from "#app/model/error-words.ts";
import { shortId } from "#app/model/ids.ts";
import { messageLabel } from "#app/model/messages.ts";
import { formatAmount, formatMoney } from "#app/model/money.ts";
import {
  type CustomerRefundState,
  customerRefundState,
  isNothingDone,
  isStuck,
  mayRetry,
} from "#app/model/refund.ts";
import {
  channelWords,
  disputeWords,
  keptWords,
  personName,
  reasonWords,
  refundStateWords,
} from "#app/model/wording.ts";
import { captainPlace } from "#app/notifications/templates/pass.ts";
import type { LedgerDocument } from "#db/ledger-document.ts";
import type { LoggedEntry } from "#db/queries/activity.server.ts";
import { readAppointmentPage } from "#db/queries/appointment-list.server.ts";
import { listOutliving } from "#db/queries/messages.server.ts";
import { listStillOwed, type StoredRefund } from "#db/queries/payments.server.ts";
import { findPlanOfSession } from "#db/queries/plans.server.ts";
import type { StoredDispute } from "#db/queries/refunds.server.ts";

/** In the currency of its payment. */
export const refundView = (currency: string) => (refund: StoredRefund) => {
  const { id, state, lastError, providerRefundId, settledAt, acceptedAt } = refund;
  const isByHand = refund.way === "by_hand";
  const isUndone = providerRefundId === null || state === "failed" || state === "superseded";
  const takenAt = settledAt ?? (isUndone ? null : acceptedAt);
  const maySettle = isStuck(refund) && (isByHand || isNothingDone(refund));
  return {
    id,
    amount: formatMoney({ ...refund, currency }, formatAmount),
    words: isByHand ? byHandStateWords(customerRefundState(refund)) : refundStateWords(state),
    providerId: providerRefundId,
    /** When the provider took it, as in the books, or staff paid it back; else its last step. */
    when: adminInstant(takenAt ?? refund.updatedAt),
    // A refund that is paid back by hand has no provider error.
    error: isByHand || state === "processed" || !lastError ? null : refundErrorWords(lastError),
    reason: reasonWords(refund.note),
    reference: refund.reference,
    canRetry: mayRetry(refund),
    /** Where it is marked as paid back; null while the provider may still pay it. */
    settleTo: maySettle ? href("/admin/refunds/:id/settle", { id }) : null,
  };
};

const byHandStateWords = (state: CustomerRefundState) =>
  state === "paid_back" ? "Paid back by hand" : "Waits for an owner to pay it back by hand";

export const disputeView = (currency: string) => (dispute: StoredDispute) => {
  const { disputeId, respondBy } = dispute;
  const answer = isUndecided(dispute) && respondBy ? `, answer by ${adminInstant(respondBy)}` : "";
  return {
    id: disputeId,
    words: disputeWords(dispute),
    sum: `${formatMoney({ amountPaise: disputedPaise(dispute), currency }, formatAmount)}${answer}`,
  };
};

export function historyView(entry: LoggedEntry, i: number) {
  const { at, before, after, words, about } = entry;
  return {
    /** Its number in the list: several lines may say the same. */
    key: String(i),
    // Day first, like the dates in the texts.
    when: formatInstant(at),
    actor: actorWords(entry),
    words,
    about,
    raw: before || after ? JSON.stringify({ before, after }, null, 1) : null,
  };
}

/** What the status alone does not say. */
export function statusNote(appointment: Appointment, now: number): string | null {
  const { status, window } = appointment;
  if (status !== "pending_payment") return null;
  const held = window !== null && window.holdUntil > now;
  return held
    ? `Held until ${formatDeadline(window.holdUntil, now, adminInstant)}`
    : "Time released";
}

/** For the buttons that record attendance; null while there is nothing to record. */
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

/** Until when tax law requires the latest document to be kept; null without documents. */
export function keptOf(documents: readonly Pick<LedgerDocument, "onDate">[]): string | null {
  const last = documents
    .map(({ onDate }) => onDate)
    .sort()
    .at(-1);
  return last ? keptWords(adminDate(keptUntil(last))) : null;
}

export type SessionView = ReturnType<typeof sessionView>;

/** What every dialog says about its session. */
export function sessionView(appointment: Appointment, now: number) {
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
    paid: isPaid(appointment),
    /** There is nobody left to notify. */
    erased: refuseErased(appointment) !== null,
    /** Live, and still to come. */
    upcoming: appointment.startsAt > now && isLive(appointment, now),
    attendance: attendanceView(appointment, appointment.contact.name, now),
  };
}

export function readListPage(
  { db }: Pick<Deps, "db">,
  filter: AppointmentFilter,
  asked = 1,
  sort?: AppointmentSort,
) {
  return readPage(asked, (paging) => {
    const found = readAppointmentPage(db, filter, { sort, ...paging });
    return { ...found, total: found.stats.totalAppointments };
  });
}

/** A page of a list, from 1; one past the end, for example after a deletion, becomes the last one. */
export function readPage<Found extends { total: number }>(
  asked: number,
  read: (paging: { page: number; pageSize: number }) => Found,
) {
  const pageSize = DEFAULT_PAGE_SIZE;
  const found = read({ page: asked, pageSize });
  const { total } = found;
  const number = Math.min(asked, Math.max(1, Math.ceil(total / pageSize)));
  const shown = number === asked ? found : read({ page: number, pageSize });
  return { ...shown, page: { number, size: pageSize, total } };
}

export type OwnSession = ReturnType<typeof ownSessionView>;

/** A session on its captain's pages: no e-mail address, no amounts, only the calendar's id. */
export function ownSessionView(appointment: Appointment, now: number) {
  const { calendarUid: id, contact, startsAt, endsAt, minutes, status } = appointment;
  const { roomKind, roomUrl, meeting } = appointment;
  const isAhead = isPaid(appointment) && endsAt > now;
  return {
    id,
    name: personName(attendeeOf(appointment)),
    /** Null if the person who booked attends. */
    bookedBy: appointment.student && personName(contact.name),
    phone: contact.phone,
    question: contact.notes,
    startsAt,
    endsAt,
    minutes,
    status,
    day: adminDay(appointment.date),
    time: formatSlot(appointment.timeSlot),
    how: captainPlace(appointment),
    /** The captain starts the Zoom meeting as host; others wait until then. */
    isHost: isAhead && roomKind === "zoom" && roomUrl !== null,
    /** Where the captain joins like anybody else; null without a link, or after the session. */
    joinUrl: isAhead && meeting.kind === "link" ? meeting.url : null,
    note: statusNote(appointment, now),
    attendance: attendanceView({ ...appointment, id }, attendeeOf(appointment), now),
  };
}

export type PlanLinkView = NonNullable<ReturnType<typeof planLink>>;

/** `shownAs`: the session's id as the account may see it. Null while there is nothing to write. */
export function planLink(
  { db, now }: Pick<Deps, "db" | "now">,
  appointment: Appointment,
  shownAs: string,
) {
  if (!takesPlan(appointment, now()) || refuseErased(appointment)) return null;
  const plan = findPlanOfSession(db, appointment);
  const sent = plan?.sentAt ? `Plan, sent on ${adminInstant(plan.sentAt)}` : null;
  return {
    to: href("/admin/appointments/:id/plan", { id: shownAs }),
    words: sent ?? (plan ? "Plan: a draft, not sent yet" : "Write the plan"),
  };
}

export function looseEnds({ db }: Pick<Deps, "db">, appointmentIds: readonly string[]) {
  return {
    due: appointmentIds
      .flatMap((id) => listOutliving(db, id))
      .map(({ kind, channel, audience }) => {
        const whom = audience === "counselor" ? "captain" : "customer";
        return `${messageLabel(kind)}, ${channelWords(channel)} to the ${whom}`;
      }),
    owed: listStillOwed(db, appointmentIds).map(({ id, way, appointmentId, amountPaise }) => ({
      words: formatAmount(amountPaise),
      to:
        way === "by_hand" || appointmentId === null
          ? href("/admin/refunds/:id/settle", { id })
          : href("/admin/appointments/:id", { id: appointmentId }),
    })),
  };
}
