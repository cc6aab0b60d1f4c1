/**
 * The environment of a local run: what is set stays as it is, what is unset is filled with values
 * that work on this machine alone. Pure; secrets, ports and the sandbox's addresses are given.
 */
import { BRAND } from "#app/catalogue.ts";
import { isLoopbackHost } from "#app/core/env-fields.ts";
import { CREDENTIALS } from "#scripts/sandbox/credentials.ts";
import { optionsOf, type SandboxOptions } from "#scripts/sandbox/options.ts";
import type { Sandbox } from "#scripts/sandbox/sandbox.ts";

export type Environment = Record<string, string | undefined>;

/** What the sandbox says of itself when it is ready. */
export type SandboxAddresses = Pick<
  Sandbox,
  "console" | "razorpayApiUrl" | "checkoutUrl" | "smtpUrl" | "whatsappUrl" | "zoomUrl"
>;

/** The variables that point the app to the sandbox, by outside service. */
export const sandboxVariables = (at: SandboxAddresses, credentials = CREDENTIALS) => ({
  razorpay: {
    RAZORPAY_KEY_ID: credentials.keyId,
    RAZORPAY_KEY_SECRET: credentials.keySecret,
    RAZORPAY_WEBHOOK_SECRET: credentials.webhookSecret,
    RAZORPAY_API_URL: at.razorpayApiUrl,
    RAZORPAY_CHECKOUT_URL: at.checkoutUrl,
  },
  mail: { SMTP_URL: at.smtpUrl },
  whatsapp: {
    WHATSAPP_PHONE_NUMBER_ID: credentials.whatsappPhoneNumberId,
    WHATSAPP_TOKEN: credentials.whatsappToken,
    WHATSAPP_APP_SECRET: credentials.whatsappAppSecret,
    WHATSAPP_VERIFY_TOKEN: credentials.whatsappVerifyToken,
    WHATSAPP_API_URL: at.whatsappUrl,
  },
  zoom: {
    ZOOM_ACCOUNT_ID: credentials.zoomAccountId,
    ZOOM_CLIENT_ID: credentials.zoomClientId,
    ZOOM_CLIENT_SECRET: credentials.zoomClientSecret,
    ZOOM_API_URL: `${at.zoomUrl}/v2`,
    ZOOM_OAUTH_URL: `${at.zoomUrl}/oauth/token`,
  },
});

/** Without GSTIN and phone: no document shows a made-up number, and nobody calls a stranger. */
const SAMPLE_SUPPLIER = {
  BUSINESS_NAME: "Sample Aviation Counselling",
  BUSINESS_ADDRESS: "1 Sample Road, Bengaluru 560001, Karnataka",
  BUSINESS_EMAIL: "hello@captains.example",
  GRIEVANCE_CONTACT: "Grievance Officer, hello@captains.example",
};
const SUPPLIER_VARIABLES = [
  ...Object.keys(SAMPLE_SUPPLIER),
  "BUSINESS_STATE",
  "BUSINESS_GSTIN",
  "BUSINESS_PHONE",
];

/** Blank counts as unset, as it does for the app. */
export function isSet(source: Environment, name: string): boolean {
  return Boolean(source[name]?.trim());
}

/**
 * The outside services that the environment leaves to the sandbox: those of which nothing says where
 * or as whom to reach the real one. A half-configured one is left for the app to complain about; the
 * webhook secret of Razorpay alone says neither.
 */
export function sandboxedServices(source: Environment) {
  const isUnset = (names: RegExp) =>
    !Object.keys(source).some((name) => names.test(name) && isSet(source, name));
  return {
    razorpay: isUnset(/^RAZORPAY_(KEY_ID|KEY_SECRET|API_URL|CHECKOUT_URL)$/),
    mail: isUnset(/^SMTP_URL$/),
    whatsapp: isUnset(/^WHATSAPP_(PHONE_NUMBER_ID|TOKEN|APP_SECRET|VERIFY_TOKEN|API_URL)$/),
    zoom: isUnset(/^ZOOM_(ACCOUNT_ID|CLIENT_ID|CLIENT_SECRET|API_URL|OAUTH_URL)$/),
  };
}

interface LocalValues {
  port: number;
  adminPassword: string;
  sessionSecret: string;
  databasePath: string;
  /** Null where every service is configured. */
  sandbox: SandboxAddresses | null;
}

/** The complete environment of the app; `source` wins over every value filled in here. */
export function fillEnvironment(source: Environment, local: LocalValues): Environment {
  const { sandbox } = local;
  const services = sandboxedServices(source);
  const filled: Environment = {
    ...SAMPLE_SUPPLIER,
    PORT: String(local.port),
    PUBLIC_URL: `http://${hostInUrl(source)}:${local.port}`,
    DATABASE_PATH: local.databasePath,
    SESSION_SECRET: local.sessionSecret,
    ADMIN_USERNAME: "admin",
    ADMIN_PASSWORD: local.adminPassword,
    ADMIN_EMAIL: "admin@captains.example",
    BUSINESS_STATE: source.BUSINESS_GSTIN?.trim().slice(0, 2) || "29",
  };
  if (SUPPLIER_VARIABLES.some((name) => !isSet(source, name))) filled.SAMPLE_DOCUMENTS = "1";
  for (const [service, variables] of Object.entries(sandbox ? sandboxVariables(sandbox) : {})) {
    if (services[service as keyof typeof services]) Object.assign(filled, variables);
  }
  if (services.mail || isLoopbackHost(URL.parse(source.SMTP_URL ?? "")?.hostname ?? "")) {
    filled.MAIL_FROM = `${BRAND.name} <bookings@captains.example>`;
  }
  const unset = Object.entries(filled).filter(([name]) => !isSet(source, name));
  return { ...source, ...Object.fromEntries(unset) };
}

/** How the sandbox is started beside the app: it calls this app, and gets no real credential. */
export function sandboxOptions(source: Environment, port: number): SandboxOptions {
  const services = sandboxedServices(source);
  const options = optionsOf(source);
  const webhooks = `http://${hostInUrl(source)}:${port}/webhooks`;
  if (services.razorpay) options.webhookUrl ??= `${webhooks}/razorpay`;
  else options.webhookSecrets = undefined;
  if (services.whatsapp) options.whatsappWebhookUrl ??= `${webhooks}/whatsapp`;
  return options;
}

/** The host under which this machine reaches a server that listens on HOST. */
function hostInUrl(source: Environment): string {
  const host = source.HOST?.trim() || "127.0.0.1";
  if (host === "0.0.0.0") return "127.0.0.1";
  if (host === "::") return "[::1]";
  return host.includes(":") ? `[${host}]` : host;
}
