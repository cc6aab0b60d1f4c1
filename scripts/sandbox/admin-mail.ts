import { type Answer, type Call, json, text } from "./http.ts";
import type { Mailbox } from "./mailbox.ts";

/** Captured mail under /__sandbox/mails: the list, one mail, its source, its HTML, its files. */
export async function answerMails(
  mailbox: Mailbox,
  call: Call,
  id: string,
  verb: string,
  tail: string,
): Promise<Answer | undefined> {
  if (!id) return call.method === "DELETE" ? emptied(mailbox) : listed(mailbox, call.query);
  const stored = mailbox.find(Number(id));
  if (!stored) return undefined;
  if (!verb) return json(stored.mail);
  if (verb === "raw") return { ...text("", 200, "message/rfc822"), body: stored.raw };
  if (verb === "html") return mailHtml(call, id, stored.mail);
  const attachment = stored.mail.attachments[Number(tail)];
  const content = stored.files[Number(tail)];
  if (verb !== "attachments" || !attachment || !content) return undefined;
  return download(attachment, content);
}

function emptied(mailbox: Mailbox): Answer {
  mailbox.clear();
  return json({});
}

async function listed(mailbox: Mailbox, query: URLSearchParams): Promise<Answer> {
  const wish = {
    to: query.get("to") ?? "",
    subject: query.get("subject") ?? "",
    min: Number(query.get("min") ?? 1),
  };
  const wait = query.get("timeoutMs");
  const mails = wait
    ? await mailbox.gather({ ...wish, timeoutMs: Number(wait) })
    : mailbox.list(wish);
  return json({ mails });
}

/** A mail's HTML as a page without rights; pictures of its own parts are shown. */
function mailHtml(
  call: Call,
  id: string,
  mail: { html: string | null; text: string; attachments: { contentId: string | null }[] },
): Answer {
  let markup = mail.html ?? "";
  mail.attachments.forEach(({ contentId }, index) => {
    if (!contentId) return;
    const bare = contentId.replace(/^<|>$/g, "");
    markup = markup.replaceAll(
      `cid:${bare}`,
      `${call.origin}/__sandbox/mails/${id}/attachments/${index}`,
    );
  });
  const reply = text(markup, 200, "text/html; charset=utf-8");
  reply.headers["Content-Security-Policy"] =
    `sandbox; default-src 'none'; style-src 'unsafe-inline'; img-src ${call.origin} data:`;
  return reply;
}

function download(
  attachment: { filename: string | null; contentType: string },
  content: Uint8Array,
): Answer {
  const name = encodeURIComponent(attachment.filename ?? "attachment");
  return {
    status: 200,
    headers: {
      "Content-Type": attachment.contentType.replace(/[\r\n]/g, ""),
      "Content-Disposition": `attachment; filename*=UTF-8''${name}`,
      "Content-Security-Policy": "sandbox; default-src 'none'",
      "Cache-Control": "no-store",
    },
    body: Buffer.from(content),
  };
}
