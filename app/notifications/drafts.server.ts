/** Which messages an event causes, to whom, and with what data. Pure. */

import type { Env } from "#app/core/env.server.ts";
import { type Appointment, hasOpenLink, isPaid, wasPaid } from "#app/model/appointment.ts";
import { dateInIndia } from "#app/model/dates.ts";
import { HOUR } from "#app/model/duration.ts";
import type { MessageEvent } from "#app/model/message-events.ts";
import type { Channel, MessageData, MessageKind } from "#app/model/messages.ts";
import { ownerAlertCause } from "#db/queries/messages.server.ts";

export interface Draft {
  kind: MessageKind;
  cause: string;
  recipient: { email: string | null; phone?: string | null };
  appointmentId?: string | null;
  data?: MessageData;
  /** Milliseconds UTC. */
  notAfter?: number;
  channels?: readonly Channel[];
  /** About a booking that was never paid. */
  unpaid?: boolean;
  /** The booking's own page caused it. */
  bySelfService?: boolean;
}

export function draftsOf(env: Env, now: number, event: MessageEvent): Draft[] {
  const admin = { email: env.business.email };
  switch (event.type) {
    case "confirmed": {
      const cause = `confirmed:${event.appointment.id}`;
      return [
        { ...aboutCustomer(event), kind: "booking_confirmed", cause },
        { ...aboutCounselor(event), kind: "counselor_new", cause },
      ];
    }
    case "contact_corrected":
      return correctionDrafts(env, event, now);
    case "rescheduled": {
      const { appointment, previous } = event;
      const cause = `rescheduled:${appointment.id}:${appointment.version}`;
      const data = {
        sequence: appointment.calendarSequence,
        startsAt: appointment.startsAt,
        previousDate: previous.date,
        previousTimeSlot: previous.timeSlot,
        ...(previous.counselor && { previousCounselor: previous.counselor.key }),
      };
      const notAfter = appointment.startsAt;
      const customer: Draft = {
        ...aboutCustomer(event),
        kind: "booking_rescheduled",
        cause,
        data,
        notAfter,
      };
      if (appointment.status === "pending_payment") return [customer];
      if (previous.counselor) {
        const about = { cause, data, notAfter, appointmentId: appointment.id };
        const recipient = { email: previous.counselor.email };
        const left = { ...data, wasPaid: true };
        return [
          customer,
          { ...about, kind: "counselor_cancelled", recipient, data: left },
          { ...about, ...aboutCounselor(event), kind: "counselor_new", cause: `${cause}:new` },
        ];
      }
      return [
        customer,
        { ...aboutCounselor(event), kind: "counselor_moved", cause, data, notAfter },
      ];
    }
    case "joining_changed": {
      const { id, startsAt, calendarSequence: sequence } = event.appointment;
      const cause = `joining_changed:${id}:${sequence}`;
      const data = { sequence, startsAt };
      const about = { cause, data, notAfter: startsAt };
      return [
        { ...aboutCustomer(event), ...about, kind: "joining_changed" },
        { ...aboutCounselor(event), ...about, kind: "counselor_joining_changed" },
      ];
    }
    case "cancelled": {
      const cause = `cancelled:${event.appointment.id}`;
      const { wasPaid, refundId, by } = event;
      const refund = refundId === null ? {} : { refundId };
      const data = { wasPaid, refundWanted: refundId !== null, by, ...refund };
      const customer: Draft = { ...aboutCustomer(event), kind: "booking_cancelled", cause, data };
      // The captain was never notified of an unpaid booking.
      if (!wasPaid) return [customer];
      return [customer, { ...aboutCounselor(event), kind: "counselor_cancelled", cause, data }];
    }
    case "late_payment": {
      const { paymentId } = event;
      const cause = `late_payment:${paymentId}`;
      const data = moneyBackData(event);
      const appointmentId = event.appointment.id;
      return [
        { ...aboutCustomer(event), kind: "late_payment_refunded", cause, data },
        { kind: "admin_late_refund", cause, recipient: admin, appointmentId, data },
      ];
    }
    case "payment_returned": {
      const { paymentId, reason } = event;
      const cause = `payment_returned:${paymentId}`;
      const data = moneyBackData(event);
      const appointmentId = event.appointment.id;
      const customer: Draft = { ...aboutCustomer(event), kind: "payment_refunded", cause, data };
      if (reason === "second") return [customer];
      return [
        customer,
        { kind: "admin_wrong_amount", cause, recipient: admin, appointmentId, data },
      ];
    }
    case "refund_accepted":
      return refundDrafts(event, admin);
    case "unpaid": {
      const cause = `unpaid:${event.appointment.id}`;
      const notAfter = event.appointment.startsAt;
      return [{ ...aboutCustomer(event), kind: "booking_unpaid", cause, notAfter }];
    }
    case "payment_link": {
      const { id, version, window, startsAt } = event.appointment;
      const cause = `payment_link:${id}:${version}`;
      const notAfter = window?.payBefore ?? startsAt;
      return [{ ...aboutCustomer(event), kind: "payment_link", cause, notAfter }];
    }
    case "reminder":
      return reminderDrafts(event);
    case "refund_needs_person": {
      const { refundId, paymentId, amountPaise, way, appointmentId } = event;
      const cause = `refund_needs_person:${refundId}:${event.generation}${event.again ? ":again" : ""}`;
      const data = { refundId, paymentId, amountPaise, way, error: event.error?.slice(0, 500) };
      return [{ kind: "admin_refund_needs_person", cause, recipient: admin, appointmentId, data }];
    }
    case "unmatched_payment": {
      const { type: _, ...data } = event;
      const cause = `unmatched:${data.paymentId}`;
      return [{ kind: "admin_unmatched_payment", cause, recipient: admin, data }];
    }
    case "dispute": {
      const { type: _, appointmentId, ...data } = event;
      const cause = `dispute:${data.disputeId}:${data.phase}:${data.status}`;
      return [{ kind: "admin_dispute", cause, recipient: admin, appointmentId, data }];
    }
    case "given_up": {
      const { queue, key, appointmentId, error } = event;
      const cause = `given_up:${queue}:${key}`;
      const data = { queue, key, error: error.slice(0, 500) };
      return [{ kind: "admin_given_up", cause, recipient: admin, appointmentId, data }];
    }
    case "reset_code": {
      const { code, expiresAt } = event;
      const cause = `reset_code:${event.requestId}`;
      const data = { code, expiresAt };
      const recipient = { email: event.email };
      return [{ kind: "reset_code", cause, recipient, data, notAfter: expiresAt }];
    }
    case "account_notice": {
      const cause = `account_notice:${event.requestId}`;
      const data = { notice: event.notice, at: now };
      return [{ kind: "account_notice", cause, recipient: { email: event.email }, data }];
    }
    case "team_invitation": {
      const { code, expiresAt, role } = event;
      const cause = `team_invitation:${event.requestId}`;
      const data = { code, expiresAt, role };
      const recipient = { email: event.email };
      return [{ kind: "team_invitation", cause, recipient, data, notAfter: expiresAt }];
    }
    case "booking_links": {
      const cause = `booking_links:${event.requestId}`;
      const { appointmentIds, email } = event;
      const about = { cause, data: { appointmentIds }, notAfter: now + 24 * HOUR };
      return [{ ...about, kind: "booking_links", recipient: { email } }];
    }
    case "backup_failed":
    case "off_site_failed": {
      // At most one mail a day, however long the disk stays full.
      const once = event.type === "backup_failed" ? dateInIndia(event.at) : event.at;
      const cause = `${event.type}:${once}`;
      const data = { at: event.at, error: event.error.slice(0, 500) };
      return [{ kind: `admin_${event.type}`, cause, recipient: admin, data }];
    }
    case "doctor_found": {
      const { at, findings } = event;
      const cause = `doctor_found:${at}`;
      return [{ kind: "admin_doctor", cause, recipient: admin, data: { at, findings } }];
    }
    case "calendar_unread": {
      const { counselor, since, error } = event;
      const cause = `calendar_unread:${event.counselorKey}:${since}`;
      const data = { at: since, counselor, error };
      return [{ kind: "admin_calendar_unread", cause, recipient: admin, data }];
    }
    case "whatsapp_trouble": {
      const cause = `whatsapp_trouble:${event.code ?? "none"}:${dateInIndia(event.at)}`;
      const data = { at: event.at, error: event.error.slice(0, 500) };
      return [{ kind: "admin_whatsapp_trouble", cause, recipient: admin, data }];
    }
    case "owner_alert": {
      const { alert, at } = event;
      const cause = ownerAlertCause(alert, at);
      return [{ kind: "admin_alert", cause, recipient: admin, data: { alert, at } }];
    }
  }
}

