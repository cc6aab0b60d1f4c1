/** Turns what happened into message rows, inside the transaction of the cause. Sends nothing. */

import { findCounselorByKey } from "#app/catalogue.ts";
import type { Env } from "#app/core/env.server.ts";
import { isPaid, wasPaid } from "#app/model/appointment.ts";
import { dateInIndia } from "#app/model/dates.ts";
import { HOUR } from "#app/model/duration.ts";
import { newId } from "#app/model/ids.ts";
import {
  type Channel,
  HELD_BACK_WINDOW,
  MESSAGE_KINDS,
  type MessageData,
  type MessageEvent,
  type MessageKind,
} from "#app/model/messages.ts";
import type { Db } from "#db/connection.server.ts";
import { countRecentMails } from "#db/queries/held-back.server.ts";
import {
  insertMessage,
  ownerAlertCause,
  redirectCustomerMessages,
  supersedeConfirmation,
} from "#db/queries/messages.server.ts";
import { isOptedOut } from "#db/queries/opt-outs.server.ts";
import { whyHeldBack } from "./held-back.ts";
import { isE164, isMailAddress } from "./recipients.ts";

interface Draft {
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

/**
 * Queues every message an event causes. `now` is milliseconds UTC. Called inside the transaction
 * of the cause; wake the worker after the commit. A repeat of the event changes nothing.
 */
export function queueMessages(tx: Db, env: Env, now: number, event: MessageEvent): void {
  if (event.type === "contact_corrected") correctRecipients(tx, event);
  for (const draft of draftsOf(env, now, event)) insertDraft(tx, env, now, draft);
}

function insertDraft(tx: Db, env: Env, now: number, draft: Draft): void {
  const { audience, whatsapp } = MESSAGE_KINDS[draft.kind];
  const { email, phone } = draft.recipient;
  const wants = (channel: Channel) => draft.channels?.includes(channel) ?? true;
  const insert = (channel: Channel, recipient: string) => {
    const heldBack = whyHeldBack({
      kind: draft.kind,
      channel,
      unpaid: draft.unpaid ?? false,
      bySelfService: draft.bySelfService ?? false,
      recent: countRecentMails(tx, draft.kind, recipient, now - HELD_BACK_WINDOW),
    });
    insertMessage(tx, {
      id: newId(),
      // Of what an address asks for again and again, one row a day says that it was held back.
      cause:
        heldBack !== null && !draft.appointmentId
          ? `held_back:${draft.kind}:${recipient.toLowerCase()}:${dateInIndia(now)}`
          : draft.cause,
      kind: draft.kind,
      channel,
      audience,
      recipient,
      appointmentId: draft.appointmentId ?? null,
      data: draft.data ?? {},
      notAfter: draft.notAfter ?? null,
      heldBack,
      now,
    });
  };
  if (email && isMailAddress(email) && wants("email")) insert("email", email);
  const toPhone = whatsapp && env.whatsapp !== null && phone && isE164(phone) && wants("whatsapp");
  if (toPhone && !isOptedOut(tx, phone)) insert("whatsapp", phone);
}

/** Unsent messages follow the customer; an unsent confirmation gives way to the new one. */
function correctRecipients(
  tx: Db,
  event: Extract<MessageEvent, { type: "contact_corrected" }>,
): void {
  const { id, contact } = event.appointment;
  const { email, phone } = contact;
  if (event.emailChanged) {
    supersedeConfirmation(tx, id, "email");
    redirectCustomerMessages(tx, id, "email", email);
  }
  if (event.phoneChanged) {
    supersedeConfirmation(tx, id, "whatsapp");
    if (isE164(phone)) redirectCustomerMessages(tx, id, "whatsapp", phone);
  }
}

function draftsOf(env: Env, now: number, event: MessageEvent): Draft[] {
  const admin = { email: env.business.email };
  switch (event.type) {
    case "confirmed": {
      const cause = `confirmed:${event.appointment.id}`;
      return [
        { ...aboutCustomer(event), kind: "booking_confirmed", cause },
        { ...aboutCounselor(event), kind: "counselor_new", cause },
      ];
    }
    case "contact_corrected": {
      const { appointment } = event;
      if (!isPaid(appointment)) return [];
      const channels: Channel[] = [];
      if (event.emailChanged) channels.push("email");
      if (event.phoneChanged) channels.push("whatsapp");
      const cause = `corrected:${appointment.id}:${appointment.version}`;
      const data = { corrected: true };
      return [{ ...aboutCustomer(event), kind: "booking_confirmed", cause, data, channels }];
    }
    case "rescheduled": {
      const { appointment, previous } = event;
      const cause = `rescheduled:${appointment.id}:${appointment.version}`;
      const data = {
        sequence: appointment.calendarSequence,
        startsAt: appointment.startsAt,
        previousDate: previous.date,
        previousTimeSlot: previous.timeSlot,
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
      return [
        customer,
        { ...aboutCounselor(event), kind: "counselor_moved", cause, data, notAfter },
      ];
    }
    case "cancelled": {
      const cause = `cancelled:${event.appointment.id}`;
      const { wasPaid, refundWanted, by } = event;
      const data = { wasPaid, refundWanted, by };
      const customer: Draft = { ...aboutCustomer(event), kind: "booking_cancelled", cause, data };
      // The captain never heard of an unpaid booking.
      if (!wasPaid) return [customer];
      return [customer, { ...aboutCounselor(event), kind: "counselor_cancelled", cause, data }];
    }
    case "late_payment": {
      const { paymentId, amountPaise } = event;
      const cause = `late_payment:${paymentId}`;
      const data = { paymentId, amountPaise };
      const appointmentId = event.appointment.id;
      return [
        { ...aboutCustomer(event), kind: "late_payment_refunded", cause, data },
        { kind: "admin_late_refund", cause, recipient: admin, appointmentId, data },
      ];
    }
    case "payment_returned": {
      const { paymentId, amountPaise, reason } = event;
      const cause = `payment_returned:${paymentId}`;
      const data = { paymentId, amountPaise, reason };
      const appointmentId = event.appointment.id;
      const customer: Draft = { ...aboutCustomer(event), kind: "payment_refunded", cause, data };
      if (reason === "second") return [customer];
      return [
        customer,
        { kind: "admin_wrong_amount", cause, recipient: admin, appointmentId, data },
      ];
    }
    case "unpaid": {
      const cause = `unpaid:${event.appointment.id}`;
      const notAfter = event.appointment.startsAt;
      return [{ ...aboutCustomer(event), kind: "booking_unpaid", cause, notAfter }];
    }
    case "reminder":
      return reminderDrafts(event);
    case "refund_needs_person": {
      const { refundId, paymentId, amountPaise, error, appointmentId } = event;
      const cause = `refund_needs_person:${refundId}:${event.generation}`;
      const data = { refundId, paymentId, amountPaise, error: error.slice(0, 500) };
      return [{ kind: "admin_refund_needs_person", cause, recipient: admin, appointmentId, data }];
    }
    case "unmatched_payment": {
      const { paymentId, amountPaise } = event;
      const cause = `unmatched:${paymentId}`;
      const data = { paymentId, amountPaise };
      return [{ kind: "admin_unmatched_payment", cause, recipient: admin, data }];
    }
    case "dispute": {
      const { disputeId, paymentId, amountPaise, phase, appointmentId } = event;
      const cause = `dispute:${disputeId}:${phase}`;
      const data = { disputeId, paymentId, amountPaise, phase };
      return [{ kind: "admin_dispute", cause, recipient: admin, appointmentId, data }];
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
    case "booking_links": {
      const cause = `booking_links:${event.requestId}`;
      const data = { appointmentIds: event.appointmentIds };
      const recipient = { email: event.email };
      return [{ kind: "booking_links", cause, recipient, data, notAfter: now + 24 * HOUR }];
    }
    case "backup_failed": {
      // Once a day, however long the disk stays full.
      const cause = `backup_failed:${dateInIndia(event.at)}`;
      const data = { at: event.at, error: event.error.slice(0, 500) };
      return [{ kind: "admin_backup_failed", cause, recipient: admin, data }];
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

function reminderDrafts(event: Extract<MessageEvent, { type: "reminder" }>): Draft[] {
  const { appointment, hours } = event;
  const { startsAt } = appointment;
  const cause = `reminder_${hours}h:${appointment.id}:${startsAt}`;
  const data = { startsAt, hours };
  // From here on the one-hour reminder goes instead.
  const notAfter = hours === 24 ? startsAt - HOUR : startsAt;
  const kind = hours === 24 ? "reminder_24h" : "reminder_1h";
  return [
    { ...aboutCustomer(event), kind, cause, data, notAfter },
    { ...aboutCounselor(event), kind: "counselor_reminder", cause, data, notAfter },
  ];
}

type AboutAppointment = Extract<MessageEvent, { appointment: unknown }>;

function aboutCustomer(event: AboutAppointment) {
  const { id, contact } = event.appointment;
  return {
    appointmentId: id,
    recipient: { email: contact.email, phone: contact.phone },
    unpaid: !wasPaid(event.appointment),
    bySelfService: "by" in event && event.by === "customer",
  };
}

/** A captain who left the catalogue has no address here and gets no mail. */
function aboutCounselor({ appointment }: AboutAppointment) {
  const email = findCounselorByKey(appointment.counselorKey)?.email ?? null;
  return { appointmentId: appointment.id, recipient: { email } };
}
