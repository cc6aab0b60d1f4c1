/** Mails to the customer: what happened, what it means and what to do next. */
import { isPaid } from "#app/model/appointment.ts";
import { formatDeadline, formatLongDay, formatSlot } from "#app/model/dates.ts";
import { shortId } from "#app/model/ids.ts";
import type { MessageKind } from "#app/model/messages.ts";
import { formatRupees } from "#app/model/money.ts";
import { isTooLate } from "#app/model/statuses.ts";
import { cancelReasonWords, HEADINGS, reasonWords, tooLateWords } from "#app/model/wording.ts";
import { AFTER_SESSION, answering, guardianAsked } from "./around-session.ts";
import {
  type AppointmentContext,
  type Draft,
  heading,
  type MailContent,
  mailOf,
  sentences,
} from "./content.ts";
import {
  attachments,
  bookAgain,
  calendarUpdate,
  changing,
  hello,
  joining,
  linkIsHere,
  moneySums,
  movedUnpaid,
  movedWords,
  NOT_USED,
  noRefundWords,
  openBooking,
  PREPARING,
  paidAlready,
  passAndJoining,
  payButton,
  reminder,
  resuming,
  sentBackWords,
  standing,
} from "./customer-parts.ts";
import {
  anotherTime,
  customerPass,
  joinSentence,
  promisedRefund,
  refundSentence,
  sessionAndBefore,
  sessionOf,
  subjectOf,
} from "./pass.ts";

