/** The view of the settings page, with values as form texts. */
import { createHash } from "node:crypto";
import type { Deps } from "#app/core/deps.server.ts";
import type { Env } from "#app/core/env.server.ts";
import { lastFindings } from "#app/doctor/finding.server.ts";
import { untilWords } from "#app/model/appointment.ts";
import { adminInstant } from "#app/model/dates.ts";
import type { Question } from "#app/model/settings-fields.ts";
import { readSettings } from "#app/settings/change-settings.server.ts";
import { readSavedSettings } from "#db/queries/settings.server.ts";

export type SettingsView = ReturnType<typeof settingsView>;

export function markOf(faq: readonly Question[]): string {
  return createHash("sha256").update(JSON.stringify(faq)).digest("base64url");
}

export function settingsView(deps: Pick<Deps, "db" | "env">) {
  const { faq, logo, ...settings } = readSettings(deps);
  return {
    values: { ...textsOf(settings), faqMark: markOf(faq) },
    logo,
    faq,
    faqNote: faqNote(deps),
    services: servicesView(deps),
    lookNote: lookNote(deps.env),
  };
}

/** Each value as text; empty for null. */
function textsOf<Fields extends object>(fields: Fields) {
  return Object.fromEntries(
    Object.entries(fields).map(([name, value]) => [name, String(value ?? "")]),
  ) as { [Name in keyof Fields]: string };
}

/** Answers follow the rules only until they are saved. */
function faqNote({ db, env }: Pick<Deps, "db" | "env">): string {
  if (!readSavedSettings(db).saved.faq) {
    return "Until you change one, the answer about moving or cancelling follows your rules by itself.";
  }
  const { minNoticeMinutes, bookingWindowDays, selfServiceCutoffHours } = env;
  return `Saved as you wrote them, so they no longer follow your rules. Please read again what they say of these: last change until ${untilWords(selfServiceCutoffHours)}, shortest notice ${minNoticeMinutes} minutes, up to ${bookingWindowDays} days ahead.`;
}

function lookNote({ doctorEveryHours }: Env): string {
  if (doctorEveryHours === 0) return "The doctor looks only when you run it";
  return `The doctor looks five minutes after a start with other keys, then every ${doctorEveryHours} hours`;
}

/** Services set by variables: whether they are set, and the doctor's last finding; no values. */
function servicesView({ db, env }: Pick<Deps, "db" | "env">) {
  const isLive = env.razorpay.keyId.startsWith("rzp_live_");
  const reached = (...checks: string[]) => {
    const look = lastFindings({ db, env }, checks);
    if (look === null) return "Nobody has looked with what is set now";
    const { at, wrong } = look;
    const found = wrong.length > 0 ? `not as it should be: ${wrong.join(", ")}` : "reached";
    return `${adminInstant(at)}: ${found}`;
  };
  const { razorpay, whatsapp, zoom, backup, publicUrl } = env;
  const hasRazorpay = razorpay.keySecret !== "" && razorpay.webhookSecrets.length > 0;
  const keys = isLive ? "Live keys. " : "Test keys: no real money. ";
  const provider = keys + reached("keys", "webhook secret", "provider's calls");
  const mail = reached("mail server", "mail domain");
  const messages = reached("whatsapp", "whatsapp templates");
  const address = `${publicUrl}. ${reached("site", "certificate")}`;
  const rows: [name: string, variables: string, isSet: boolean, note: string][] = [
    ["Razorpay", "RAZORPAY_…", hasRazorpay, provider],
    ["Mail", "SMTP_URL, MAIL_FROM", env.smtpUrl !== "", mail],
    ["WhatsApp", "WHATSAPP_…", whatsapp !== null, messages],
    ["Zoom", "ZOOM_…", zoom !== null, reached("rooms")],
    ["Copies off the machine", "BACKUP_S3_…", backup.offSite !== null, reached("copies")],
    ["Session secret", "SESSION_SECRET", true, ""],
    ["Public address", "PUBLIC_URL", true, address],
  ];
  return rows.map(([name, variables, isSet, note]) => ({
    name,
    variables,
    isSet,
    note: isSet ? note : "",
  }));
}
