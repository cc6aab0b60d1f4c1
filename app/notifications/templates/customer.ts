/** The mails to the customer. Each says what happened, what it means and what to do next. */
import { isPaid } from "#app/model/appointment.ts";
import { formatClock, formatLongDay, formatSlot } from "#app/model/dates.ts";
import { formatRupees } from "#app/model/money.ts";
import { CANCEL_REASONS, cancelReasonWords, customerStatusLabel } from "#app/model/wording.ts";
import { heading, type MailContent, paragraph } from "./content.ts";
import type { AppointmentContext } from "./context.ts";
import {
  attachments,
  bookAgain,
  changing,
  checkingNote,
  hello,
  joining,
  mail,
  openBooking,
  payButton,
  preparing,
  previously,
  resuming,
} from "./customer-parts.ts";
import { customerPass, joinSentence, refundSentence, sessionOf } from "./pass.ts";

export function bookingConfirmed(context: AppointmentContext): MailContent {
  const { appointment, data, now } = context;
  const session = sessionOf(appointment);
  const over = now >= appointment.endsAt;
  const opening = data.corrected
    ? `${hello(context)}, we have corrected your contact details. Here is your confirmation again.`
    : `${hello(context)}, your payment of ${formatRupees(appointment.price.totalPaise)} has arrived and the time is yours.`;
  return mail(context, {
    subject: `Confirmed: ${session}, with ${appointment.counselor}`,
    preview: over ? "Your booking and its invoice." : joinSentence(appointment),
    heading: "Your session is confirmed",
    blocks: [
      paragraph(opening, attachments(context)),
      { type: "pass", pass: customerPass(context) },
      ...(over ? [] : joining(context)),
      openBooking(context),
      ...(over ? [] : preparing()),
      ...(over ? [] : changing(context)),
    ],
  });
}

export function bookingRescheduled(context: AppointmentContext): MailContent {
  const { appointment } = context;
  const session = sessionOf(appointment);
  const moved = `${hello(context)}, your session ${previously(context)}is now on ${session}. Please come at the new time only.`;
  if (!isPaid(appointment)) return pendingMoved(context, moved);
  return mail(context, {
    subject: `Moved to ${session}: your session with ${appointment.counselor}`,
    preview: joinSentence(appointment),
    heading: "Your session has moved",
    blocks: [
      paragraph(
        moved,
        "There is nothing more to pay, and your invoice stays as it is.",
        context.attached.calendar ? "The attached invite moves the entry in your calendar." : "",
      ),
      { type: "pass", pass: customerPass(context) },
      ...joining(context),
      openBooking(context),
      paragraph("Does the new time not suit you? Choose another one or write to us."),
      ...changing(context),
    ],
  });
}

function pendingMoved(context: AppointmentContext, moved: string): MailContent {
  const { appointment, now } = context;
  const { window } = appointment;
  const held = window !== null && window.holdUntil > now;
  const pay =
    held && window.payBefore > now
      ? `It is not paid yet. Please start paying before ${formatClock(window.payBefore)} IST; we keep the time for you until ${formatClock(window.holdUntil)} IST.`
      : held
        ? `It is not paid yet; we keep the time for you until ${formatClock(window.holdUntil)} IST.`
        : "It is not paid yet, and the time is no longer kept for you. Your booking page shows whether it is still free.";
  return mail(context, {
    subject: `Moved to ${sessionOf(appointment)}, not paid yet`,
    preview: pay,
    heading: "Your booking has moved and waits for payment",
    blocks: [
      paragraph(moved, pay),
      { type: "pass", pass: customerPass(context) },
      payButton(context),
      checkingNote(),
    ],
  });
}

export function bookingCancelled(context: AppointmentContext): MailContent {
  const { appointment, data, attached } = context;
  const refund = refundSentence(context);
  const money =
    refund ??
    (data.wasPaid
      ? "Your booking page shows how the payment stands."
      : "Nothing was paid, so there is nothing to refund. Should a payment for it still arrive, we send it back in full.");
  return mail(context, {
    subject: `Cancelled: your session on ${sessionOf(appointment)}`,
    preview: money,
    heading: "Your session is cancelled",
    blocks: [
      paragraph(
        `${hello(context)}.`,
        cancelReasonWords(appointment.cancelReason) ?? "This session is cancelled.",
        `It was to be on ${sessionOf(appointment)}, with ${appointment.counselor}, and does not take place.`,
      ),
      { type: "pass", pass: customerPass(context) },
      heading("Your money"),
      paragraph(
        money,
        attached.creditNote
          ? `Credit note ${attached.creditNote} for invoice ${attached.invoice ?? ""} is attached.`
          : "",
      ),
      ...(attached.calendar
        ? [paragraph("The attached calendar file takes the session out of your calendar.")]
        : []),
      openBooking(context),
      bookAgain(context, "If you would still like to talk to a captain, "),
    ],
  });
}

