/** The messages that an event causes, with recipients and data. Pure. */
import type { Env } from "#app/core/env.server.ts";
import { type Appointment, hasOpenLink, isPaid, wasPaid } from "#app/model/appointment.ts";
import { DAY, dateInIndia, HOUR } from "#app/model/dates.ts";
import { helpHours } from "#app/model/help.ts";
import type { MessageEvent } from "#app/model/message-events.ts";
import type { Channel, MessageData, MessageKind } from "#app/model/messages.ts";
import { ownerAlertCause } from "#db/queries/messages.server.ts";

export interface Draft {
  kind: MessageKind;
  cause: string;
  recipient: { email: string | null; phone?: string | null };
  appointmentId?: string | null;
  data?: MessageData;
  notAfter?: number;
  channels?: readonly Channel[];
  /** About a booking that was never paid. */
  unpaid?: boolean;
  /** Caused on the booking's own page. */
  bySelfService?: boolean;
}

type About = Pick<Draft, "cause" | "data" | "notAfter" | "channels">;
type AboutAppointment = Extract<MessageEvent, { appointment: Appointment }>;

export function draftsOf(env: Env, now: number, event: MessageEvent): Draft[] {
  const toAdmin = (
    kind: MessageKind,
    { cause, data }: About,
    appointmentId: string | null = null,
  ): Draft => ({ kind, cause, data, appointmentId, recipient: { email: env.business.email } });
  switch (event.type) {
    case "confirmed": {
      const cause = `confirmed:${event.appointment.id}`;
      return toBoth(event, "booking_confirmed", "counselor_new", { cause });
    }
    case "contact_corrected":
      return correctionDrafts(env, event, now);
    case "rescheduled":
      return moveDrafts(event);
    case "joining_changed": {
      const { id, startsAt, endsAt, calendarSequence: sequence } = event.appointment;
      const cause = `joining_changed:${id}:${sequence}`;
      const data = { sequence, startsAt, first: event.isFirst || undefined };
      const about = { cause, data, notAfter: endsAt };
      return toBoth(event, "joining_changed", "counselor_joining_changed", about);
    }
    case "cancelled": {
      const { wasPaid, refundId } = event;
      const data = { wasPaid, refundWanted: refundId !== null, refundId: refundId ?? undefined };
      const about = { cause: `cancelled:${event.appointment.id}`, data };
      // The captain was never notified of an unpaid booking.
      if (!wasPaid) return [toCustomer(event, "booking_cancelled", about)];
      return toBoth(event, "booking_cancelled", "counselor_cancelled", about);
    }
    case "late_payment":
    case "payment_returned": {
      const { type, appointment, refundId, paymentId, amountPaise, reason } = event;
      const data = { paymentId, amountPaise, reason, refundId: refundId ?? undefined };
      const about = { cause: `${type}:${paymentId}`, data };
      const isLate = type === "late_payment";
      const customer = isLate ? "late_payment_refunded" : "payment_refunded";
      const admin = isLate ? "admin_late_refund" : "admin_wrong_amount";
      const drafts = [toCustomer(event, customer, about)];
      return reason === "second" ? drafts : [...drafts, toAdmin(admin, about, appointment.id)];
    }
    case "refund_accepted": {
      // The customer is notified if a credit note can be attached, if no other message has mentioned
      // the refund, or if it had failed before; only the last two also go by WhatsApp.
      const { refundId, generation, paymentId, amountPaise, appointment, way, again } = event;
      // What is paid by hand at last is told beside the provider's tries before it.
      const kind = way === "by_hand" ? ":by_hand" : again ? ":again" : "";
      const cause = `refund_accepted:${refundId}:${generation}${kind}`;
      const data = { refundId, paymentId, amountPaise, way, again: again || undefined };
      const isNew = way === "dashboard" || again;
      const channels: Channel[] = isNew ? ["email", "whatsapp"] : ["email"];
      const drafts: Draft[] = [];
      if (appointment && (isNew || event.credited)) {
        drafts.push(toCustomer({ appointment }, "refund_under_way", { cause, data, channels }));
      }
      if (way === "dashboard" && !again && !event.isUncaptured) {
        drafts.push(toAdmin("admin_provider_refund", { cause, data }, appointment?.id));
      }
      return drafts;
    }
    case "unpaid": {
      const about = { cause: `unpaid:${event.appointment.id}` };
      return [toCustomer(event, "booking_unpaid", about)];
    }
    case "payment_link": {
      const { id, version, window, startsAt } = event.appointment;
      const notAfter = window?.payBefore ?? startsAt;
      const about = { cause: `payment_link:${id}:${version}`, notAfter };
      // A new booking's link goes by mail only, a repeated one by WhatsApp too.
      const channels: Channel[] = event.again ? ["email", "whatsapp"] : ["email"];
      return [toCustomer(event, "payment_link", { ...about, channels })];
    }
    case "guardian_asked": {
      const { id, version } = event.appointment;
      const { again } = event;
      const data = { again: again ? true : undefined, moved: again === "moved" || undefined };
      const about = { cause: `guardian_asked:${id}:${version}`, data };
      return [toCustomer(event, "guardian_asked", about)];
    }
    case "reminder": {
      const { appointment, hours } = event;
      const { startsAt } = appointment;
      const cause = `reminder_${hours}h:${appointment.id}:${startsAt}`;
      // An hour before the start the one-hour reminder takes its place.
      const notAfter = hours === 24 ? startsAt - HOUR : startsAt;
      const about = { cause, data: { startsAt, hours }, notAfter };
      return toBoth(event, `reminder_${hours}h`, "counselor_reminder", about);
    }
    case "rating_asked": {
      const { appointment, code } = event;
      const cause = `rating:${appointment.id}:${appointment.startsAt}`;
      const about = { cause, data: { code }, notAfter: now + 7 * DAY };
      return [toCustomer(event, "rating_request", about)];
    }
    case "plan_sent": {
      const cause = `plan:${event.appointment.id}:${event.version}`;
      return [toCustomer(event, "session_plan", { cause })];
    }
    case "help_called": {
      const { appointment, side, asks } = event;
      const { id, startsAt } = appointment;
      const cause = `help:${id}:${startsAt}:${asks ?? side}`;
      const about = { cause, data: { startsAt, side, asks, at: now } };
      const toTeam = toAdmin("admin_help", about, id);
      if (asks) return [toTeam];
      const inTime = { ...about, notAfter: helpHours(appointment).until };
      if (side === "customer") return [toCounselor(event, "help_counselor", inTime), toTeam];
      return [toCustomer(event, "help_customer", inTime), toTeam];
    }
    case "refund_needs_person": {
      const { refundId, generation, paymentId, amountPaise, way, again, appointmentId } = event;
      const cause = `refund_needs_person:${refundId}:${generation}${again ? ":again" : ""}`;
      const error = event.error?.slice(0, LONGEST_ERROR);
      const data = { refundId, paymentId, amountPaise, way, error };
      return [toAdmin("admin_refund_needs_person", { cause, data }, appointmentId)];
    }
    case "unmatched_payment": {
      const { type: _, ...data } = event;
      const cause = `unmatched:${data.paymentId}`;
      return [toAdmin("admin_unmatched_payment", { cause, data })];
    }
    case "dispute": {
      const { type: _, appointmentId, ...data } = event;
      const cause = `dispute:${data.disputeId}:${data.phase}:${data.status}`;
      return [toAdmin("admin_dispute", { cause, data }, appointmentId)];
    }
    case "given_up": {
      const { queue, key, since, appointmentId } = event;
      const cause = `given_up:${queue}:${key}:${since}`;
      const data = { queue, key, error: event.error.slice(0, LONGEST_ERROR) };
      return [toAdmin("admin_given_up", { cause, data }, appointmentId)];
    }
    case "reset_code":
    case "team_invitation":
      return [{ ...requestedMail(event), notAfter: event.expiresAt }];
    case "test_mail":
    case "account_notice": {
      const draft = requestedMail(event);
      return [{ ...draft, data: { ...draft.data, at: now } }];
    }
    case "booking_links":
      return [{ ...requestedMail(event), notAfter: now + DAY }];
    case "backup_failed":
    case "off_site_failed": {
      const { type, at } = event;
      // At most one mail a day while backups fail.
      const occasion = type === "backup_failed" ? dateInIndia(at) : at;
      const data = { at, error: event.error.slice(0, LONGEST_ERROR) };
      return [toAdmin(`admin_${type}`, { cause: `${type}:${occasion}`, data })];
    }
    case "whatsapp_trouble": {
      const { type, at, code } = event;
      const cause = `${type}:${code ?? "none"}:${dateInIndia(at)}`;
      const data = { at, error: event.error.slice(0, LONGEST_ERROR) };
      return [toAdmin("admin_whatsapp_trouble", { cause, data })];
    }
    case "doctor_found": {
      const { type, ...data } = event;
      return [toAdmin("admin_doctor", { cause: `${type}:${data.at}`, data })];
    }
    case "calendar_unread": {
      const { counselorKey, counselor, since, error } = event;
      const cause = `calendar_unread:${counselorKey}:${since}`;
      return [toAdmin("admin_calendar_unread", { cause, data: { at: since, counselor, error } })];
    }
    case "owner_alert": {
      const { type: _, ...data } = event;
      return [toAdmin("admin_alert", { cause: ownerAlertCause(data.alert, data.at), data })];
    }
  }
}

