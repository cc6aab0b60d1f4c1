/** Parts that mails to the customer share. */
import { isPaid, refuseRenewal } from "#app/model/appointment.ts";
import { formatDeadline, formatSlot } from "#app/model/dates.ts";
import { formatRupees } from "#app/model/money.ts";
import { sumsFacts } from "#app/model/refund.ts";
import { refundLine } from "#app/model/wording.ts";
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
  changeRule,
  customerOf,
  customerPass,
  hasOtherCaptain,
  joinSentence,
  sessionBefore,
  sessionOf,
} from "./pass.ts";

export function resuming(context: AppointmentContext): Part {
  const { appointment, site, now } = context;
  if (refuseRenewal(appointment, site, now)) {
    return bookAgain(context, "If you still want a session, ");
  }
  return [
    "If the time is still free, you can go on where you stopped.",
    button("Continue your booking", bookingUrl(site, appointment.id)),
  ];
}

export function hello({ appointment }: AppointmentContext): string {
  const name = customerOf(appointment);
  return name === null ? "Hello" : `Hello ${name}`;
}

export function attachments({ attached }: AppointmentContext): string {
  const invoice = attached.invoice ? `invoice ${attached.invoice}` : "";
  const calendar = attached.calendar ? "a calendar invite" : "";
  const list = [calendar, invoice].filter(Boolean).join(" and ");
  return list ? `Attached: ${list}.` : "";
}

/** Also in mails to captains. */
export function calendarUpdate({ attached }: AppointmentContext): string {
  return attached.calendar ? "The attached invite updates your calendar." : "";
}

export function joining({ appointment, data }: AppointmentContext): Part {
  const { meeting } = appointment;
  const at = `At ${formatSlot(appointment.timeSlot)} IST, open `;
  return [
    heading("How to join"),
    meeting.kind === "link"
      ? link(at, meeting.url, meeting.url, " on a phone or computer.")
      : joinSentence(appointment, data),
  ];
}

export const PREPARING: Part = [
  heading("Before the session"),
  {
    type: "list",
    items: [
      "Write down your questions, the most important one first.",
      "Have your school subjects and marks at hand, and what you know about your medical fitness.",
      "Sit somewhere quiet, with paper and a pen.",
    ],
  },
];

export function changing(context: AppointmentContext): Part {
  return [heading("If your plans change"), changeRule(context)];
}

/** None once the booking is deleted, and its page with it, or erased. */
export function openBooking({ site, appointment, data }: AppointmentContext): Part {
  return !data.appointment && button("Open your booking", bookingUrl(site, appointment.id));
}

export function passAndJoining(context: AppointmentContext): Part {
  return [customerPass(context), joining(context), openBooking(context)];
}

/** What was paid, refunded and kept; null if nothing was refunded or taken back. */
export function moneySums({ sums }: AppointmentContext): Part {
  if (!sums || sums.backPaise + sums.takenPaise === 0) return null;
  return { type: "facts", facts: sumsFacts(sums) };
}

/** For a cancellation without a refund. */
export function noRefundWords(context: AppointmentContext): string {
  const { data, sums } = context;
  if (!data.wasPaid) {
    return (
      sentBackWords(context) ||
      "You had not paid, so there is nothing to refund. If a payment still arrives, we will send all of it back."
    );
  }
  if (!sums || sums.keptPaise <= 0) return "There is nothing left to refund.";
  const refund = sums.backPaise > 0 ? "further refund" : "refund";
  return `There is no ${refund}, because the session was cancelled after the refund deadline.`;
}

/** What has become of each refund of the booking; empty without one. */
export function sentBackWords({ refunds }: AppointmentContext): string {
  return sentences(...refunds.map(refundLine));
}

/** Of a payment that went back and left its booking unpaid. */
export const NOT_USED = "Your payment could not be used";

/** What a refund means for the booking; empty once its session is over. */
export function standing({ appointment, now }: AppointmentContext): string {
  if (isPaid(appointment)) {
    if (now >= appointment.endsAt) return "";
    return `Nothing changes for your session on ${sessionOf(appointment)}.`;
  }
  return appointment.status === "cancelled"
    ? "Your booking is cancelled."
    : `${NOT_USED}, so your booking is not paid yet. If you still want it, please open your booking page to pay again or to choose a new time.`;
}

export function payButton({ site, appointment }: AppointmentContext): Block {
  const { id, price } = appointment;
  return button(`Pay ${formatRupees(price.totalPaise)}`, bookingUrl(site, id));
}

/** Keeps people from paying twice, unless what they paid has gone back. */
export function paidAlready(context: AppointmentContext): string {
  return (
    sentBackWords(context) ||
    "If you have already paid, please do not pay again. We are checking with the payment provider, and will write to you once the payment is confirmed."
  );
}

export function bookAgain({ site }: AppointmentContext, before: string): Block {
  return link(before, "choose another time", `${site.publicUrl}/`, ".");
}

/** The awaited link of a confirmed session has arrived. */
export function linkIsHere(context: AppointmentContext): Draft {
  const { appointment } = context;
  return {
    subject: "Your meeting link: ",
    preview: joinSentence(appointment),
    heading: "Your meeting link is here",
    says: [
      sentences(
        `${hello(context)}, this is the link for your session on ${sessionOf(appointment)}.`,
        "It is for you and your captain; please do not pass it on.",
        calendarUpdate(context),
      ),
      passAndJoining(context),
    ],
  };
}

export function reminder(
  context: AppointmentContext,
  title: string,
  when: string,
  more: Part,
): Draft {
  const { appointment } = context;
  return {
    subject: "Reminder: ",
    preview: joinSentence(appointment, context.data),
    heading: title,
    says: [
      `${hello(context)}, your session with ${appointment.counselor} ${when}.`,
      passAndJoining(context),
      more,
      changing(context),
    ],
  };
}

/** From when to when, and to whom where another captain takes the session. */
export function movedWords({ appointment, data }: AppointmentContext): string {
  const { counselor } = appointment;
  const before = sessionBefore(data);
  const session = sessionOf(appointment);
  const isPassedOn = hasOtherCaptain(appointment, data);
  if (before === session) {
    return isPassedOn
      ? `your session on ${session} is now with ${counselor}.`
      : `your session stays on ${session}.`;
  }
  const captain = isPassedOn ? `, with ${counselor}` : "";
  return `your session ${before ? `of ${before} ` : ""}is now on ${session}${captain}.`;
}

/** For a booking that was moved before it was paid; `moved` says from when to when. */
export function movedUnpaid(context: AppointmentContext, moved: string): Draft {
  const { appointment, now } = context;
  const { window } = appointment;
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
