/** What the values themselves tell, without asking anybody. */
import { readCatalogue } from "#app/catalogue/read.server.ts";
import { isLoopbackHost } from "#app/core/env-fields.ts";
import { type Examination, type Finding, fine, warning, wrong } from "./finding.server.ts";
import { readDatabase } from "./machine.server.ts";

const SUBJECT = "Configuration";

/** One address each, as its proxy sets it and no client can. */
const KNOWN_PROXY_HEADERS = [
  "fly-client-ip",
  "cf-connecting-ip",
  "true-client-ip",
  "x-real-ip",
  "x-forwarded-for",
];

export function isLocal(publicUrl: string): boolean {
  return isLoopbackHost(new URL(publicUrl).hostname);
}

export function examineFaults(faults: string[], warnings: string[]): Finding[] {
  const findings: Finding[] = faults.map((says) => ({ subject: SUBJECT, level: "wrong", says }));
  const last = findings.at(-1);
  if (last)
    last.mend =
      "Set what is named, then start the app again. docs/operations.md lists every variable.";
  for (const says of warnings) findings.push(warning(SUBJECT, says, "Change it if not meant."));
  return findings.length > 0
    ? findings
    : [fine(SUBJECT, "every variable is there and well-formed")];
}

export const examineCatalogue: Examination = async ({ env }) => {
  const subject = "Catalogue";
  const findings: Finding[] = [];
  const { counselors, links } = readDatabase(env, readCatalogue) ?? { counselors: [], links: [] };
  if (counselors.length === 0) {
    const mend = "Start the app once, then enter captains, prices and links on /admin/catalogue.";
    findings.push(warning(subject, "nothing can be read before the first start", mend));
  }
  const samples = counselors
    .filter(({ active, sample }) => active && sample)
    .map(({ name }) => name);
  if (samples.length > 0) {
    const made = env.production ? wrong : warning;
    findings.push(
      made(
        subject,
        `${samples.join(" and ")}: samples, not people who can be booked`,
        "Enter your captains on /admin/catalogue, and take the samples off the page.",
      ),
    );
  }
  const outside = links.filter(({ url }) => /\.example\b/.test(url));
  if (outside.length > 0) {
    const labels = outside.map(({ label }) => label).join(", ");
    const mend = "Enter the real addresses on /admin/catalogue.";
    findings.push(warning(subject, `${labels}: the links lead nowhere`, mend));
  }
  if (env.sampleDocuments) {
    const live = env.razorpay.keyId.startsWith("rzp_live_");
    findings.push(
      (live ? wrong : warning)(
        subject,
        "invoices are headed SAMPLE and are none",
        "Unset SAMPLE_DOCUMENTS and set BUSINESS_GSTIN before money is taken.",
      ),
    );
  }
  return findings.length > 0 ? findings : [fine(subject, "captains and links are not samples")];
};

export const examineProxyHeader: Examination = async ({ env, source }) => {
  const subject = "Client address";
  const header = env.trustedProxyHeader;
  const onFly = Boolean(source.FLY_APP_NAME);
  if (header === null) {
    if (isLocal(env.publicUrl)) return [fine(subject, "taken from the connection")];
    return [
      (onFly ? wrong : warning)(
        subject,
        "TRUSTED_PROXY_HEADER is not set, so behind a proxy all visitors count as one",
        onFly
          ? "Set TRUSTED_PROXY_HEADER=fly-client-ip."
          : "Set it to the header in which your proxy passes the client's address on.",
      ),
    ];
  }
  if (!KNOWN_PROXY_HEADERS.includes(header)) {
    const mend = `Use one of ${KNOWN_PROXY_HEADERS.join(", ")} that your proxy sets by itself.`;
    return [warning(subject, `TRUSTED_PROXY_HEADER ${header} is none that we know`, mend)];
  }
  if (onFly && header !== "fly-client-ip") {
    return [
      wrong(
        subject,
        `on Fly, ${header} can be set by anybody`,
        "Set TRUSTED_PROXY_HEADER=fly-client-ip.",
      ),
    ];
  }
  return [fine(subject, `taken from ${header}`)];
};
