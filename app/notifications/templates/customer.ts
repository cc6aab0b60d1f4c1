/** The mails to the customer. Each says what happened, what it means and what to do next. */
import { isPaid } from "#app/model/appointment.ts";
import { formatDeadline, formatLongDay, formatSlot } from "#app/model/dates.ts";
import { formatRupees } from "#app/model/money.ts";
import { isTooLate } from "#app/model/statuses.ts";
import { cancelReasonWords, tooLateWords } from "#app/model/wording.ts";
import { type AppointmentContext, heading, type MailContent, paragraph } from "./content.ts";
import {
  attachments,
  bookAgain,
  changing,
  checkingNote,
  hello,
  joining,
  mail,
  moneySums,
  newCaptain,
  openBooking,
  payButton,
  preparing,
  previously,
  resuming,
  standing,
} from "./customer-parts.ts";
import { customerPass, joinSentence, refundSentence, sessionOf } from "./pass.ts";

export function bookingConfirmed(context: AppointmentContext): MailContent {
  const { appointment, data, now } = context;
  const session = sessionOf(appointment);
  const over = now >= appointment.endsAt;
  const opening = data.corrected
    ? `${hello(context)}, we have corrected your contact details. Here is your confirmation again.`
    : `${hello(context)}, we have received your payment of ${formatRupees(appointment.price.totalPaise)}, and your session is confirmed.`;
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
  const moved = `${hello(context)}, your session ${previously(context)}is now on ${session}${newCaptain(context)}.`;
  if (!isPaid(appointment)) return pendingMoved(context, moved);
  return mail(context, {
    subject: `Moved to ${session}: your session with ${appointment.counselor}`,
    preview: joinSentence(appointment),
    heading: "Your session has moved",
    blocks: [
      paragraph(
        moved,
        "There is nothing more to pay, and your invoice stays as it is.",
        context.attached.calendar ? "The attached invite updates your calendar." : "",
      ),
      { type: "pass", pass: customerPass(context) },
      ...joining(context),
      openBooking(context),
      paragraph(
        "If the new time does not suit you, choose another one on your booking page or write to us.",
      ),
      ...changing(context),
    ],
  });
}

function pendingMoved(context: AppointmentContext, moved: string): MailContent {
  const { appointment, now } = context;
  const { window } = appointment;
  const pay =
    window !== null && window.payBefore > now
      ? `It is not paid yet. Please start paying by ${formatDeadline(window.payBefore, now)}.`
      : "It is not paid yet, and the time to pay has ended. Your booking page shows whether the session is still free.";
  return mail(context, {
    subject: `Moved to ${sessionOf(appointment)}, not paid yet`,
    preview: pay,
    heading: "Your booking has moved. Please pay to confirm it",
    blocks: [
      paragraph(moved, pay),
      { type: "pass", pass: customerPass(context) },
      payButton(context),
      checkingNote(),
    ],
  });
}

export function joiningChanged(context: AppointmentContext): MailContent {
  const { appointment, attached } = context;
  const session = sessionOf(appointment);
  const isLink = appointment.meeting.kind === "link";
  return mail(context, {
    subject: `${isLink ? "New meeting link" : "The captain calls you"}: ${session}, with ${appointment.counselor}`,
    preview: joinSentence(appointment),
    heading: "How your session takes place has changed",
    blocks: [
      paragraph(
        `${hello(context)}, your session on ${session} stands. What has changed is how it takes place.`,
        isLink
          ? "Please use the link below, and no link of an earlier mail."
          : "Please wait for the call, and use no link of an earlier mail.",
        attached.calendar ? "The attached invite updates your calendar." : "",
      ),
      { type: "pass", pass: customerPass(context) },
      ...joining(context),
      openBooking(context),
    ],
  });
}

export function bookingCancelled(context: AppointmentContext): MailContent {
  const { appointment, data, attached } = context;
  const refund = refundSentence(context);
  const money =
    refund ??
    (data.wasPaid
      ? context.sums && context.sums.keptPaise > 0
        ? "Nothing goes back: it was cancelled later than a refund is promised."
        : "Your booking page shows what happened to your payment."
      : "You had not paid, so there is nothing to refund. If a payment still arrives, we send it back in full.");
  return mail(context, {
    subject: `Cancelled: your session on ${sessionOf(appointment)}`,
    preview: money,
    heading: "Your session is cancelled",
    blocks: [
      paragraph(
        `${hello(context)}, your session on ${sessionOf(appointment)} with ${appointment.counselor} will not take place.`,
        cancelReasonWords(appointment.cancelReason) ?? "",
        appointment.cancelNote ? `Reason: ${appointment.cancelNote}` : "",
      ),
      { type: "pass", pass: customerPass(context) },
      heading("Your money"),
      paragraph(money),
      ...moneySums(context),
      ...(attached.calendar
        ? [paragraph("The attached calendar file removes the session from your calendar.")]
        : []),
      openBooking(context),
      bookAgain(context, "If you would still like to talk to a captain, "),
    ],
  });
}

