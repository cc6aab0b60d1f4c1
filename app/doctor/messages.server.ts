/** Checks whether mail and WhatsApp would be sent, and which templates Meta refuses. Sends nothing. */
import { resolveTxt } from "node:dns/promises";
import { parseJson } from "#app/core/services.ts";
import { openTransport } from "#app/notifications/mail-sender.server.ts";
import { parseMailbox } from "#app/notifications/relevance.ts";
import {
  isTemplateName,
  templateFaults,
  WHATSAPP_KINDS,
  whatsAppTemplate,
} from "#app/notifications/templates/whatsapp.ts";
import {
  about,
  ask,
  type Examination,
  type Examined,
  type Finding,
  reasonOf,
} from "./finding.server.ts";

/** Names that are reserved for examples and private networks. */
const NO_REAL_DOMAIN = /(^|\.)(example|test|invalid|localhost|local)$/;

export const examineMail: Examination = async ({ env }) => {
  const { fine, wrong } = about("Mail server");
  const { hostname } = new URL(env.smtpUrl);
  const transport = openTransport(new URL(env.smtpUrl));
  try {
    await transport.verify();
    return fine(`${hostname} takes mail from us`);
  } catch (error) {
    const mend =
      (error as { code?: string }).code === "EAUTH"
        ? "The user or password in SMTP_URL is wrong; special characters are written as %40."
        : "Check host, port and smtp/smtps in SMTP_URL, and whether this machine may reach it.";
    return wrong(`${hostname}: ${reasonOf(error)}`, mend);
  } finally {
    transport.close();
  }
};

/** Checks for the DNS entries without which large mailbox providers treat mail as spam. */
export const examineMailDomain: Examination = async ({ env }) => {
  const { fine, warning } = about("Mail domain");
  const { address } = parseMailbox(env.mailFrom, env.business.name);
  const domain = address.split("@")[1]?.toLowerCase() ?? "";
  if (!domain.includes(".") || NO_REAL_DOMAIN.test(domain)) {
    const mend = "Set MAIL_FROM to an address of a domain that is yours.";
    return warning(`${domain || address} receives no mail`, mend);
  }
  const [spf, dmarc] = await Promise.all([
    hasText(domain, /^v=spf1\b/i),
    hasText(`_dmarc.${domain}`, /^v=DMARC1\b/i),
  ]);
  const missing = [spf === false && "SPF", dmarc === false && "DMARC"].filter(Boolean);
  if (missing.length === 0) {
    return fine(spf === null ? `${domain} (not looked up)` : `${domain} vouches for us`);
  }
  const mend = "Add the DNS entries that your mail provider names, DKIM among them.";
  return warning(`${domain} has no ${missing.join(" and no ")} entry`, mend);
};

/** Whether a TXT record of the name matches; null if the lookup fails. */
async function hasText(name: string, pattern: RegExp): Promise<boolean | null> {
  try {
    return (await resolveTxt(name)).some((parts) => pattern.test(parts.join("")));
  } catch (error) {
    const { code = "" } = error as { code?: string };
    return code === "ENODATA" || code === "ENOTFOUND" ? false : null;
  }
}

export const examineWhatsApp: Examination = async ({ env }) => {
  const { fine, wrong } = about("WhatsApp");
  const config = env.whatsapp;
  if (config === null) return fine("not configured, and no page promises it");
  const url = `${config.apiUrl}/${config.apiVersion}/${config.phoneNumberId}?fields=display_phone_number,verified_name,quality_rating`;
  try {
    const headers = { Authorization: `Bearer ${config.token}` };
    const response = await ask(url, { headers, redirect: "error" });
    const answer = (parseJson(response.text) ?? {}) as {
      display_phone_number?: string;
      error?: { code?: number; message?: string };
    };
    if (response.ok && answer.display_phone_number) {
      return fine(`${answer.display_phone_number} is ours to send from`);
    }
    const { code, message = `status ${response.status}` } = answer.error ?? {};
    const mend =
      code === 190
        ? "Make a permanent token of a system user and set WHATSAPP_TOKEN."
        : "Check WHATSAPP_PHONE_NUMBER_ID (not the phone number itself) and the token's rights.";
    return wrong(code === undefined ? message : `${code}: ${message}`, mend);
  } catch (error) {
    const mend = "Can this machine reach https://graph.facebook.com? Try again later.";
    return wrong(reasonOf(error), mend);
  }
};

const TEXTS = about("WhatsApp texts");

type Source = Examined["source"];

/** The templates under their names at Meta. */
function templates({ WHATSAPP_TEMPLATE_PREFIX: prefix = "" }: Source, brand: string) {
  return WHATSAPP_KINDS.map((kind) => ({
    name: `${prefix}${kind}`,
    ...whatsAppTemplate(kind, brand),
  }));
}

export function faultsOfTemplate(name: string, body: string): Finding[] {
  const faults = templateFaults(body).map((fault) =>
    TEXTS.wrong(`${name}: ${fault}`, "Reword it in app/notifications/templates/whatsapp.ts."),
  );
  if (isTemplateName(name)) return faults;
  const mend = "Set WHATSAPP_TEMPLATE_PREFIX to small letters, digits and underscores.";
  return [...faults, TEXTS.wrong(`${name} is no name that Meta takes`, mend)];
}

export const examineTemplates: Examination = async ({ env, source }) => {
  const all = templates(source, env.brand.name);
  const faults = all.flatMap(({ name, body }) => faultsOfTemplate(name, body));
  const says = `${all.length} that Meta can take; “npm run doctor -- --templates” prints them`;
  return faults.length > 0 ? faults : TEXTS.fine(says);
};

/** All templates as text, for the owner to submit to Meta. */
export function printTemplates(source: Source, brand: string): string {
  const language = source.WHATSAPP_LANGUAGE || "en";
  const parts = templates(source, brand).map(({ name, body, examples, validity }) => {
    const places = examples.map((example, i) => `{{${i + 1}}} for example: ${example}`);
    const head = [`Name: ${name}`, `Category: Utility. Language: ${language}`];
    return [...head, `Validity period: ${validity}`, "", body, "", ...places];
  });
  return parts.map((lines) => lines.join("\n")).join(`\n\n${"-".repeat(72)}\n\n`);
}