export function latePaymentRefunded(context: AppointmentContext): MailContent {
  const { appointment } = context;
  const refund = refundSentence({ ...context, data: { ...context.data, refundWanted: true } });
  return mail(context, {
    subject: `Refunded: your payment for ${sessionOf(appointment)} came after the time was gone`,
    preview: refund ?? "",
    heading: "Your payment came too late, and goes back to you",
    blocks: [
      paragraph(
        `${hello(context)}.`,
        CANCEL_REASONS.time_gone,
        "We are sorry about that. There is nothing you need to do for the refund.",
      ),
      { type: "pass", pass: customerPass(context) },
      heading("Your money"),
      paragraph(refund ?? ""),
      openBooking(context),
      bookAgain(context, "Other times are open: "),
    ],
  });
}

export function paymentRefunded(context: AppointmentContext): MailContent {
  const { appointment, data } = context;
  const amount = formatRupees(data.amountPaise ?? appointment.price.totalPaise);
  const second = data.reason === "second";
  const what = second
    ? `${hello(context)}, a second payment of ${amount} arrived for a booking that already had one. We send the second one back in full.`
    : `${hello(context)}, a payment of ${amount} arrived for a booking of ${formatRupees(appointment.price.totalPaise)}. We cannot use a different amount, so we send it back in full.`;
  const refund = refundSentence({ ...context, data: { ...data, refundWanted: true } });
  const stands = isPaid(appointment)
    ? `Your session stands: ${customerStatusLabel(appointment.status).toLowerCase()}, ${sessionOf(appointment)}.`
    : appointment.status === "cancelled"
      ? "The booking itself is cancelled."
      : "The booking is not paid yet. If you still want it, please pay again from the booking page.";
  return mail(context, {
    subject: `${amount} goes back to you: your session on ${sessionOf(appointment)}`,
    preview: stands,
    heading: second ? "We send your second payment back" : "We send your payment back",
    blocks: [
      paragraph(what),
      paragraph(refund ?? "", "There is nothing you need to do for the refund."),
      paragraph(stands),
      { type: "pass", pass: customerPass({ ...context, refund: null }) },
      openBooking(context),
    ],
  });
}

export function bookingUnpaid(context: AppointmentContext): MailContent {
  const { appointment } = context;
  const kept = appointment.window
    ? `We kept the time for you until ${formatClock(appointment.window.holdUntil)} IST, and no payment has reached us. It is open to others again.`
    : "No payment has reached us, and the time is open to others again.";
  return mail(context, {
    subject: `Not paid yet: your session on ${sessionOf(appointment)}`,
    preview: kept,
    heading: "Your booking is not paid yet",
    blocks: [
      paragraph(
        `${hello(context)}, you chose ${sessionOf(appointment)}, with ${appointment.counselor}.`,
        kept,
      ),
      { type: "pass", pass: customerPass(context) },
      ...resuming(context),
      checkingNote(),
      paragraph(
        "No longer interested, or not your booking? Then do nothing. We will not write about it again.",
      ),
    ],
  });
}

export function reminder(context: AppointmentContext, hours: 24 | 1): MailContent {
  const { appointment } = context;
  const when =
    hours === 24
      ? `Your session with ${appointment.counselor} is on ${formatLongDay(appointment.date)} at ${formatSlot(appointment.timeSlot)} IST.`
      : `Your session with ${appointment.counselor} starts today at ${formatSlot(appointment.timeSlot)} IST.`;
  return mail(context, {
    subject: `Reminder: ${sessionOf(appointment)}, with ${appointment.counselor}`,
    preview: joinSentence(appointment),
    heading: hours === 24 ? "Your session is coming up" : "Your session starts soon",
    blocks: [
      paragraph(`${hello(context)}.`, when),
      { type: "pass", pass: customerPass(context) },
      ...joining(context),
      openBooking(context),
      ...(hours === 24 ? [...preparing(), ...changing(context)] : changing(context)),
    ],
  });
}