export const TO_CUSTOMER = {
  ...AFTER_SESSION,
  booking_confirmed: (context) => {
    const { appointment, data, now } = context;
    const isOver = now >= appointment.endsAt;
    const paid = formatRupees(appointment.price.totalPaise);
    const [done, news] = data.corrected
      ? ["we have corrected your contact details", "Here is your confirmation again."]
      : [`we have received your payment of ${paid}`, "Your session is confirmed."];
    return {
      subject: isOver ? "Your booking: " : "Confirmed: ",
      preview: isOver ? "Your booking and its invoice." : joinSentence(appointment),
      heading: isOver ? "Your booking and its invoice" : "Your session is confirmed",
      says: [
        sentences(`${hello(context)}, ${done}.`, !isOver && news, attachments(context)),
        customerPass(context),
        !isOver && joining(context),
        openBooking(context),
        !isOver && [PREPARING, changing(context)],
      ],
    };
  },
  booking_rescheduled: (context) => {
    const { appointment } = context;
    const moved = `${hello(context)}, ${movedWords(context)}`;
    if (!isPaid(appointment)) return movedUnpaid(context, moved);
    return {
      subject: "Moved to ",
      preview: joinSentence(appointment),
      heading: HEADINGS.rescheduled,
      says: [
        sentences(
          moved,
          "There is nothing more to pay, and your invoice stays as it is.",
          calendarUpdate(context),
        ),
        passAndJoining(context),
        anotherTime(context),
        changing(context),
      ],
    };
  },
  joining_changed: (context) => {
    const { appointment } = context;
    if (context.data.first) return linkIsHere(context);
    const isLink = appointment.meeting.kind === "link";
    return {
      subject: isLink ? "New meeting link: " : "Now by phone: ",
      preview: joinSentence(appointment),
      heading: "How your session takes place has changed",
      says: [
        sentences(
          `${hello(context)}, your session is still on ${sessionOf(appointment)}, but takes place in another way.`,
          isLink
            ? "Please use the link below, not one from an earlier email."
            : "The captain calls you. Please do not use a link from an earlier email.",
          calendarUpdate(context),
        ),
        passAndJoining(context),
      ],
    };
  },
  booking_cancelled: (context) => {
    const { appointment, attached } = context;
    const money = refundSentence(context) ?? noRefundWords(context);
    return {
      subject: "Cancelled: ",
      preview: money,
      heading: "Your session is cancelled",
      says: [
        sentences(
          `${hello(context)}, your session on ${sessionAndBefore(context)} with ${appointment.counselor} ${context.now < appointment.startsAt ? "will not take place" : "is cancelled"}.`,
          cancelReasonWords(appointment.cancelReason) ?? "",
          reasonWords(appointment.cancelNote),
        ),
        customerPass(context),
        heading("Your money"),
        money,
        moneySums(context),
        attached.calendar &&
          "The attached calendar file marks the session in your calendar as cancelled.",
        openBooking(context),
        bookAgain(context, "If you would still like to talk to a captain, "),
      ],
    };
  },
  late_payment_refunded: (context) => {
    const { reason } = context.data;
    const refund = promisedRefund(context);
    return {
      subject: "Refund, paid late: ",
      preview: refund,
      heading: "Your payment arrived too late",
      says: [
        sentences(
          `${hello(context)}.`,
          tooLateWords(isTooLate(reason) ? reason : "time_gone"),
          "We are sorry about that. You need not do anything for the refund.",
        ),
        customerPass(context),
        heading("Your money"),
        refund,
        openBooking(context),
        bookAgain(context, "If you would still like to talk to a captain, "),
      ],
    };
  },
  payment_refunded: (context) => {
    const { appointment, data } = context;
    const price = formatRupees(appointment.price.totalPaise);
    const amount = data.amountPaise === undefined ? price : formatRupees(data.amountPaise);
    const isSecond = data.reason === "second";
    return {
      subject: `Refund of ${amount}: `,
      preview: standing(context) || promisedRefund(context),
      heading: isSecond
        ? "We are sending your second payment back"
        : "We are sending your payment back",
      says: [
        isSecond
          ? `${hello(context)}, we received a second payment of ${amount} for your booking.`
          : `${hello(context)}, we received ${amount} for a booking that costs ${price}.`,
        sentences(promisedRefund(context), "You need not do anything for the refund."),
        standing(context),
        customerPass(context),
        openBooking(context),
      ],
    };
  },
  /** The provider has accepted a refund. */
  refund_under_way: (context) => {
    const { data, attached, refund } = context;
    const amount = formatRupees(refund?.amountPaise ?? data.amountPaise ?? 0);
    return {
      subject: `Refund of ${amount}: `,
      preview: promisedRefund(context),
      heading: `Your refund of ${amount}`,
      says: [
        sentences(
          `${hello(context)}.`,
          promisedRefund(context),
          reasonWords(refund?.note),
          data.again ? "The first try did not go through, and we are sorry for the delay." : "",
          "You need not do anything for the refund.",
        ),
        moneySums(context),
        sentences(
          attached.creditNote && `Attached: credit note ${attached.creditNote}.`,
          standing(context),
        ),
        openBooking(context),
      ],
    };
  },
  guardian_asked: guardianAsked,
  /** For a booking that staff have made or hold again. */
  payment_link: (context) => {
    const { appointment, now } = context;
    const { counselor, source, window } = appointment;
    const until = window ? ` by ${formatDeadline(window.payBefore, now)}` : "";
    const pay = `Please start paying${until}. We keep the time for you until then.`;
    const session = `a session with ${counselor}`;
    const when = `on ${sessionOf(appointment)}`;
    const [heading, opening] =
      source === "staff"
        ? [
            "Your session is booked. Please pay to confirm it",
            `we have booked ${session} for you, ${when}`,
          ]
        : [
            "We hold your time again. Please pay to confirm your session",
            `you chose ${session}, ${when}, and we hold it for you again`,
          ];
    return {
      subject: "Please pay: ",
      preview: pay,
      heading,
      says: [
        sentences(
          `${hello(context)}, ${opening}. It costs ${formatRupees(appointment.price.totalPaise)}, GST included.`,
          pay,
        ),
        customerPass(context),
        payButton(context),
        paidAlready(context),
      ],
    };
  },
  booking_unpaid: (context) => {
    const { appointment, now } = context;
    const { window } = appointment;
    const wentBack = sentBackWords(context) !== "";
    const holdEnded = sentences(
      window && `We held the time for you until ${formatDeadline(window.holdUntil, now)}.`,
      wentBack ? `${NOT_USED} and goes back to you.` : "We have not received a payment.",
      "The time is free for others again.",
    );
    return {
      subject: "Not paid yet: ",
      preview: holdEnded,
      heading: "Your booking is not paid yet",
      says: [
        sentences(
          `${hello(context)}, you chose ${sessionOf(appointment)}, with ${appointment.counselor}.`,
          holdEnded,
        ),
        customerPass(context),
        resuming(context),
        paidAlready(context),
        wentBack
          ? "If you are no longer interested, you need not do anything."
          : "If you are no longer interested, or did not make this booking, you need not do anything. We will not write about it again.",
      ],
    };
  },
  reminder_24h: (context) => {
    const { date, timeSlot } = context.appointment;
    const when = `is on ${formatLongDay(date)} at ${formatSlot(timeSlot)} IST`;
    return reminder(context, "Your session is coming up", when, [answering(context), PREPARING]);
  },
  reminder_1h: (context) => {
    const when = `starts today at ${formatSlot(context.appointment.timeSlot)} IST`;
    return reminder(context, "Your session starts soon", when, null);
  },
} as const satisfies Partial<Record<MessageKind, (context: AppointmentContext) => Draft>>;

/** Completes the draft's subject, which says what happened, with time, captain and booking code. */
export function customerMail(
  kind: keyof typeof TO_CUSTOMER,
  context: AppointmentContext,
): MailContent {
  const draft = TO_CUSTOMER[kind](context);
  const { appointment, site } = context;
  const subject = `${subjectOf(draft.subject, appointment)} [${shortId(appointment.id)}]`;
  return mailOf(site, "customer", { ...draft, subject });
}
