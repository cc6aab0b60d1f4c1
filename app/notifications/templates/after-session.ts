/** The mails to the customer after a session. */
import type { MessageKind } from "#app/model/messages.ts";
import { type AppointmentContext, button, type Draft } from "./content.ts";
import { hello, openBooking } from "./customer-parts.ts";
import { sessionOf, subjectOf } from "./pass.ts";

export const AFTER_SESSION = {
  rating_request: (context) => {
    const { appointment, site, data } = context;
    return {
      subject: subjectOf("How was it? ", appointment),
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
