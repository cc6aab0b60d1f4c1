/** Mails to the captain. */
import { attendeeOf } from "#app/model/appointment.ts";
import { formatClock, formatSlot, instantOf } from "#app/model/dates.ts";
import { shortId } from "#app/model/ids.ts";
import type { MessageKind } from "#app/model/messages.ts";
import { readablePhone } from "#app/model/phone.server.ts";
import { telLink } from "#app/model/tel-link.ts";
import { shortened } from "#app/model/text.ts";
import {
  type AppointmentContext,
  callUs,
  type Draft,
  heading,
  type MailContent,
  mailOf,
  type Part,
  sentences,
} from "./content.ts";
import {
  awaitedSentence,
  calendarUpdate,
  captainPass,
  sessionAndBefore,
  sessionBefore,
  sessionOf,
  shortSessionOf,
} from "./pass.ts";

export const TO_COUNSELOR = {
  counselor_new: (context) => ({
    subject: "New session: ",
    preview: todo(context),
    heading: "You have a new session",
    says: [
      sentences(
        bookedWords(context),
        context.attached.calendar && "The attached invite adds the session to your calendar.",
      ),
      session(context),
      `${todo(context)} If you cannot take it, please tell us at once.`,
    ],
  }),
  counselor_moved: (context) => {
    const before = sessionBefore(context.data);
    const when = sessionOf(context.appointment);
    const isMoved = before !== when;
    const was = before ? ` of ${before}` : "";
    const { previousDate = "", previousTimeSlot = "" } = context.data;
    const isAhead = before !== null && context.now < instantOf(previousDate, previousTimeSlot);
    const free = isAhead ? " The old time is free again." : "";
    return {
      subject: isMoved ? "Moved to " : "Stays on ",
      preview: todo(context),
      heading: isMoved ? "A session has moved" : "A session stays at its time",
      says: [
        `The session with ${nameOf(context)}${isMoved ? `${was} is now on ${when}.${free}` : ` stays on ${when}.`}`,
        session(context),
        `${todo(context)} If you cannot take it, please tell us at once.`,
      ],
    };
  },
  counselor_corrected: (context) => ({
    subject: "Details corrected: ",
    preview: todo(context),
    heading: "The customer's details have changed",
    says: changed(context, `We have corrected what we know of ${nameOf(context)}.`),
  }),
  counselor_joining_changed: (context) => {
    if (context.data.first) return linkIsHere(context);
    const isLink = context.appointment.meeting.kind === "link";
    return {
      subject: isLink ? "New meeting link: " : "You call: ",
      preview: todo(context),
      heading: "How a session takes place has changed",
      says: changed(
        context,
        `The session with ${nameOf(context)} is still on ${sessionOf(context.appointment)}, but takes place in another way. ${customerOf(context)} has been notified too.`,
      ),
    };
  },
  counselor_cancelled: (context) => {
    const when = sessionAndBefore(context);
    const removal =
      context.attached.calendar &&
      "The attached calendar file marks it in your calendar as cancelled.";
    // If another captain takes the session, a pass that says cancelled would be wrong.
    const free = context.now < context.appointment.startsAt ? "The time is free again. " : "";
    return context.data.previousCounselor
      ? {
          subject: "No longer yours: ",
          preview: "Another captain takes it. There is nothing for you to do.",
          heading: "Another captain takes a session of yours",
          says: [
            `The session with ${nameOf(context)} on ${when} is no longer yours. Another captain takes it, and ${customerOf(context)} has been notified. There is nothing for you to do.`,
            removal,
          ],
        }
      : {
          subject: "Cancelled: ",
          preview: `${free}There is nothing for you to do.`,
          heading: "A session is cancelled",
          says: [
            `The session with ${nameOf(context)} on ${when} is cancelled. ${free}There is nothing for you to do.`,
            captainPass(context),
            removal,
          ],
        };
  },
  help_counselor: (context) => {
    const { appointment, data, now, site } = context;
    const phone = readablePhone(appointment.contact.phone);
    const { meeting } = appointment;
    const join =
      meeting.kind === "link" ? `Please open ${meeting.url} now. ` : "Please call them now. ";
    return {
      subject: "Customer waiting: ",
      preview: `${join}Their number is ${phone}.`,
      heading: "Your customer is waiting for you",
      says: [
        `${customerOf(context)} said at ${formatClock(data.at ?? now)} IST that you are not in the session. ${join}Their number is ${phone}.`,
        `If you cannot take the session, tell us at once. ${callUs(site)}`,
        session(context),
      ],
    };
  },
  counselor_reminder: (context) => ({
    subject: "Reminder: ",
    preview: todo(context),
    heading: context.data.hours === 1 ? "Your session starts soon" : "Your session is coming up",
    says: [todo(context), session(context)],
  }),
} as const satisfies Partial<Record<MessageKind, (context: AppointmentContext) => Draft>>;

/** Characters; a longer name would hide the code after it. */
const NAME_IN_SUBJECT = 30;

/** Completes the draft's subject, which says what happened, with time, name and the session's code. */
export function counselorMail(
  kind: keyof typeof TO_COUNSELOR,
  context: AppointmentContext,
): MailContent {
  const draft = TO_COUNSELOR[kind](context);
  const { appointment } = context;
  const who = shortened(nameOf(context), NAME_IN_SUBJECT);
  const code = shortId(appointment.calendarUid);
  const subject = `${draft.subject}${shortSessionOf(appointment)}, ${who} [${code}]`;
  return mailOf(context.site, "counselor", { ...draft, subject });
}

function linkIsHere(context: AppointmentContext): Draft {
  return {
    subject: "Meeting link: ",
    preview: todo(context),
    heading: "The link of a session is here",
    says: changed(
      context,
      `This is the link of the session with ${nameOf(context)} on ${sessionOf(context.appointment)}. ${customerOf(context)} has it too, and nobody else.`,
    ),
  };
}

/** What has changed of a session, `words`, and what is to be done. */
function changed(context: AppointmentContext, words: string): Part {
  return [sentences(words, calendarUpdate(context)), session(context), todo(context)];
}

/** Whom the session is for. */
function nameOf({ appointment }: AppointmentContext): string {
  return attendeeOf(appointment);
}

/** Who booked, and is notified. */
function customerOf({ appointment }: AppointmentContext): string {
  return appointment.contact.name;
}

function bookedWords(context: AppointmentContext): string {
  const isForAnother = nameOf(context) !== customerOf(context);
  return `${customerOf(context)} has booked and paid${isForAnother ? ` for ${nameOf(context)}` : ""}.`;
}

function todo({ appointment, data }: AppointmentContext): string {
  const { phone } = appointment.contact;
  const { meeting } = appointment;
  const at = `At ${formatSlot(appointment.timeSlot)} IST`;
  if (meeting.kind === "awaited") return awaitedSentence(data);
  return meeting.kind === "link"
    ? `${at}, open ${meeting.url}.`
    : `${at}, please call ${attendeeOf(appointment)} on ${readablePhone(phone)}.`;
}

/** The pass, and the customer with their question. */
function session(context: AppointmentContext): Part {
  const { contact, student } = context.appointment;
  const { name, phone, notes } = contact;
  const facts = [
    ...(student ? [{ label: "Booked by", value: name }] : []),
    { label: "Phone", value: readablePhone(phone), url: telLink(phone) },
  ];
  return [
    captainPass(context),
    heading("The customer"),
    { type: "facts", facts: notes ? [...facts, { label: "Question", value: notes }] : facts },
  ];
}
