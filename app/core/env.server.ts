/**
 * The environment, parsed once into a typed object. A wrong or missing value is a fault that names
 * its variable; the process that finds any ends with status 1 and prints one line per fault.
 */

import { GST_STATES, gstinFault } from "#app/model/gst.ts";
import { Reader } from "./env-reader.server.ts";

export interface Env {
  production: boolean;
  port: number;
  host: string;
  /** Origin without a trailing slash. */
  publicUrl: string;
  databasePath: string;
  backup: { dir: string; everyHours: number; keep: number };
  /** The first signs and makes; each is believed, so that one can take the place of another. */
  sessionSecrets: readonly [string, ...string[]];
  firstAdmin: { username: string; password: string; email: string } | null;
  resetEmailDefault: string;
  razorpay: {
    keyId: string;
    keySecret: string;
    webhookSecrets: string[];
    apiUrl: string;
    checkoutUrl: string;
  };
  smtpUrl: string;
  mailFrom: string;
  whatsapp: {
    phoneNumberId: string;
    token: string;
    appSecret: string;
    verifyToken: string;
    apiUrl: string;
    apiVersion: string;
    language: string;
    templatePrefix: string;
  } | null;
  paymentWindowSeconds: number;
  holdSeconds: number;
  reconcileAfterSeconds: number;
  workerIntervalMs: number;
  minNoticeMinutes: number;
  bookingWindowDays: number;
  selfServiceCutoffHours: number;
  holdsPerContact: number;
  holdsPerAddress: number;
  business: Supplier & { email: string; phone: string; grievanceContact: string };
  sampleDocuments: boolean;
  retention: { unpaidDays: number; eventsDays: number };
  trustedProxyHeader: string | null;
  metricsToken: string | null;
  rateLimit: boolean;
  logLevel: string;
}

/** The supplier as printed on documents. */
export interface Supplier {
  name: string;
  address: string;
  state: string;
  /** Null only where documents are samples. */
  gstin: string | null;
  sac: string;
}

export interface ParsedEnv {
  env: Env;
  faults: string[];
  warnings: string[];
}

const RAZORPAY_API = "https://api.razorpay.com";
const RAZORPAY_CHECKOUT = "https://checkout.razorpay.com/v1/checkout.js";
const WHATSAPP_API = "https://graph.facebook.com";
const WHATSAPP_GROUP = [
  "WHATSAPP_PHONE_NUMBER_ID",
  "WHATSAPP_TOKEN",
  "WHATSAPP_APP_SECRET",
  "WHATSAPP_VERIFY_TOKEN",
] as const;

export function isLoopbackHost(hostname: string): boolean {
  return hostname === "localhost" || hostname === "[::1]" || /^127(\.\d{1,3}){3}$/.test(hostname);
}