/** Characters of an error that a mail quotes. */
const LONGEST_ERROR = 500;

/** A mail to the address that somebody typed. */
function requestedMail(event: Extract<MessageEvent, { requestId: string }>): Draft {
  const { type: kind, requestId, email, ...data } = event;
  return { kind, cause: `${kind}:${requestId}`, recipient: { email }, data };
}

function moveDrafts(event: Extract<MessageEvent, { type: "rescheduled" }>): Draft[] {
  const { appointment, previous } = event;
  const { startsAt } = appointment;
  const cause = `rescheduled:${appointment.id}:${appointment.version}`;
  const data = {
    sequence: appointment.calendarSequence,
    startsAt,
    previousDate: previous.date,
    previousTimeSlot: previous.timeSlot,
    ...(previous.counselor && { previousCounselor: previous.counselor.key }),
  };
  const about = { cause, data, notAfter: startsAt };
  const customer = toCustomer(event, "booking_rescheduled", about);
  if (appointment.status === "pending_payment") return [customer];
  if (!previous.counselor) return [customer, toCounselor(event, "counselor_moved", about)];
  return [
    customer,
    {
      ...toCounselor(event, "counselor_cancelled", { ...about, data: { ...data, wasPaid: true } }),
      recipient: { email: previous.counselor.email },
    },
    toCounselor(event, "counselor_new", { ...about, cause: `${cause}:new` }),
  ];
}

