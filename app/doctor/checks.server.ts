/** All checks of the doctor, and how one is run so that its failing or hanging stops nothing. */
import { DAY, formatInstant, HOUR, MINUTE } from "#app/model/dates.ts";
import { formatRupees } from "#app/model/money.ts";
import {
  findLargestYear,
  findLastEventAt,
  hasPaymentSince,
  listPausedTemplates,
} from "#db/queries/health.server.ts";
import {
  examineCatalogue,
  examineProxyHeader,
  examineRooms,
  examineSettings,
} from "./configuration.server.ts";
import {
  about,
  type CheckResult,
  type Examination,
  type Examined,
  reasonOf,
} from "./finding.server.ts";
import { examineDatabase, examineDisk, examineMemory, readDatabase } from "./machine.server.ts";
import {
  examineMail,
  examineMailDomain,
  examineTemplates,
  examineWhatsApp,
} from "./messages.server.ts";
import {
  examineCheckoutScript,
  examineClock,
  examineRazorpay,
  examineWebhookSecret,
} from "./provider.server.ts";
import { examineCertificate, examineSite } from "./site.server.ts";

/** The provider calls the webhook within minutes of a payment, and retries for a day. */
const CALL_SOON = HOUR;
/** A template that was not used for this many days is not reported. */
const TEMPLATE_DAYS = 30;

const examineWebhookCalls: Examination = async ({ env, now }) =>
  readDatabase(env, (db) => {
    const { fine, wrong } = about("Razorpay's calls");
    const last = findLastEventAt(db);
    const isQuiet = last === null || now - last > DAY;
    const missed = { after: (last ?? 0) + CALL_SOON, before: now - CALL_SOON };
    if (!isQuiet || !hasPaymentSince(db, missed)) return fine("none was missed");
    return wrong(
      `payments came, but no call ${last === null ? "ever" : `since ${formatInstant(last)}`}`,
      `Is the webhook to ${env.publicUrl}/webhooks/razorpay there and on? Dashboard → Account & Settings → Webhooks. Razorpay turns it off after a day of failures.`,
    );
  }) ?? [];

/** The turnover (5 crore rupees) above which e-invoices are required, in paise. */
const E_INVOICE_ABOVE = 5_00_00_000 * 100;

const examineTurnover: Examination = async ({ env }) => {
  const { fine, warning } = about("E-invoices");
  const none = { year: "", taxablePaise: 0 };
  const { year, taxablePaise } = readDatabase(env, findLargestYear) ?? none;
  const limit = `above a turnover of ${formatRupees(E_INVOICE_ABOVE)} in a financial year, invoices to companies and abroad need e-invoices`;
  if (taxablePaise <= E_INVOICE_ABOVE) return fine(limit);
  const mend = "This app makes none. Ask your accountant, and see docs/operations.md.";
  return warning(`${formatRupees(taxablePaise)} in ${year}: ${limit}`, mend);
};

const examineTemplateUse: Examination = async ({ env, now }) => {
  if (env.whatsapp === null) return [];
  const { templatePrefix } = env.whatsapp;
  const paused = readDatabase(env, (db) => listPausedTemplates(db, now - TEMPLATE_DAYS * DAY));
  return (paused ?? []).map((kind) =>
    about(`WhatsApp template ${templatePrefix}${kind}`).wrong(
      "Meta has paused it",
      "See why at Meta (WhatsApp Manager → Message templates), reword or wait; mails go out all the same.",
    ),
  );
};

/** In the order of “Live in ten minutes” in `docs/operations.md`; WhatsApp is optional. */
export const STEPS = [
  "Configuration",
  "Machine",
  "Public address",
  "Razorpay",
  "Mail",
  "WhatsApp",
  "Captains and documents",
  "Copies off the machine",
] as const;

export interface Check {
  /** Index in STEPS. */
  step: number;
  /** The key of its stored result. */
  name: string;
  examine: Examination;
  /** Environment variables without which the check is skipped. */
  needs?: RegExp;
}

export const CHECKS: readonly Check[] = [
  { step: 6, name: "catalogue", examine: examineCatalogue },
  { step: 0, name: "settings", examine: examineSettings },
  { step: 6, name: "rooms", examine: examineRooms, needs: /^ZOOM/ },
  { step: 2, name: "client address", examine: examineProxyHeader, needs: /^(PUBLIC_URL|TRUSTED)/ },
  { step: 3, name: "keys", examine: examineRazorpay, needs: /^(PUBLIC_URL|RAZORPAY_(KEY|API))/ },
  { step: 3, name: "webhook secret", examine: examineWebhookSecret, needs: /^RAZORPAY_WEBHOOK/ },
  { step: 3, name: "checkout script", examine: examineCheckoutScript, needs: /^RAZORPAY_CHECKOUT/ },
  { step: 3, name: "clock", examine: examineClock, needs: /^RAZORPAY_API/ },
  { step: 4, name: "mail server", examine: examineMail, needs: /^SMTP_URL/ },
  { step: 4, name: "mail domain", examine: examineMailDomain, needs: /^MAIL_FROM/ },
  { step: 5, name: "whatsapp", examine: examineWhatsApp, needs: /^WHATSAPP/ },
  { step: 5, name: "whatsapp texts", examine: examineTemplates },
  { step: 5, name: "whatsapp templates", examine: examineTemplateUse, needs: /^WHATSAPP/ },
  { step: 1, name: "disk", examine: examineDisk },
  { step: 1, name: "memory", examine: examineMemory },
  { step: 1, name: "database", examine: examineDatabase },
  { step: 6, name: "turnover", examine: examineTurnover },
  { step: 3, name: "provider's calls", examine: examineWebhookCalls },
  { step: 2, name: "certificate", examine: examineCertificate, needs: /^PUBLIC_URL/ },
  { step: 2, name: "site", examine: examineSite, needs: /^(PUBLIC_URL|RAZORPAY_WEBHOOK)/ },
];

/** Never rejects. Ends when `signal` is aborted, or after `longest` milliseconds. */
export async function runCheck(
  { name, examine }: Check,
  examined: Examined,
  { signal, longest = MINUTE }: { signal?: AbortSignal; longest?: number } = {},
): Promise<CheckResult> {
  const over = AbortSignal.any([AbortSignal.timeout(longest), ...(signal ? [signal] : [])]);
  const ended = new Promise<never>((_, reject) => {
    over.addEventListener("abort", () => reject(over.reason), { once: true });
  });
  try {
    // So that a synchronous error is a rejection too.
    const found = (async () => examine(examined))();
    const findings = [await Promise.race([found, ended])].flat();
    return { name, findings, isWhole: true };
  } catch (error) {
    const says = `the look at it did not end well (${reasonOf(error)})`;
    const findings = [about(name).warning(says, "Try again in a while.")];
    return { name, findings, isWhole: false };
  }
}
