/**
 * The environment of a local run: what is set stays as it is, what is unset is filled with values
 * that work on this machine alone. Pure; secrets, ports and the sandbox's addresses are given.
 */
import { BRAND } from "#app/catalogue.ts";

type Environment = Record<string, string | undefined>;

/** The outside services that the environment leaves to the sandbox. */
export interface SandboxedServices {
  razorpay: boolean;
  mail: boolean;
  whatsapp: boolean;
}

/** What the sandbox says of itself when it is ready. */
export interface SandboxAddresses {
  razorpayApiUrl: string;
  checkoutUrl: string;
  smtpUrl: string;
  whatsappUrl: string;
}

/** The sandbox's own credentials, as its README lists them. */
const SANDBOX_RAZORPAY: Readonly<Record<string, string>> = {
  RAZORPAY_KEY_ID: "rzp_test_sandbox000001",
  RAZORPAY_KEY_SECRET: "sandbox_key_secret_1",
  RAZORPAY_WEBHOOK_SECRET: "sandbox_hook_secret_1",
};
const SANDBOX_WHATSAPP: Readonly<Record<string, string>> = {
  WHATSAPP_PHONE_NUMBER_ID: "100000000000001",
  WHATSAPP_TOKEN: "sandbox_whatsapp_token_1",
  WHATSAPP_APP_SECRET: "sandbox_app_secret_1",
  WHATSAPP_VERIFY_TOKEN: "sandbox_verify_token_1",
};

/** Neither GSTIN nor phone: no document shows a made-up one, and nobody calls a stranger. */
const SAMPLE_SUPPLIER: Readonly<Record<string, string>> = {
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

const DEFAULT_STATE = "29";

/** Blank counts as unset, as it does for the app. */
export function isSet(source: Environment, name: string): boolean {
  return Boolean(source[name]?.trim());
}

/**
 * A service is the sandbox's only while nothing says where or as whom to reach the real one; a
 * half-configured one is left for the app to complain about. Of Razorpay the webhook secret alone
 * says neither.
 */
export function sandboxedServices(source: Environment): SandboxedServices {
  const untouched = (names: readonly string[]) => !names.some((name) => isSet(source, name));
  return {
    razorpay: untouched([
      "RAZORPAY_KEY_ID",
      "RAZORPAY_KEY_SECRET",
      "RAZORPAY_API_URL",
      "RAZORPAY_CHECKOUT_URL",
    ]),
    mail: untouched(["SMTP_URL"]),
    whatsapp: untouched([...Object.keys(SANDBOX_WHATSAPP), "WHATSAPP_API_URL"]),
  };
}

export interface LocalValues {
  port: number;
  adminPassword: string;
  sessionSecret: string;
  databasePath: string;
  /** Null where every service is configured. */
  sandbox: SandboxAddresses | null;
}

/** The complete environment of the app; `source` wins over every value filled in here. */
export function fillEnvironment(source: Environment, local: LocalValues): Environment {
  const services = sandboxedServices(source);
  const fillsSupplier = SUPPLIER_VARIABLES.some((name) => !isSet(source, name));
  const filled: Environment = {
    ...SAMPLE_SUPPLIER,
    PORT: String(local.port),
    PUBLIC_URL: `http://${hostInUrl(source)}:${local.port}`,
    DATABASE_PATH: local.databasePath,
    SESSION_SECRET: local.sessionSecret,
    ADMIN_USERNAME: "admin",
    ADMIN_PASSWORD: local.adminPassword,
    ADMIN_EMAIL: "admin@captains.example",
    BUSINESS_STATE: source.BUSINESS_GSTIN?.trim().slice(0, 2) || DEFAULT_STATE,
    SAMPLE_DOCUMENTS: fillsSupplier ? "1" : undefined,
  };
  if (local.sandbox && services.razorpay) {
    Object.assign(filled, SANDBOX_RAZORPAY);
    filled.RAZORPAY_API_URL = local.sandbox.razorpayApiUrl;
    filled.RAZORPAY_CHECKOUT_URL = local.sandbox.checkoutUrl;
  }
  if (local.sandbox && services.mail) filled.SMTP_URL = local.sandbox.smtpUrl;
  if (services.mail || isLoopback(source.SMTP_URL)) {
    filled.MAIL_FROM = `${BRAND.name} <bookings@captains.example>`;
  }
  if (local.sandbox && services.whatsapp) {
    Object.assign(filled, SANDBOX_WHATSAPP);
    filled.WHATSAPP_API_URL = local.sandbox.whatsappUrl;
  }
  const result: Environment = { ...source };
  for (const [name, value] of Object.entries(filled)) {
    if (value !== undefined && !isSet(source, name)) result[name] = value;
  }
  return result;
}

/** What the sandbox process gets: its own credentials, and of real ones nothing. */
export function sandboxEnvironment(source: Environment, port: number): Environment {
  const services = sandboxedServices(source);
  const result: Environment = { ...source };
  for (const name of Object.keys(source)) {
    if (/^(RAZORPAY|WHATSAPP|SMTP|ADMIN|SESSION|BUSINESS)_/.test(name)) delete result[name];
  }
  const local = `http://${hostInUrl(source)}:${port}`;
  Object.assign(result, SANDBOX_RAZORPAY, SANDBOX_WHATSAPP, { HOST: "127.0.0.1" });
  if (services.razorpay) {
    result.SANDBOX_WEBHOOK_URL ??= `${local}/webhooks/razorpay`;
    if (isSet(source, "RAZORPAY_WEBHOOK_SECRET")) {
      result.RAZORPAY_WEBHOOK_SECRET = source.RAZORPAY_WEBHOOK_SECRET;
    }
  }
  if (services.whatsapp) result.SANDBOX_WHATSAPP_WEBHOOK_URL ??= `${local}/webhooks/whatsapp`;
  return result;
}

/** The host under which this machine reaches a server that listens on HOST. */
function hostInUrl(source: Environment): string {
  const host = source.HOST?.trim() || "127.0.0.1";
  if (host === "0.0.0.0") return "127.0.0.1";
  if (host === "::") return "[::1]";
  return host.includes(":") ? `[${host}]` : host;
}

function isLoopback(address: string | undefined): boolean {
  if (!address || !URL.canParse(address)) return false;
  return /^(localhost|\[::1\]|127(\.\d+){3})$/.test(new URL(address).hostname);
}
