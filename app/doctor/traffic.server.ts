/** What comes in and goes out by itself: the provider's calls, WhatsApp's templates. */
import { formatInstant } from "#app/model/dates.ts";
import { DAY, HOUR } from "#app/model/duration.ts";
import {
  findLastEventAt,
  hasPaymentSince,
  listPausedTemplates,
} from "#db/queries/doctor.server.ts";
import { readDatabase } from "./database.server.ts";
import { type Examination, fine, wrong } from "./finding.server.ts";

/** The provider's call of a payment comes within minutes, and is tried again for a day. */
const CALL_SOON = HOUR;
/** A template that nobody used for so long is no news. */
const TEMPLATE_DAYS = 30;

export const examineWebhookCalls: Examination = async ({ env, now }) =>
  readDatabase(env, (db) => {
    const subject = "Razorpay's calls";
    const last = findLastEventAt(db);
    const isQuiet = last === null || now - last > DAY;
    const missed = { after: (last ?? 0) + CALL_SOON, before: now - CALL_SOON };
    if (!isQuiet || !hasPaymentSince(db, missed)) {
      return [fine(subject, "none was missed")];
    }
    const says = `payments came, but no call ${last === null ? "ever" : `since ${formatInstant(last)}`}`;
    const mend = `Is the webhook to ${env.publicUrl}/webhooks/razorpay there and on? Dashboard → Account & Settings → Webhooks. Razorpay turns it off after a day of failures.`;
    return [wrong(subject, says, mend)];
  }) ?? [];

export const examineTemplateUse: Examination = async ({ env, now }) => {
  if (env.whatsapp === null) return [];
  const { templatePrefix } = env.whatsapp;
  const paused = readDatabase(env, (db) => listPausedTemplates(db, now - TEMPLATE_DAYS * DAY));
  const mend =
    "See why at Meta (WhatsApp Manager → Message templates), reword or wait; mails go out all the same.";
  return (paused ?? []).map((kind) =>
    wrong(`WhatsApp template ${templatePrefix}${kind}`, "Meta has paused it", mend),
  );
};
