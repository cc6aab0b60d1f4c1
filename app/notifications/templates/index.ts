/** Message kind → its words. */
import type { Appointment } from "#app/model/appointment.ts";
import type { MessageKind } from "#app/model/messages.ts";
import { accountNotice, bookingLinks, resetCode, teamInvitation } from "./account.ts";
import { adminMail, isToAdmin } from "./admin.ts";
import type { AppointmentContext, MailContent, TemplateContext } from "./content.ts";
import {
  counselorCancelled,
  counselorCorrected,
  counselorJoiningChanged,
  counselorMoved,
  counselorNew,
  counselorReminder,
} from "./counselor.ts";
import {
  bookingCancelled,
  bookingConfirmed,
  bookingRescheduled,
  bookingUnpaid,
  joiningChanged,
  latePaymentRefunded,
  paymentLink,
  paymentRefunded,
  refundUnderWay,
  reminder,
} from "./customer.ts";
import { renderHtml } from "./render-html.ts";
import { renderText } from "./render-text.ts";
import { isWhatsAppKind, whatsAppParameters } from "./whatsapp.ts";

const ABOUT_APPOINTMENT = {
  booking_confirmed: bookingConfirmed,
  booking_rescheduled: bookingRescheduled,
  booking_cancelled: bookingCancelled,
  booking_unpaid: bookingUnpaid,
  payment_link: paymentLink,
  joining_changed: joiningChanged,
  reminder_24h: (context: AppointmentContext) => reminder(context, 24),
  reminder_1h: (context: AppointmentContext) => reminder(context, 1),
  payment_refunded: paymentRefunded,
  late_payment_refunded: latePaymentRefunded,
  refund_under_way: refundUnderWay,
  counselor_new: counselorNew,
  counselor_moved: counselorMoved,
  counselor_corrected: counselorCorrected,
  counselor_joining_changed: counselorJoiningChanged,
  counselor_cancelled: counselorCancelled,
  counselor_reminder: counselorReminder,
} as const;

type AboutAppointment = keyof typeof ABOUT_APPOINTMENT;

/** True for kinds that need their appointment. */
function needsAppointment(kind: MessageKind): kind is AboutAppointment {
  return Object.hasOwn(ABOUT_APPOINTMENT, kind);
}

export interface RenderInput extends TemplateContext {
  appointment: Appointment | null;
  /** Only for `booking_links`. */
  bookings: readonly Appointment[];
}

export interface RenderedMessage {
  subject: string;
  text: string;
  html: string;
  /** Null for kinds that do not go by WhatsApp. */
  whatsappParameters: string[] | null;
}

/** Throws if a kind that needs its appointment is given none. */
export function renderMessage(kind: MessageKind, input: RenderInput): RenderedMessage {
  const content = contentOf(kind, input);
  return {
    // A line break would start another header.
    subject: content.subject.replace(/\s+/gu, " "),
    text: renderText(content),
    html: renderHtml(content),
    whatsappParameters:
      isWhatsAppKind(kind) && input.appointment !== null
        ? whatsAppParameters(kind, { ...input, appointment: input.appointment })
        : null,
  };
}

function contentOf(kind: MessageKind, input: RenderInput): MailContent {
  if (needsAppointment(kind)) {
    if (input.appointment === null) throw new Error(`${kind} needs its appointment`);
    return ABOUT_APPOINTMENT[kind]({ ...input, appointment: input.appointment });
  }
  if (isToAdmin(kind)) return adminMail(kind, input);
  switch (kind) {
    case "reset_code":
      return resetCode(input);
    case "account_notice":
      return accountNotice(input);
    case "team_invitation":
      return teamInvitation(input);
    case "booking_links":
      return bookingLinks(input);
  }
}
