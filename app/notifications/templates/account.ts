/** Mails about signing in, and the links of find-booking. */
import type { Appointment } from "#app/model/appointment.ts";
import { formatClock, formatInstant } from "#app/model/dates.ts";
import { shortId } from "#app/model/ids.ts";
import { ACCOUNT_NOTICES } from "#app/model/messages.ts";
import { statusLabel } from "#app/model/wording.ts";
import type { MailContent } from "./content.ts";
import { bookingUrl, footerOf, type TemplateContext } from "./context.ts";
import { sessionOf } from "./pass.ts";

export function resetCode(context: TemplateContext): MailContent {
  const { data, site } = context;
  const until = formatClock(data.expiresAt ?? context.now);
  return {
    subject: "Your code for a new password",
    preview: `It works until ${until} IST.`,
    heading: "Your code for a new password",
    blocks: [
      { type: "paragraph", text: "Somebody, most likely you, asked for a new admin password." },
      { type: "code", code: data.code ?? "" },
      {
        type: "paragraph",
        text: `Type it on the page where you asked for it. It works until ${until} IST, and only the newest code counts.`,
      },
      {
        type: "paragraph",
        text: "It was not you? Then do nothing, and tell nobody the code. Without it the password stays as it is. We never ask for it by phone.",
      },
    ],
    footer: footerOf(site, "account"),
  };
}

export function accountNotice(context: TemplateContext): MailContent {
  const { data, site } = context;
  const notice = ACCOUNT_NOTICES[data.notice ?? "password_changed"];
  const at = formatInstant(data.at ?? context.now);
  return {
    subject: `Your admin account was changed on ${at}`,
    preview: notice,
    heading: "Your admin account was changed",
    blocks: [
      { type: "paragraph", text: `${notice} This was on ${at}.` },
      {
        type: "paragraph",
        text: "It was not you? Then set a new password at once, and look at the activity log.",
      },
      {
        type: "button",
        label: "Set a new password",
        url: `${site.publicUrl}/admin/reset-password`,
      },
    ],
    footer: footerOf(site, "account"),
  };
}

export interface LinksContext extends TemplateContext {
  bookings: readonly Appointment[];
}

export function bookingLinks(context: LinksContext): MailContent {
  const { bookings, site } = context;
  return {
    subject: "The links to your bookings",
    preview: "You asked for the links to your bookings.",
    heading: bookings.length === 1 ? "Your booking" : "Your bookings",
    blocks: [
      {
        type: "paragraph",
        text: "You asked for these links. Whoever has a link can see the booking, so please keep this mail to yourself.",
      },
      ...bookings.map((booking) => ({
        type: "link" as const,
        before: "",
        label: sessionOf(booking),
        url: bookingUrl(site, booking.id),
        after: `, with ${booking.counselor}. ${statusLabel(booking.status)}. Booking ${shortId(booking.id)}.`,
      })),
      {
        type: "paragraph",
        text: "Did you not ask for this? Then you can ignore it: nothing has changed.",
      },
    ],
    footer: footerOf(site, "customer"),
  };
}
