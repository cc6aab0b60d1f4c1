/** What is asked of a customer between payment and session: a guardian's yes, and answers. */
import { attendeeOf } from "#app/model/appointment.ts";
import {
  type AppointmentContext,
  bookingUrl,
  button,
  type Draft,
  heading,
  type Part,
} from "./content.ts";
import { hello } from "./customer-parts.ts";
import { customerPass, subjectOf } from "./pass.ts";

/** For somebody under 18: the link with which who booked confirms as parent or guardian. */
export function guardianAsked(context: AppointmentContext): Draft {
  const { appointment, site, guardianToken = "" } = context;
  const student = attendeeOf(appointment);
  const ask = `Please confirm that you are a parent or guardian of ${student}, and that you agree.`;
  return {
    subject: subjectOf("Please confirm: ", appointment),
    preview: ask,
    heading: `Please confirm for ${student}`,
    says: [
      `${hello(context)}, you booked a session for ${student}, who is under 18. ${ask} It takes a minute.`,
      button("Read and confirm", `${site.publicUrl}/guardian/${guardianToken}`),
      "The link is for you alone: please do not forward this email.",
      customerPass(context),
    ],
  };
}

/** In the mail of the day before, while questions have no answer. */
export function answering({ appointment, site, unanswered = 0 }: AppointmentContext): Part {
  if (unanswered === 0) return null;
  const questions = unanswered === 1 ? "one question" : `${unanswered} questions`;
  return [
    heading("The captain asks"),
    `So that the time is well used, please answer ${questions}. You can until the session begins.`,
    button("Answer", `${bookingUrl(site, appointment.id)}/prepare`),
  ];
}