/** Parses the environment. With faults, `env` must not be used to serve. */
export function parseEnv(source: Record<string, string | undefined>): ParsedEnv {
  const read = new Reader(source);
  const production = source.NODE_ENV === "production";
  const port = read.integer("PORT", 3000, { min: 0, max: 65535 });
  const publicUrl = readPublicUrl(read, production, port);
  const loopback = isLoopbackHost(new URL(publicUrl).hostname);
  const sampleDocuments = read.flag("SAMPLE_DOCUMENTS", false);
  const keyId = read.demanded("RAZORPAY_KEY_ID", production, /^rzp_(test|live)_[A-Za-z0-9]+$/);
  const env: Env = {
    production,
    port,
    host: read.text("HOST", "127.0.0.1"),
    publicUrl,
    databasePath: read.text("DATABASE_PATH", "./data/bookings.db"),
    backup: {
      dir: read.text("BACKUP_DIR", "./data/backups"),
      everyHours: read.number("BACKUP_EVERY_HOURS", 24),
      keep: read.integer("BACKUP_KEEP", 14, { min: 1 }),
    },
    sessionSecrets: readSessionSecrets(read, production, loopback),
    firstAdmin: readFirstAdmin(read),
    resetEmailDefault: read.text("RESET_EMAIL_DEFAULT", ""),
    razorpay: {
      keyId,
      keySecret: read.demanded("RAZORPAY_KEY_SECRET", production),
      webhookSecrets: read
        .demanded("RAZORPAY_WEBHOOK_SECRET", production)
        .split(",")
        .map((secret) => secret.trim())
        .filter(Boolean),
      apiUrl: readProviderUrl(read, "RAZORPAY_API_URL", RAZORPAY_API, keyId).replace(/\/$/, ""),
      checkoutUrl: readProviderUrl(read, "RAZORPAY_CHECKOUT_URL", RAZORPAY_CHECKOUT, keyId),
    },
    smtpUrl: readSmtpUrl(read, production),
    mailFrom: read.demanded("MAIL_FROM", production, /@/) || "bookings@localhost",
    whatsapp: readWhatsApp(read),
    paymentWindowSeconds: read.number("PAYMENT_WINDOW_SECONDS", 900),
    holdSeconds: read.number("HOLD_SECONDS", 1800),
    reconcileAfterSeconds: read.number("RECONCILE_AFTER_SECONDS", 900),
    workerIntervalMs: read.number("WORKER_INTERVAL_MS", 1000),
    minNoticeMinutes: read.number("MIN_NOTICE_MINUTES", 60, { min: 0 }),
    bookingWindowDays: read.integer("BOOKING_WINDOW_DAYS", 90, { min: 1, max: 3660 }),
    selfServiceCutoffHours: read.number("SELF_SERVICE_CUTOFF_HOURS", 24, { min: 0 }),
    holdsPerContact: read.integer("HOLDS_PER_CONTACT", 3, { min: 1 }),
    holdsPerAddress: read.integer("HOLDS_PER_ADDRESS", 20, { min: 1 }),
    business: readBusiness(read, production, sampleDocuments),
    sampleDocuments,
    retention: {
      unpaidDays: read.number("RETENTION_UNPAID_DAYS", 90),
      eventsDays: read.number("RETENTION_EVENTS_DAYS", 365),
    },
    trustedProxyHeader: read.optional("TRUSTED_PROXY_HEADER")?.toLowerCase() ?? null,
    metricsToken: readMetricsToken(read, loopback),
    rateLimit: readRateLimit(read, loopback),
    logLevel: read.oneOf("LOG_LEVEL", "info", [
      "trace",
      "debug",
      "info",
      "warn",
      "error",
      "fatal",
      "silent",
    ]),
  };
  checkHold(read, env);
  return { env, faults: read.faults, warnings: read.warnings };
}

function readPublicUrl(read: Reader, production: boolean, port: number): string {
  const fallback = `http://127.0.0.1:${port}`;
  const text = read.demanded("PUBLIC_URL", production) || fallback;
  const url = URL.canParse(text) ? new URL(text) : null;
  if (!url || (url.protocol !== "https:" && url.protocol !== "http:")) {
    if (!read.has("PUBLIC_URL")) return fallback;
    return read.fault(
      "PUBLIC_URL",
      "must be an https address like https://book.example.in",
      fallback,
    );
  }
  if (url.protocol === "http:" && !isLoopbackHost(url.hostname)) {
    read.fault("PUBLIC_URL", "must be https (http only on loopback)", fallback);
  }
  if (url.pathname !== "/" || url.search || url.hash) {
    read.fault("PUBLIC_URL", "must be an origin without a path", fallback);
  }
  return url.origin;
}

const DEVELOPMENT_SECRET = "development-only-secret-of-no-value-0";

/** Everybody knows the one of development, so no public address runs with it. */
function readSessionSecrets(
  read: Reader,
  production: boolean,
  loopback: boolean,
): Env["sessionSecrets"] {
  const text = read.demanded("SESSION_SECRET", production || !loopback) || DEVELOPMENT_SECRET;
  const [first = "", ...others] = text.split(",").map((secret) => secret.trim());
  const secrets = [first, ...others] as const;
  if (secrets.some((secret) => secret.length < 32)) {
    const sentence = "must have at least 32 characters, each of those listed";
    read.fault("SESSION_SECRET", sentence, secrets);
  }
  if (read.has("SESSION_SECRET") && secrets.includes(DEVELOPMENT_SECRET) && !loopback) {
    read.fault("SESSION_SECRET", "must be a random one of your own", secrets);
  }
  return secrets;
}

function readMetricsToken(read: Reader, loopback: boolean): string | null {
  const token = read.optional("METRICS_TOKEN");
  if (token !== null && token.length < 16 && !loopback) {
    read.fault("METRICS_TOKEN", "must have at least 16 characters", token);
  }
  return token;
}

/** Demanded only while the database has no admin; the caller knows that and asks for the faults. */
function readFirstAdmin(read: Reader): Env["firstAdmin"] {
  const username = read.optional("ADMIN_USERNAME");
  const password = read.optional("ADMIN_PASSWORD");
  const email = read.optional("ADMIN_EMAIL");
  if (email !== null && !/^[^\s@]+@[^\s@]+$/.test(email)) {
    read.fault("ADMIN_EMAIL", "must be an e-mail address", email);
  }
  return username && password && email ? { username, password, email } : null;
}

