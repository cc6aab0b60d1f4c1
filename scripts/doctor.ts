/**
 * `npm run doctor`: checks the configuration against Razorpay, mail and WhatsApp; says what to fix.
 * With `--templates` it prints the WhatsApp texts to submit to Meta, and asks nobody.
 */
import { isDeepStrictEqual } from "node:util";
import { parseEnv } from "#app/core/env.server.ts";
import { liveEnv } from "#app/core/live-env.server.ts";
import { runCheck, STEPS } from "#app/doctor/checks.server.ts";
import { examineFaults } from "#app/doctor/configuration.server.ts";
import type { Finding } from "#app/doctor/finding.server.ts";
import { readDatabase } from "#app/doctor/machine.server.ts";
import { printTemplates } from "#app/doctor/messages.server.ts";
import { ALL_CHECKS } from "#app/jobs/doctor.server.ts";
import { createRazorpay } from "#app/payments/razorpay.server.ts";

const MARKS = { fine: "  fine ", look: "  LOOK ", wrong: "  WRONG" };

const source = { ...process.env, NODE_ENV: process.env.NODE_ENV?.trim() || "production" };
const { env: started, faults, warnings } = parseEnv(source);
// A copy of the settings as they are now: the file is closed again.
const env = readDatabase(started, (db) => ({ ...liveEnv(started, db) })) ?? started;

if (process.argv.includes("--templates")) {
  console.log(printTemplates(process.env, env.brand.name));
  process.exit(0);
}

const counts = { fine: 0, look: 0, wrong: 0 };
const examined = { env, source, now: Date.now(), provider: createRazorpay(env.razorpay) };
const open: string[] = [];
for (const [step, title] of STEPS.entries()) {
  const heading = `${step + 1}. ${title}`;
  console.log(`\n${heading}`);
  const before = { ...counts };
  if (step === 0) for (const finding of examineFaults(faults, warnings)) print(finding);
  for (const check of ALL_CHECKS.filter((one) => one.step === step)) {
    if (faults.some((fault) => check.needs?.test(fault))) continue;
    for (const finding of (await runCheck(check, examined)).findings) print(finding);
  }
  if (counts.wrong > before.wrong) open.push(heading);
  if (isDeepStrictEqual(counts, before))
    console.log("         not looked at before the rest is set and the app was started");
}
if (open[0]) console.log(`\nGo on with “${open[0]}”; docs/operations.md, “Live in ten minutes”.`);
console.log(`\n${counts.fine} fine, ${counts.look} to look at, ${counts.wrong} wrong`);
process.exit(counts.wrong > 0 ? 1 : 0);

function print({ subject, level, says, mend }: Finding): void {
  counts[level] += 1;
  console.log(`${MARKS[level]}  ${subject}: ${says}`);
  if (mend) console.log(`         → ${mend}`);
}