function moneyBackData(
  event: Extract<MessageEvent, { type: "late_payment" | "payment_returned" }>,
): MessageData {
  const { paymentId, amountPaise, reason, refundId } = event;
  return { paymentId, amountPaise, reason, ...(refundId === null ? {} : { refundId }) };
}

type Correction = Extract<MessageEvent, { type: "contact_corrected" }>;

/** The channels on which a correction brings the confirmation again. */
export function confirmedAgain({ appointment, changed }: Correction): Channel[] {
  if (!isPaid(appointment)) return [];
  const channels: Channel[] = [];
  if (changed.some((field) => field !== "notes")) channels.push("email");
  if (changed.includes("phone")) channels.push("whatsapp");
  return channels;
}

/** Notifies the captain of name, phone and question, not of a new e-mail address. */
function correctionDrafts(env: Env, event: Correction, now: number): Draft[] {
  const { appointment, changed } = event;
  const cause = `corrected:${appointment.id}:${appointment.version}`;
  const data = { corrected: true };
  const channels = confirmedAgain(event);
  const about = aboutCustomer(event);
  const drafts: Draft[] = [{ ...about, kind: "booking_confirmed", cause, data, channels }];
  if (changed.includes("email") && hasOpenLink(appointment, now)) {
    drafts.push(...draftsOf(env, now, { type: "payment_link", appointment }));
  }
  const isNews = changed.some((field) => field !== "email");
  if (isNews && isPaid(appointment) && now < appointment.startsAt) {
    drafts.push({ ...aboutCounselor(event), kind: "counselor_corrected", cause });
  }
  return drafts;
}

