/** Mails around a session: a guardian's consent, open questions, help, rating, plan. */
import { attendeeOf } from "#app/model/appointment.ts";
import { missedWords } from "#app/model/help.ts";
import type { MessageKind } from "#app/model/messages.ts";
import {
  type AppointmentContext,
  bookingUrl,
  button,
  callUs,
  type Draft,
  heading,
  type Part,
} from "./content.ts";
import { hello, openBooking } from "./customer-parts.ts";
import { customerPass, joinSentence, sessionOf } from "./pass.ts";

/** For a student under 18: the link by which the customer confirms as parent or guardian. */
export function guardianAsked(context: AppointmentContext): Draft {
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
}

function askedAgain(moved = false): string {
  const why = moved
    ? "the session has a new time"
    : "the student's name or your email address was corrected";
  return `We ask you again because ${why}; a link from before no longer works.`;
}

/** Part of the reminder of the day before, while questions are left to answer. */
export function answering({ appointment, site, leftToAnswer = 0 }: AppointmentContext): Part {
  if (leftToAnswer === 0) return null;
  const questions = leftToAnswer === 1 ? "one question" : `${leftToAnswer} questions`;
  return [
    heading("The captain asks"),
    `So that the time is well used, please answer ${questions}. You can until the session begins.`,
    button("Answer", `${bookingUrl(site, appointment.id)}/prepare`),
  ];
}

export const AFTER_SESSION = {
  help_customer: (context) => {
    const { appointment, site, data, now } = context;
    const { meeting } = appointment;
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
        `${hello(context)}. ${missedWords(appointment, data.at ?? now)} ${todo}`,
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
