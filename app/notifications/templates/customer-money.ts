/** Mails to the customer about money: to be paid, sent back or kept. */
import { isPaid, refuseRenewal } from "#app/model/appointment.ts";
import { formatDeadline } from "#app/model/dates.ts";
import type { MessageKind } from "#app/model/messages.ts";
import { formatRupees } from "#app/model/money.ts";
import { sumsFacts } from "#app/model/refund.ts";
import { isTooLate } from "#app/model/statuses.ts";
import {
  cancelReasonWords,
  goesBackWords,
  reasonWords,
  refundLine,
  tooLateToRefund,
  tooLateWords,
  underWayWords,
} from "#app/model/wording.ts";
import {
  type AppointmentContext,
  type Block,
  bookingUrl,
  button,
  type Draft,
  heading,
  link,
  type Part,
  sentences,
} from "./content.ts";
import {
  customerPass,
  hello,
  openBooking,
  promisedRefund,
  refundSentence,
  sessionAndBefore,
  sessionOf,
} from "./pass.ts";

export const ABOUT_MONEY = {
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
    const { counselor, source, window } = appointment;
    const session = sessionOf(appointment);
    const isByStaff = source === "staff";
    const chosen = isByStaff ? `we booked ${session} for you` : `you chose ${session}`;
    const notMine = isByStaff ? "" : ", or did not make this booking";
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
        sentences(`${hello(context)}, ${chosen}, with ${counselor}.`, holdEnded),
        customerPass(context),
        resuming(context),
        paidAlready(context),
        wentBack
          ? "If you are no longer interested, you need not do anything."
          : `If you are no longer interested${notMine}, you need not do anything. We will not write about it again.`,
      ],
    };
  },
} as const satisfies Partial<Record<MessageKind, (context: AppointmentContext) => Draft>>;

/** For a booking that was moved before it was paid; `moved` says from when to when. */
export function movedUnpaid(context: AppointmentContext, moved: string): Draft {
  const { appointment, now, underWayPaise } = context;
  const { window } = appointment;
  if (underWayPaise > 0) {
    const wait = `${underWayWords(formatRupees(underWayPaise))} Please do not pay again. We will write to you once it is confirmed.`;
    return {
      subject: "Moved to ",
      preview: wait,
      heading: "Your booking has moved",
      says: [sentences(moved, wait), customerPass(context), openBooking(context)],
    };
  }
  const pay =
    window !== null && window.payBefore > now
      ? `It is not paid yet. Please start paying by ${formatDeadline(window.payBefore, now)}.`
      : "It is not paid yet, and the time to pay has ended. Your booking page shows whether the session is still free.";
  return {
    subject: "Please pay: moved to ",
    preview: pay,
    heading: "Your booking has moved. Please pay to confirm it",
    says: [sentences(moved, pay), customerPass(context), payButton(context), paidAlready(context)],
  };
}

function resuming(context: AppointmentContext): Part {
  const { appointment, site, now } = context;
  if (refuseRenewal(appointment, site, now)) {
    return bookAgain(context, "If you still want a session, ");
  }
  return [
    "If the time is still free, you can go on where you stopped.",
    button("Continue your booking", bookingUrl(site, appointment.id)),
  ];
}

/** What was paid, refunded and kept; null if nothing was refunded or taken back. */
function moneySums({ sums }: AppointmentContext): Part {
  if (!sums || sums.backPaise + sums.takenPaise === 0) return null;
  return { type: "facts", facts: sumsFacts(sums) };
}

/** For a cancellation without a refund. */
function noRefundWords(context: AppointmentContext): string {
  const { data, sums, underWayPaise } = context;
  if (!data.wasPaid) {
    const goesBack = underWayPaise > 0 && goesBackWords(underWayPaise);
    return (
      sentences(sentBackWords(context), goesBack) ||
      "You had not paid, so there is nothing to refund. If a payment still arrives, we will send all of it back."
    );
  }
  if (!sums || sums.keptPaise <= 0) return "There is nothing left to refund.";
  return tooLateToRefund(sums.backPaise > 0);
}

/** What has become of each refund of the booking; empty without one. */
function sentBackWords({ refunds }: AppointmentContext): string {
  return sentences(...refunds.map(refundLine));
}

/** Of a payment that went back and left its booking unpaid. */
const NOT_USED = "Your payment could not be used";

/** What a refund means for the booking; empty once its session is over. */
function standing({ appointment, now }: AppointmentContext): string {
  if (isPaid(appointment)) {
    if (now >= appointment.endsAt) return "";
    return `Nothing changes for your session on ${sessionOf(appointment)}.`;
  }
  return appointment.status === "cancelled"
    ? "Your booking is cancelled."
    : `${NOT_USED}, so your booking is not paid yet. If you still want it, please open your booking page to pay again or to choose a new time.`;
}

function payButton({ site, appointment }: AppointmentContext): Block {
  const { id, price } = appointment;
  return button(`Pay ${formatRupees(price.totalPaise)}`, bookingUrl(site, id));
}

/** Keeps people from paying twice, unless what they paid has gone back. */
function paidAlready(context: AppointmentContext): string {
  return (
    sentBackWords(context) ||
    "If you have already paid, please do not pay again. We are checking with the payment provider, and will write to you once the payment is confirmed."
  );
}

function bookAgain({ site }: AppointmentContext, before: string): Block {
  return link(before, "choose another time", `${site.publicUrl}/`, ".");
}
