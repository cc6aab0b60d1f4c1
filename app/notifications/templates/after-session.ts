/** The mails to the customer after a session. */
import type { MessageKind } from "#app/model/messages.ts";
import type { AppointmentContext, Draft } from "./content.ts";
import { hello, openBooking } from "./customer-parts.ts";
import { sessionOf, subjectOf } from "./pass.ts";

export const AFTER_SESSION = {
  session_plan: (context) => {
    const { appointment, plan = [] } = context;
    return {
      subject: subjectOf("Your plan: ", appointment),
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
