/** The WhatsApp templates: what Meta would refuse of them, and what to type in there. */
import {
  isTemplateName,
  templateFaults,
  WHATSAPP_KINDS,
  whatsAppTemplate,
} from "#app/notifications/templates/whatsapp.ts";
import { type Examination, type Finding, fine, wrong } from "./finding.server.ts";

const SUBJECT = "WhatsApp texts";

type Source = Record<string, string | undefined>;

/** As Meta knows each. */
function templates({ WHATSAPP_TEMPLATE_PREFIX: prefix = "" }: Source) {
  return WHATSAPP_KINDS.map((kind) => ({ name: `${prefix}${kind}`, ...whatsAppTemplate(kind) }));
}

/** Of one text and its name. */
export function faultsOfTemplate(name: string, body: string): Finding[] {
  const faults = templateFaults(body).map((fault) =>
    wrong(SUBJECT, `${name}: ${fault}`, "Reword it in app/notifications/templates/whatsapp.ts."),
  );
  if (isTemplateName(name)) return faults;
  const mend = "Set WHATSAPP_TEMPLATE_PREFIX to small letters, digits and underscores.";
  return [...faults, wrong(SUBJECT, `${name} is no name that Meta takes`, mend)];
}

export const examineTemplates: Examination = async ({ source }) => {
  const all = templates(source);
  const faults = all.flatMap(({ name, body }) => faultsOfTemplate(name, body));
  return faults.length > 0
    ? faults
    : [
        fine(
          SUBJECT,
          `${all.length} that Meta can take; “npm run doctor -- --templates” prints them`,
        ),
      ];
};

/** What the owner submits, one after the other. */
export function printTemplates(source: Source): string {
  const language = source.WHATSAPP_LANGUAGE || "en";
  const parts = templates(source).map(({ name, body, examples }) => {
    const places = examples.map((example, i) => `{{${i + 1}}} for example: ${example}`);
    return [`Name: ${name}`, `Category: Utility. Language: ${language}`, "", body, "", ...places];
  });
  return parts.map((lines) => lines.join("\n")).join(`\n\n${"-".repeat(72)}\n\n`);
}