type Correction = Extract<MessageEvent, { type: "contact_corrected" }>;

/** The channels on which the confirmation is sent again after a correction. */
export function confirmedAgain({ appointment, changed }: Correction): Channel[] {
  if (!isPaid(appointment)) return [];
  const channels: Channel[] = [];
  if (changed.some((field) => field !== "notes")) channels.push("email");
  if (changed.includes("phone")) channels.push("whatsapp");
  return channels;
}

/** The channels on which an open link is sent again, under its present end. */
function linkedAgain({ changed, wasLinkedByWhatsApp }: Correction): Channel[] {
  const channels: Channel[] = [];
  if (changed.includes("email")) channels.push("email");
  if (changed.includes("phone") && wasLinkedByWhatsApp) channels.push("whatsapp");
  return channels;
}

/** The captain is notified unless only the e-mail address has changed. */
function correctionDrafts(env: Env, event: Correction, now: number): Draft[] {
  const { appointment, changed } = event;
  const cause = `corrected:${appointment.id}:${appointment.version}`;
  const again = { cause, data: { corrected: true }, channels: confirmedAgain(event) };
  const drafts = [toCustomer(event, "booking_confirmed", again)];
  if (hasOpenLink(appointment, now)) {
    const [link] = draftsOf(env, now, { type: "payment_link", appointment });
    drafts.push({ ...link!, channels: linkedAgain(event) });
  }
  const concernsCaptain = changed.some((field) => field !== "email");
  if (concernsCaptain && isPaid(appointment) && now < appointment.startsAt) {
    drafts.push(toCounselor(event, "counselor_corrected", { cause }));
  }
  return drafts;
}

function toBoth(
  event: AboutAppointment,
  customer: MessageKind,
  counselor: MessageKind,
  about: About,
): Draft[] {
  return [toCustomer(event, customer, about), toCounselor(event, counselor, about)];
}

function toCustomer(
  event: AboutAppointment | Pick<AboutAppointment, "appointment">,
  kind: MessageKind,
  about: About,
): Draft {
  const { id, contact, source, whatsapp } = event.appointment;
  return {
    ...about,
    kind,
    appointmentId: id,
    // The only check whether the customer wants WhatsApp messages about this booking.
    recipient: { email: contact.email, phone: whatsapp ? contact.phone : null },
    unpaid: !wasPaid(event.appointment),
    // Staff know whom they book for, a visitor may have typed somebody else's address.
    bySelfService: "by" in event && event.by === "customer" && source === "visitor",
  };
}

/** A captain who is not in the catalogue has no address and gets no mail. */
function toCounselor({ appointment }: AboutAppointment, kind: MessageKind, about: About): Draft {
  const { id, counselorEmail: email } = appointment;
  return { ...about, kind, appointmentId: id, recipient: { email } };
}
