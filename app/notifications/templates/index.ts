/** Renders a message by its kind. */
import type { MessageKind } from "#app/model/messages.ts";
import { bookingLinks, TO_ACCOUNT } from "./account.ts";
import { adminMail, TO_ADMIN } from "./admin.ts";
import { type MailContent, mailOf, type TemplateContext } from "./content.ts";
import { counselorMail } from "./counselor.ts";
import { customerMail, TO_CUSTOMER } from "./customer.ts";
import { renderHtml } from "./render-html.ts";
import { renderText } from "./render-text.ts";
import { isWhatsAppKind, whatsAppParameters } from "./whatsapp.ts";

/** Throws if the kind needs an appointment and there is none. */
export function renderMessage(kind: MessageKind, input: TemplateContext) {
  const { appointment } = input;
  const content = contentOf(kind, input);
  return {
    // A line break would start another mail header.
    subject: content.subject.replace(/\s+/gu, " "),
    text: renderText(content),
    html: renderHtml(content, input.attached.logo),
    /** Null for kinds that do not go by WhatsApp. */
    whatsappParameters:
      isWhatsAppKind(kind) && appointment !== null
        ? whatsAppParameters(kind, { ...input, appointment })
        : null,
  };
}

function contentOf(kind: MessageKind, input: TemplateContext): MailContent {
  const { appointment, site } = input;
  if (isOneOf(TO_ADMIN, kind)) return adminMail(kind, input);
  if (isOneOf(TO_ACCOUNT, kind)) return mailOf(site, "account", TO_ACCOUNT[kind](input));
  if (kind === "booking_links") return mailOf(site, "customer", bookingLinks(input));
  if (appointment === null) throw new Error(`${kind} needs its appointment`);
  const context = { ...input, appointment };
  return isOneOf(TO_CUSTOMER, kind) ? customerMail(kind, context) : counselorMail(kind, context);
}

function isOneOf<Table extends object>(table: Table, kind: PropertyKey): kind is keyof Table {
  return Object.hasOwn(table, kind);
}