function reminderDrafts(event: Extract<MessageEvent, { type: "reminder" }>): Draft[] {
  const { appointment, hours } = event;
  const { startsAt } = appointment;
  const cause = `reminder_${hours}h:${appointment.id}:${startsAt}`;
  const data = { startsAt, hours };
  // From then on the one-hour reminder goes instead.
  const notAfter = hours === 24 ? startsAt - HOUR : startsAt;
  const kind = hours === 24 ? "reminder_24h" : "reminder_1h";
  return [
    { ...aboutCustomer(event), kind, cause, data, notAfter },
    { ...aboutCounselor(event), kind: "counselor_reminder", cause, data, notAfter },
  ];
}

/**
 * The customer is notified of a refund when its credit note can be attached, when nothing else has
 * mentioned it, and when it had failed before; only the last two also go by WhatsApp.
 */
function refundDrafts(
  event: Extract<MessageEvent, { type: "refund_accepted" }>,
  admin: Draft["recipient"],
): Draft[] {
  const { refundId, generation, paymentId, amountPaise, appointment, way, again } = event;
  const cause = `refund_accepted:${refundId}:${generation}${again ? ":again" : ""}`;
  const data = { refundId, paymentId, amountPaise, way, ...(again ? { again } : {}) };
  const isNews = way === "dashboard" || again;
  const drafts: Draft[] = [];
  if (appointment && (isNews || event.credited)) {
    const about = aboutCustomer({ appointment });
    const channels: Channel[] = isNews ? ["email", "whatsapp"] : ["email"];
    drafts.push({ ...about, kind: "refund_under_way", cause, data, channels });
  }
  if (way === "dashboard" && !again) {
    const appointmentId = appointment?.id ?? null;
    drafts.push({ kind: "admin_provider_refund", cause, recipient: admin, appointmentId, data });
  }
  return drafts;
}

type AboutAppointment = Extract<MessageEvent, { appointment: Appointment }>;

function aboutCustomer(event: AboutAppointment | Pick<AboutAppointment, "appointment">) {
  const { id, contact } = event.appointment;
  return {
    appointmentId: id,
    recipient: { email: contact.email, phone: contact.phone },
    unpaid: !wasPaid(event.appointment),
    // Staff bookings are not a stranger's claim.
    bySelfService:
      "by" in event && event.by === "customer" && event.appointment.source === "visitor",
  };
}

/** A captain whom the catalogue does not know has no address and gets no mail. */
function aboutCounselor({ appointment }: AboutAppointment) {
  return { appointmentId: appointment.id, recipient: { email: appointment.counselorEmail } };
}
