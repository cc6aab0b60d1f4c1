/** Mails about admin accounts, and the mail with the links to bookings. */
import type { Role } from "#app/model/actor.ts";
import { formatClock, formatInstant } from "#app/model/dates.ts";
import { shortId } from "#app/model/ids.ts";
import { ACCOUNT_NOTICES, type MessageKind } from "#app/model/messages.ts";
import { lookUp } from "#app/model/unknown-code.ts";
import { statusLabel } from "#app/model/wording.ts";
import { bookingUrl, button, type Draft, link, type TemplateContext } from "./content.ts";
import { sessionOf } from "./pass.ts";

const dutiesOf = lookUp<Role, string>({
  owner: "You run the business with us: bookings, money, the catalogue and the team.",
  staff: "You look after the bookings and their customers.",
  captain: "You see your sessions and set the times at which you can be booked.",
});

export const TO_ACCOUNT = {
  reset_code: ({ data, now }) => {
    const until = formatClock(data.expiresAt ?? now);
    return {
      subject: "Your code for a new password",
      preview: `It works until ${until} IST.`,
      heading: "Your code for a new password",
      says: [
        "Somebody, most likely you, asked for a new admin password.",
        { type: "code", code: data.code ?? "" },
        `Type it on the page where you asked for it. It works there until ${until} IST, even if another code comes meanwhile.`,
        "If it was not you, do nothing and tell nobody the code. Without it the password stays as it is. We never ask for the code.",
      ],
    };
  },
  account_notice: ({ data, site, now }) => {
    const notice = ACCOUNT_NOTICES[data.notice ?? "password_changed"];
    const at = formatInstant(data.at ?? now);
    return {
      subject: `Your admin account was changed on ${at}`,
      preview: notice,
      heading: "Your admin account was changed",
      says: [
        `${notice} This was on ${at}.`,
        "If it was not you, set a new password at once. Owners see in the activity log what was done.",
        button("Set a new password", `${site.publicUrl}/admin/reset-password`),
      ],
    };
  },
  test_mail: ({ data, now }) => ({
    subject: "Your test mail has arrived",
    preview: "Mails of your bookings will arrive too.",
    heading: "Your test mail has arrived",
    says: [
      `You asked for it on ${formatInstant(data.at ?? now)}. Mails of your bookings leave the same way.`,
      "Please look where it arrived: if it lies among spam, “npm run doctor” says whether the SPF or DMARC entry of your domain is missing. Your mail provider names these and the one for DKIM.",
    ],
  }),
  team_invitation: ({ data, site, now }) => {
    const until = formatInstant(data.expiresAt ?? now);
    return {
      subject: `You are invited to the team of ${site.business.name}`,
      preview: `Please set your password by ${until}.`,
      heading: "You are invited to the team",
      says: [
        `${site.business.name} has made you an account. ${dutiesOf(data.role ?? "staff")} Please set your password to sign in.`,
        button("Set your password", `${site.publicUrl}/admin/invitation/${data.code ?? ""}`),
        `The link works once, until ${until}. After that, ask for a new invitation. Whoever has the link can use it, so please do not pass this email on.`,
        "If you expected no invitation, do nothing: without a password nobody can sign in.",
      ],
    };
  },
} as const satisfies Partial<Record<MessageKind, (input: TemplateContext) => Draft>>;

export function bookingLinks({ bookings, site }: TemplateContext): Draft {
  return {
    subject: "The links to your bookings",
    preview: "You asked for the links to your bookings.",
    heading: bookings.length === 1 ? "Your booking" : "Your bookings",
    says: [
      "You asked for these links. Anyone with a link can see the booking, so please do not share this email.",
      bookings.map((booking) => {
        const about = `with ${booking.counselor}. ${statusLabel(booking.status)}. Booking ${shortId(booking.id)}.`;
        return link("", sessionOf(booking), bookingUrl(site, booking.id), `, ${about}`);
      }),
      "If you did not ask for them, you can ignore this email. Nothing has changed.",
    ],
  };
}
