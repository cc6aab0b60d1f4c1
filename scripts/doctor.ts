/**
 * `npm run doctor`: checks the configuration against Razorpay, mail and WhatsApp; says what to fix.
 * With `--templates` it prints the WhatsApp texts to submit to Meta, and asks nobody.
 */
import { parseEnv } from "#app/core/env.server.ts";
import {
  examineCatalogue,
  examineFaults,
  examineProxyHeader,
} from "#scripts/doctor/configuration.ts";
import type { Examination, Finding } from "#scripts/doctor/finding.ts";
import { examineDatabase, examineDisk, examineMemory } from "#scripts/doctor/machine.ts";
import { examineMail, examineMailDomain, examineWhatsApp } from "#scripts/doctor/messages.ts";
import {
  examineCheckoutScript,
  examineClock,
  examineRazorpay,
  examineWebhookSecret,
} from "#scripts/doctor/provider.ts";
import { examineSite } from "#scripts/doctor/site.ts";
import { examineTemplates, printTemplates } from "#scripts/doctor/templates.ts";

/** Each with the variables without which it has nothing to ask with. */
const EXAMINATIONS: readonly [needs: RegExp | null, examine: Examination][] = [
  [null, examineCatalogue],
  [/^(PUBLIC_URL|TRUSTED)/, examineProxyHeader],
  [/^(PUBLIC_URL|RAZORPAY_(KEY|API))/, examineRazorpay],
  [/^RAZORPAY_WEBHOOK/, examineWebhookSecret],
  [/^RAZORPAY_CHECKOUT/, examineCheckoutScript],
  [/^RAZORPAY_API/, examineClock],
  [/^SMTP_URL/, examineMail],
  [/^MAIL_FROM/, examineMailDomain],
  [/^WHATSAPP/, examineWhatsApp],
  [null, examineTemplates],
  [null, examineDisk],
  [null, examineMemory],
  [null, examineDatabase],
  [/^(PUBLIC_URL|RAZORPAY_WEBHOOK)/, examineSite],
];

const MARKS = { fine: "  fine ", look: "  LOOK ", wrong: "  WRONG" };

// The doctor is asked about what is to go live.
if (process.argv.includes("--templates")) {
  console.log(printTemplates(process.env));
  process.exit(0);
}

const source = { ...process.env, NODE_ENV: process.env.NODE_ENV || "production" };
const counts = { fine: 0, look: 0, wrong: 0 };
const { env, faults, warnings } = parseEnv(source);
for (const finding of examineFaults(faults, warnings)) tell(finding);
for (const [needs, examine] of EXAMINATIONS) {
  if (needs && faults.some((fault) => needs.test(fault))) continue;
  for (const finding of await examine(env, source)) tell(finding);
}
console.log(`\n${counts.fine} fine, ${counts.look} to look at, ${counts.wrong} wrong`);
process.exit(counts.wrong > 0 ? 1 : 0);

function tell({ subject, level, says, mend }: Finding): void {
  counts[level] += 1;
  console.log(`${MARKS[level]}  ${subject}: ${says}`);
  if (mend) console.log(`         → ${mend}`);
}