/** Another host only on loopback and only with a test key, so real money never goes elsewhere. */
function readProviderUrl(read: Reader, name: string, real: string, keyId: string): string {
  const text = read.optional(name);
  if (text === null || text === real) return real;
  if (!URL.canParse(text)) return read.fault(name, "must be an address", real);
  const url = new URL(text);
  if (url.origin === new URL(real).origin && url.protocol === "https:") return text;
  if (!isLoopbackHost(url.hostname)) {
    return read.fault(name, "may name another host only on loopback", real);
  }
  if (!keyId.startsWith("rzp_test_")) {
    return read.fault(name, "may name another host only with an rzp_test_ key", real);
  }
  return text;
}

function readSmtpUrl(read: Reader, production: boolean): string {
  const text = read.demanded("SMTP_URL", production);
  if (text !== "" && !(URL.canParse(text) && /^smtps?:$/.test(new URL(text).protocol))) {
    return read.fault("SMTP_URL", "must be smtps://… or smtp://…", text);
  }
  return text;
}

function readWhatsApp(read: Reader): Env["whatsapp"] {
  const missing = WHATSAPP_GROUP.filter((name) => !read.has(name));
  if (missing.length === WHATSAPP_GROUP.length) return null;
  for (const name of missing) {
    read.fault(name, "is missing (the WHATSAPP group is all or none)", "");
  }
  const apiUrl = read.text("WHATSAPP_API_URL", WHATSAPP_API);
  if (!URL.canParse(apiUrl)) read.fault("WHATSAPP_API_URL", "must be an address", apiUrl);
  else if (new URL(apiUrl).protocol !== "https:" && !isLoopbackHost(new URL(apiUrl).hostname)) {
    read.fault("WHATSAPP_API_URL", "must be https (http only on loopback)", apiUrl);
  }
  return {
    phoneNumberId: read.text("WHATSAPP_PHONE_NUMBER_ID", ""),
    token: read.text("WHATSAPP_TOKEN", ""),
    appSecret: read.text("WHATSAPP_APP_SECRET", ""),
    verifyToken: read.text("WHATSAPP_VERIFY_TOKEN", ""),
    apiUrl: apiUrl.replace(/\/$/, ""),
    apiVersion: read.text("WHATSAPP_API_VERSION", "v26.0"),
    language: read.text("WHATSAPP_LANGUAGE", "en"),
    templatePrefix: read.text("WHATSAPP_TEMPLATE_PREFIX", ""),
  };
}

function readBusiness(read: Reader, production: boolean, sample: boolean): Env["business"] {
  const state = read.demanded("BUSINESS_STATE", production) || "29";
  if (!GST_STATES.has(state)) {
    read.fault("BUSINESS_STATE", "must be a GST state code, for example 29", state);
  }
  const gstin = read.demanded("BUSINESS_GSTIN", production && !sample) || null;
  const isStateKnown = read.has("BUSINESS_STATE") && GST_STATES.has(state);
  const gstinProblem = gstin === null || !isStateKnown ? null : gstinFault(gstin, state);
  if (gstinProblem) read.fault("BUSINESS_GSTIN", gstinProblem, gstin);
  const sac = read.text("BUSINESS_SAC", "999299");
  if (!/^\d{4,8}$/.test(sac)) read.fault("BUSINESS_SAC", "must be 4 to 8 digits", sac);
  return {
    name: read.demanded("BUSINESS_NAME", production) || "Sample Business",
    address: read.demanded("BUSINESS_ADDRESS", production) || "Sample address, Bengaluru 560001",
    state,
    gstin,
    sac,
    email: read.demanded("BUSINESS_EMAIL", production, /@/) || "hello@captains.example",
    phone: read.demanded("BUSINESS_PHONE", production) || "+91 98765 43210",
    grievanceContact: read.demanded("GRIEVANCE_CONTACT", production) || "hello@captains.example",
  };
}

function readRateLimit(read: Reader, loopback: boolean): boolean {
  const on = read.oneOf("RATE_LIMIT", "on", ["on", "off"]) === "on";
  if (!on && !loopback) {
    return read.fault("RATE_LIMIT", "may be off only when PUBLIC_URL is loopback", true);
  }
  return on;
}

function checkHold(read: Reader, env: Env): void {
  const gap = env.holdSeconds - env.paymentWindowSeconds;
  if (gap < 0) {
    read.fault("HOLD_SECONDS", "must be at least PAYMENT_WINDOW_SECONDS", null);
  } else if (gap < 12 * 60) {
    read.warnings.push(
      "HOLD_SECONDS is less than 12 minutes over PAYMENT_WINDOW_SECONDS: a payment begun in the last second may be captured after the hold",
    );
  }
}
