/** The mails to the captain: who comes when, how to meet, and what was asked. */

import { formatSession, formatSlot } from "#app/model/dates.ts";
import { readablePhone } from "#app/model/phone.server.ts";
import { telLink } from "#app/model/tel-link.ts";
import { shortened } from "#app/model/text.ts";
import {
  type AppointmentContext,
  type Block,
  type Fact,
  footerOf,
  heading,
  type MailContent,
  paragraph,
} from "./content.ts";
import { captainPass, sessionOf } from "./pass.ts";

export function counselorNew(context: AppointmentContext): MailContent {
  const { appointment } = context;
  return mail(context, {
    subject: `New session: ${sessionOf(appointment)}, ${appointment.minutes} minutes`,
    preview: todo(context),
    heading: "You have a new session",
    blocks: [
      paragraph(
        `${appointment.contact.name} has booked and paid.${context.attached.calendar ? " The attached invite adds the session to your calendar." : ""}`,
      ),
      { type: "pass", pass: captainPass(context) },
      ...customer(context),
      paragraph(`${todo(context)} If you cannot take it, please tell us at once.`),
    ],
  });
}

export function counselorMoved(context: AppointmentContext): MailContent {
  const { appointment, data } = context;
  const before =
    data.previousDate && data.previousTimeSlot
      ? ` of ${formatSession(data.previousDate, data.previousTimeSlot)}`
      : "";
  return mail(context, {
    subject: `Session moved to ${sessionOf(appointment)}`,
    preview: todo(context),
    heading: "A session has moved",
    blocks: [
      paragraph(
        `The session with ${appointment.contact.name}${before} is now on ${sessionOf(appointment)}. The old time is free again.`,
      ),
      { type: "pass", pass: captainPass(context) },
      ...customer(context),
      paragraph(`${todo(context)} If you cannot take it, please tell us at once.`),
    ],
  });
}

export function counselorCorrected(context: AppointmentContext): MailContent {
  const { appointment, attached } = context;
  return mail(context, {
    subject: `Details corrected: ${sessionOf(appointment)}`,
    preview: todo(context),
    heading: "The traveller's details have changed",
    blocks: [
      paragraph(
        `We have corrected what we know of ${appointment.contact.name}. Date and time stay as they are.`,
        attached.calendar ? "The attached invite updates your calendar." : "",
      ),
      { type: "pass", pass: captainPass(context) },
      ...customer(context),
      paragraph(todo(context)),
    ],
  });
}

export function counselorJoiningChanged(context: AppointmentContext): MailContent {
  const { appointment, attached } = context;
  const isLink = appointment.meeting.kind === "link";
  return mail(context, {
    subject: `${isLink ? "New meeting link" : "You call"}: ${sessionOf(appointment)}`,
    preview: todo(context),
    heading: "How a session takes place has changed",
    blocks: [
      paragraph(
        `The session with ${appointment.contact.name} on ${sessionOf(appointment)} stands. What has changed is how it takes place, and ${appointment.contact.name} is told too.`,
        attached.calendar ? "The attached invite updates your calendar." : "",
      ),
      { type: "pass", pass: captainPass(context) },
      ...customer(context),
      paragraph(todo(context)),
    ],
  });
}

export function counselorCancelled(context: AppointmentContext): MailContent {
  const { appointment } = context;
  if (context.data.previousCounselor) return givenAway(context);
  return mail(context, {
    subject: `Cancelled: the session on ${sessionOf(appointment)}`,
    preview: "The time is free again. There is nothing for you to do.",
    heading: "A session is cancelled",
    blocks: [
      paragraph(
        `The session with ${appointment.contact.name} on ${sessionOf(appointment)} is cancelled. The time is free again, and there is nothing for you to do.`,
      ),
      { type: "pass", pass: captainPass({ ...context, refund: null }) },
      ...removal(context),
    ],
  });
}

/** The session takes place with another captain, so a pass that says cancelled would be wrong. */
function givenAway(context: AppointmentContext): MailContent {
  const { appointment } = context;
  const session = sessionOf(appointment);
  return mail(context, {
    subject: `No longer yours: the session on ${session}`,
    preview: "Another captain takes it. There is nothing for you to do.",
    heading: "Another captain takes a session of yours",
    blocks: [
      paragraph(
        `The session with ${appointment.contact.name} on ${session} is no longer yours. Another captain takes it, and ${appointment.contact.name} has been told. There is nothing for you to do.`,
      ),
      ...removal(context),
    ],
  });
}

function removal({ attached }: AppointmentContext): Block[] {
  if (!attached.calendar) return [];
  return [paragraph("The attached calendar file removes it from your calendar.")];
}

export function counselorReminder(context: AppointmentContext): MailContent {
  const { appointment, data } = context;
  return mail(context, {
    subject: `Reminder: ${sessionOf(appointment)}`,
    preview: todo(context),
    heading: data.hours === 1 ? "Your session starts soon" : "Your session is coming up",
    blocks: [
      paragraph(todo(context)),
      { type: "pass", pass: captainPass(context) },
      ...customer(context),
    ],
  });
}

/** A longer name would hide what happened, because a mailbox shortens the subject. */
const NAME_IN_SUBJECT = 30;

/** Every mail about one session begins its subject with the same name. */
function mail(context: AppointmentContext, draft: Omit<MailContent, "footer">): MailContent {
  const name = shortened(context.appointment.contact.name, NAME_IN_SUBJECT);
  const subject = `${name} – ${draft.subject}`;
  return { ...draft, subject, footer: footerOf(context.site, "counselor") };
}

function todo({ appointment }: AppointmentContext): string {
  const { name, phone } = appointment.contact;
  const { meeting } = appointment;
  const at = `At ${formatSlot(appointment.timeSlot)} IST`;
  return meeting.kind === "link"
    ? `${at}, open ${meeting.url}.`
    : `${at}, please call ${name} on ${readablePhone(phone)}.`;
}

function customer({ appointment }: AppointmentContext): Block[] {
  const { phone, notes } = appointment.contact;
  const facts: Fact[] = [
    { label: "Phone", value: readablePhone(phone), url: telLink(phone) },
    ...(notes ? [{ label: "Question", value: notes }] : []),
  ];
  return [heading("The traveller"), { type: "facts", facts }];
}
