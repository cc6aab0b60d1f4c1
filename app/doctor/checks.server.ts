/** All that the doctor looks at, and one look that neither a fault nor silence of a check can break. */
import { MINUTE } from "#app/model/duration.ts";
import { examineCertificate } from "./certificate.server.ts";
import { examineCatalogue, examineProxyHeader } from "./configuration.server.ts";
import { type Examination, type Examined, type Finding, look, reasonOf } from "./finding.server.ts";
import { examineDatabase, examineDisk, examineMemory } from "./machine.server.ts";
import { examineMail, examineMailDomain, examineWhatsApp } from "./messages.server.ts";
import {
  examineCheckoutScript,
  examineClock,
  examineRazorpay,
  examineWebhookSecret,
} from "./provider.server.ts";
import { examineSite } from "./site.server.ts";
import { examineTemplates } from "./templates.server.ts";
import { examineTemplateUse, examineWebhookCalls } from "./traffic.server.ts";

export interface Check {
  /** What was found last is kept under it. */
  name: string;
  examine: Examination;
  /** The variables without which it has nothing to ask with. */
  needs?: RegExp;
}

export const CHECKS: readonly Check[] = [
  { name: "catalogue", examine: examineCatalogue },
  { name: "client address", examine: examineProxyHeader, needs: /^(PUBLIC_URL|TRUSTED)/ },
  { name: "keys", examine: examineRazorpay, needs: /^(PUBLIC_URL|RAZORPAY_(KEY|API))/ },
  { name: "webhook secret", examine: examineWebhookSecret, needs: /^RAZORPAY_WEBHOOK/ },
  { name: "checkout script", examine: examineCheckoutScript, needs: /^RAZORPAY_CHECKOUT/ },
  { name: "clock", examine: examineClock, needs: /^RAZORPAY_API/ },
  { name: "mail server", examine: examineMail, needs: /^SMTP_URL/ },
  { name: "mail domain", examine: examineMailDomain, needs: /^MAIL_FROM/ },
  { name: "whatsapp", examine: examineWhatsApp, needs: /^WHATSAPP/ },
  { name: "whatsapp texts", examine: examineTemplates },
  { name: "whatsapp templates", examine: examineTemplateUse, needs: /^WHATSAPP/ },
  { name: "disk", examine: examineDisk },
  { name: "memory", examine: examineMemory },
  { name: "database", examine: examineDatabase },
  { name: "provider's calls", examine: examineWebhookCalls },
  { name: "certificate", examine: examineCertificate, needs: /^PUBLIC_URL/ },
  { name: "site", examine: examineSite, needs: /^(PUBLIC_URL|RAZORPAY_WEBHOOK)/ },
];

export interface Looked {
  name: string;
  findings: Finding[];
  /** False for a check that threw or did not end in time: what it found before still stands. */
  isWhole: boolean;
}

/** Never rejects. Ends when `signal` says so, else after `longest` milliseconds. */
export async function lookAt(
  { name, examine }: Check,
  examined: Examined,
  { signal, longest = MINUTE }: { signal?: AbortSignal; longest?: number } = {},
): Promise<Looked> {
  const over = AbortSignal.any([AbortSignal.timeout(longest), ...(signal ? [signal] : [])]);
  const ended = new Promise<never>((_, reject) => {
    over.addEventListener("abort", () => reject(over.reason), { once: true });
  });
  try {
    // Also one that throws at once is a rejection.
    const found = (async () => examine(examined))();
    const findings = await Promise.race([found, ended]);
    return { name, findings, isWhole: true };
  } catch (error) {
    const says = `the look at it did not end well (${reasonOf(error)})`;
    return { name, findings: [look(name, says, "Try again in a while.")], isWhole: false };
  }
}
