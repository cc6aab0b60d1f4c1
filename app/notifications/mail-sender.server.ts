/** Sends mail over SMTP; errors of the server are results, not exceptions. */
import nodemailer, { type NodemailerError } from "nodemailer";
import type { Env } from "#app/core/env.server.ts";
import { isLoopbackHost } from "#app/core/env-fields.ts";
import type { Senders, SendResult } from "#app/core/services.ts";
import { SECOND } from "#app/model/dates.ts";
import { isMailAddress, parseMailbox } from "./relevance.ts";

/** At most; also the number of mails that the outbox sends at once. */
export const MAIL_CONNECTIONS = 5;

export function createMailSender(
  env: Pick<Env, "smtpUrl" | "mailFrom"> & { business: Pick<Env["business"], "name" | "email"> },
): Senders["mail"] {
  const transport = env.smtpUrl === "" ? null : openTransport(new URL(env.smtpUrl));
  return {
    async send(mail, signal) {
      if (transport === null) {
        return { outcome: "retry", code: "ECONFIG", error: "SMTP_URL is not set." };
      }
      if (!isMailAddress(mail.to.address)) {
        return { outcome: "park", code: "ADDRESS", error: "The address is not a mail address." };
      }
      const from = parseMailbox(env.mailFrom, env.business.name);
      const domain = from.address.split("@")[1] || "localhost";
      const messageId = `<${mail.messageId}@${domain}>`;
      // No mail has this id, but mail programs group all mails that reply to it.
      const root = mail.thread === null ? undefined : `<${mail.thread}@${domain}>`;
      try {
        await transport.sendMail({
          from,
          to: mail.to,
          replyTo: { name: env.business.name, address: env.business.email },
          subject: mail.subject,
          text: mail.text,
          html: mail.html,
          messageId,
          inReplyTo: root,
          references: root,
          headers: { "Auto-Submitted": "auto-generated", "X-Auto-Response-Suppress": "All" },
          attachments: mail.attachments,
          ...(mail.calendar && { icalEvent: { ...mail.calendar, filename: "invite.ics" } }),
          signal,
        });
        return { outcome: "sent", transportId: messageId };
      } catch (error) {
        return classify(error);
      }
    },
    close() {
      transport?.close();
    },
  };
}

export function openTransport(url: URL) {
  const secure = url.protocol === "smtps:";
  // A relay on this machine has no certificate that could be checked.
  const plain = isLoopbackHost(url.hostname) ? { ignoreTLS: true } : { requireTLS: true };
  const [user, pass] = [url.username, url.password].map(decodeURIComponent);
  return nodemailer.createTransport({
    pool: true,
    host: url.hostname.replace(/^\[|\]$/g, ""),
    port: Number(url.port) || (secure ? 465 : 587),
    secure,
    ...(!secure && plain),
    ...(user && { auth: { user, pass } }),
    maxConnections: MAIL_CONNECTIONS,
    // Only the outbox retries: it counts the tries and keeps the order of a recipient's mails.
    maxRequeues: 0,
    dnsTimeout: 10 * SECOND,
    connectionTimeout: 10 * SECOND,
    greetingTimeout: 10 * SECOND,
    socketTimeout: 20 * SECOND,
    disableFileAccess: true,
    disableUrlAccess: true,
  });
}

/**
 * A permanent error about this recipient or message parks it. A refused sign-in or sender is a fault
 * of the configuration: the message waits until that is fixed.
 */
function classify(error: unknown): SendResult {
  const fault = error as NodemailerError;
  const said = fault.response ?? fault.message ?? String(error);
  const code = [fault.code, fault.responseCode].filter(Boolean).join(" ") || "unknown";
  const text = `${code}: ${said}`.replace(/\s+/g, " ").slice(0, 300);
  const aboutMessage =
    fault.command === "RCPT TO" || (fault.code === "EMESSAGE" && fault.responseCode !== undefined);
  if (fault.permanent === true && aboutMessage) return { outcome: "park", code, error: text };
  const alert = fault.code === "EAUTH" || fault.permanent === true;
  return { outcome: "retry", code, error: text, ...(alert && { alert }) };
}