export function latePaymentRefunded(context: AppointmentContext): MailContent {
  const { appointment, data } = context;
  const refund = refundSentence({ ...context, data: { ...data, refundWanted: true } });
  return mail(context, {
    subject: `Refund: your payment for ${sessionOf(appointment)} arrived too late`,
    preview: refund ?? "",
    heading: "Your payment arrived too late",
    blocks: [
      paragraph(
        `${hello(context)}.`,
        tooLateWords(isTooLate(data.reason) ? data.reason : "time_gone"),
        "We are sorry about that. You need not do anything for the refund.",
      ),
      { type: "pass", pass: customerPass(context) },
      heading("Your money"),
      paragraph(refund ?? ""),
      openBooking(context),
      bookAgain(context, "If you would still like to talk to a captain, "),
    ],
  });
}

export function paymentRefunded(context: AppointmentContext): MailContent {
  const { appointment, data } = context;
  const amount = formatRupees(data.amountPaise ?? appointment.price.totalPaise);
  const second = data.reason === "second";
  const what = second
    ? `${hello(context)}, we received a second payment of ${amount} for your booking. We send it back in full.`
    : `${hello(context)}, we received ${amount} for a booking that costs ${formatRupees(appointment.price.totalPaise)}. We send the payment back in full.`;
  const refund = refundSentence({ ...context, data: { ...data, refundWanted: true } });
  const stands = standing(context);
  return mail(context, {
    subject: `Refund of ${amount}: your session on ${sessionOf(appointment)}`,
    preview: stands,
    heading: second ? "We send your second payment back" : "We send your payment back",
    blocks: [
      paragraph(what),
      paragraph(refund ?? "", "You need not do anything for the refund."),
      paragraph(stands),
      { type: "pass", pass: customerPass(context) },
      openBooking(context),
    ],
  });
}

/** The provider accepted a refund; its credit note is attached if the payment has an invoice. */
export function refundUnderWay(context: AppointmentContext): MailContent {
  const { appointment, data, attached } = context;
  const refund = refundSentence({ ...context, data: { ...data, refundWanted: true } }) ?? "";
  const amount = formatRupees(context.refund?.amountPaise ?? data.amountPaise ?? 0);
  return mail(context, {
    subject: `Refund of ${amount}: your session on ${sessionOf(appointment)}`,
    preview: refund,
    heading: `Your refund of ${amount}`,
    blocks: [
      paragraph(
        `${hello(context)}.`,
        refund,
        context.refund?.note ? `Reason: ${context.refund.note}` : "",
        data.again ? "It did not go through at first. We are sorry that it took longer." : "",
        "You need not do anything for the refund.",
      ),
      ...moneySums(context),
      paragraph(
        attached.creditNote ? `Attached: credit note ${attached.creditNote}.` : "",
        standing(context),
      ),
      openBooking(context),
    ],
  });
}

/** For a booking that staff made: its price, and until when it can be paid. */
export function paymentLink(context: AppointmentContext): MailContent {
  const { appointment, now } = context;
  const { counselor, price, window } = appointment;
  const until = window ? ` by ${formatDeadline(window.payBefore, now)}` : "";
  const pay = `Please start paying${until}: we keep the time for you until then.`;
  return mail(context, {
    subject: `Please pay: your session on ${sessionOf(appointment)}`,
    preview: pay,
    heading: "Your session is booked. Please pay to confirm it",
    blocks: [
      paragraph(
        `${hello(context)}, we have booked a session with ${counselor} for you, on ${sessionOf(appointment)}. It costs ${formatRupees(price.totalPaise)}, GST included.`,
        pay,
      ),
      { type: "pass", pass: customerPass(context) },
      payButton(context),
      checkingNote(),
    ],
  });
}

export function bookingUnpaid(context: AppointmentContext): MailContent {
  const { appointment } = context;
  const kept = appointment.window
    ? `We held the time for you until ${formatDeadline(appointment.window.holdUntil, context.now)}, but have not received a payment. It is free for others again.`
    : "We have not received a payment, and the time is free for others again.";
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
        "If you are no longer interested, or did not make this booking, you need not do anything. We will not write about it again.",
      ),
    ],
  });
}

export function reminder(context: AppointmentContext, hours: 24 | 1): MailContent {
  const { appointment } = context;
  const when =
    hours === 24
      ? `your session with ${appointment.counselor} is on ${formatLongDay(appointment.date)} at ${formatSlot(appointment.timeSlot)} IST.`
      : `your session with ${appointment.counselor} starts today at ${formatSlot(appointment.timeSlot)} IST.`;
  return mail(context, {
    subject: `Reminder: ${sessionOf(appointment)}, with ${appointment.counselor}`,
    preview: joinSentence(appointment),
    heading: hours === 24 ? "Your session is coming up" : "Your session starts soon",
    blocks: [
      paragraph(`${hello(context)}, ${when}`),
      { type: "pass", pass: customerPass(context) },
      ...joining(context),
      openBooking(context),
      ...(hours === 24 ? [...preparing(), ...changing(context)] : changing(context)),
    ],
  });
}
