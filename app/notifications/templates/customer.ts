/** Mails to the customer: what happened, what it means and what to do next. */
import { attendeeOf, isPaid } from "#app/model/appointment.ts";
import { formatLongDay, formatSlot } from "#app/model/dates.ts";
import { missedWords } from "#app/model/help.ts";
import { shortId } from "#app/model/ids.ts";
import type { MessageKind } from "#app/model/messages.ts";
import { formatRupees } from "#app/model/money.ts";
import { HEADINGS } from "#app/model/wording.ts";
import {
  type AppointmentContext,
  bookingUrl,
  button,
  callUs,
  type Draft,
  heading,
  link,
  type MailContent,
  mailOf,
  type Part,
  sentences,
} from "./content.ts";
import { ABOUT_MONEY, movedUnpaid } from "./customer-money.ts";
import {
  anotherTime,
  calendarUpdate,
  changeRule,
  customerPass,
  hasOtherCaptain,
  hello,
  joinSentence,
  openBooking,
  sessionBefore,
  sessionOf,
  subjectOf,
} from "./pass.ts";

export const TO_CUSTOMER = {
  ...ABOUT_MONEY,
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
  /** For a student under 18: the link by which the customer confirms as parent or guardian. */
  guardian_asked: (context) => {
    const { appointment, site, data, guardianToken = "" } = context;
    const student = attendeeOf(appointment);
    const ask = `Please confirm that you are a parent or guardian of ${student}, and that you agree.`;
    return {
      subject: "Please confirm: ",
      preview: ask,
      heading: `Please confirm for ${student}`,
      says: [
        `${hello(context)}, a session is booked for ${student}, who is under 18. ${ask} It takes a minute.`,
        data.again ? askedAgain(data.moved) : null,
        button("Read and confirm", `${site.publicUrl}/guardian/${guardianToken}`),
        "The link is for you alone: please do not forward this email.",
        customerPass(context),
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
  help_customer: (context) => {
    const { appointment, site, data, now } = context;
    const { meeting } = appointment;
    const said = `${hello(context)}. ${missedWords(appointment, data.at ?? now)}`;
    const todo =
      meeting.kind === "link"
        ? `Please open ${meeting.url} now.`
        : meeting.kind === "awaited"
          ? joinSentence(appointment, data)
          : "Please keep your phone at hand: the captain calls you.";
    return {
      subject: "Captain waiting: ",
      preview: todo,
      heading: "Your captain is waiting for you",
      says: [
        meeting.kind === "link"
          ? link(`${said} Please open `, meeting.url, meeting.url, " now.")
          : `${said} ${todo}`,
        `Are you there, or is something in your way? ${callUs(site)}`,
        openBooking(context),
      ],
    };
  },
  rating_request: (context) => {
    const { appointment, site, data } = context;
    return {
      subject: "How was it? ",
      preview: "One to five, and a few words if you like.",
      heading: "How was your session?",
      says: [
        `${hello(context)}, ${site.business.name} would like to know how your session with ${appointment.counselor} on ${sessionOf(appointment)} was.`,
        button("Rate the session", `${site.publicUrl}/rating/${data.code ?? ""}`),
        "Every rating counts towards the figure on the captain's card, good and bad alike. Your words and first name are shown only if you say so. With the same link you can change or withdraw it.",
        "We ask once. Whoever has the link can rate, so please do not forward this email.",
      ],
    };
  },
  session_plan: (context) => {
    const { appointment, plan = [] } = context;
    return {
      subject: "Your plan: ",
      preview: `${appointment.counselor} has written down what comes next for you.`,
      heading: "Your plan after the session",
      says: [
        `${hello(context)}, ${appointment.counselor} has written this down for you after your session on ${sessionOf(appointment)}.`,
        { type: "text", blocks: plan },
        "It also stands on your booking page, to print or to keep as a PDF. You will need the email address you booked with.",
        openBooking(context),
      ],
    };
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

function attachments({ attached }: AppointmentContext): string {
  const invoice = attached.invoice ? `invoice ${attached.invoice}` : "";
  const calendar = attached.calendar ? "a calendar invite" : "";
  const list = [calendar, invoice].filter(Boolean).join(" and ");
  return list ? `Attached: ${list}.` : "";
}

/** From when to when, and to whom where another captain takes the session. */
function movedWords({ appointment, data }: AppointmentContext): string {
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

/** The awaited link of a confirmed session has arrived. */
function linkIsHere(context: AppointmentContext): Draft {
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

function reminder(context: AppointmentContext, title: string, when: string, more: Part): Draft {
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

function passAndJoining(context: AppointmentContext): Part {
  return [customerPass(context), joining(context), openBooking(context)];
}

function joining({ appointment, data }: AppointmentContext): Part {
  const { meeting } = appointment;
  const at = `At ${formatSlot(appointment.timeSlot)} IST, open `;
  return [
    heading("How to join"),
    meeting.kind === "link"
      ? link(at, meeting.url, meeting.url, " on a phone or computer.")
      : joinSentence(appointment, data),
  ];
}

const PREPARING: Part = [
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

function changing(context: AppointmentContext): Part {
  return [heading("If your plans change"), changeRule(context)];
}

function askedAgain(moved = false): string {
  const why = moved
    ? "the session has a new time"
    : "the student's name or your email address was corrected";
  return `We ask you again because ${why}; a link from before no longer works.`;
}

/** Part of the reminder of the day before, while questions are left to answer. */
function answering({ appointment, site, leftToAnswer = 0 }: AppointmentContext): Part {
  if (leftToAnswer === 0) return null;
  const questions = leftToAnswer === 1 ? "one question" : `${leftToAnswer} questions`;
  return [
    heading("The captain asks"),
    `So that the time is well used, please answer ${questions}. You can until the session begins.`,
    button("Answer", `${bookingUrl(site, appointment.id)}/prepare`),
  ];
}
