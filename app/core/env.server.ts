/**
 * The environment, parsed once into a typed object. A wrong or missing value is a fault that names
 * its variable; the process that finds any ends with status 1 and prints one line per fault.
 */
import { z } from "zod";
import { startQuestions } from "#app/catalogue.ts";
import type { Question } from "#app/model/settings-fields.ts";
import {
  integer,
  isLoopbackHost,
  isSafe,
  listOf,
  mailbox,
  number,
  OFF_SITE_GROUP,
  offSiteOf,
  offSiteVariables,
  oneOf,
  publicUrl,
  ruled,
  shaped,
  smtpUrl,
  text,
  urlOf,
  ZOOM_GROUP,
  zoomOf,
  zoomVariables,
} from "./env-fields.ts";
import { fieldsOf, gstinFaultOf, settingVariables, startSettings } from "./env-settings.ts";

export type Env = ReturnType<typeof envOf>;

const RAZORPAY_API = "https://api.razorpay.com";
const RAZORPAY_CHECKOUT = "https://checkout.razorpay.com/v1/checkout.js";
const WHATSAPP_GROUP = [
  "WHATSAPP_PHONE_NUMBER_ID",
  "WHATSAPP_TOKEN",
  "WHATSAPP_APP_SECRET",
  "WHATSAPP_VERIFY_TOKEN",
] as const;
const DEMANDED_IN_PRODUCTION = [
  "PUBLIC_URL",
  "RAZORPAY_KEY_ID",
  "RAZORPAY_KEY_SECRET",
  "RAZORPAY_WEBHOOK_SECRET",
  "SMTP_URL",
  "MAIL_FROM",
  "BUSINESS_NAME",
  "BUSINESS_ADDRESS",
  "BUSINESS_STATE",
  "BUSINESS_EMAIL",
  "GRIEVANCE_CONTACT",
] as const;
const PROVIDER_URLS = [
  ["RAZORPAY_API_URL", RAZORPAY_API],
  ["RAZORPAY_CHECKOUT_URL", RAZORPAY_CHECKOUT],
] as const;
const KEY_ID = /^rzp_(test|live)_[A-Za-z0-9]+$/;
const DEVELOPMENT_SECRET = "development-only-secret-of-no-value-0";

/** Parses the environment. With faults, `env` must not be used to serve: those values are left out. */
export function parseEnv(source: Record<string, string | undefined>) {
  const { given, faults } = checkVariables(source);
  const faulty = new Set(faults.map(({ name }) => name));
  const sound = Object.entries(given).filter(([name]) => !faulty.has(name));
  const env = envOf(variables.parse(Object.fromEntries(sound)));
  const isGapSmall = env.holdSeconds - env.paymentWindowSeconds < 12 * 60;
  return {
    env,
    faults: faults.map(({ name, message }) => `${name} ${message}`),
    warnings: isGapSmall && !faulty.has("HOLD_SECONDS") ? [SMALL_GAP] : [],
  };
}

/** What is set, and what is wrong with it. */
export function checkVariables(source: Record<string, string | undefined>) {
  const given = Object.fromEntries(
    Object.entries(source)
      .map(([name, value]) => [name, value?.trim()])
      .filter(([, value]) => value),
  );
  const issues = checked.safeParse(given).error?.issues ?? [];
  return { given, faults: issues.map(({ path, message }) => ({ name: String(path[0]), message })) };
}

const SMALL_GAP =
  "HOLD_SECONDS is less than 12 minutes over PAYMENT_WINDOW_SECONDS: a payment begun in the last second may be captured after the hold";

/** The rules of single variables. */
const variables = z.object({
  NODE_ENV: oneOf(["production", "development", "test"]).optional(),
  PORT: integer(3000, 0, 65_535),
  PUBLIC_URL: publicUrl.default(""),
  SAMPLE_DOCUMENTS: z
    .literal(["1", "true", "0", "false"], "must be 1 or 0")
    .transform((flag) => flag === "1" || flag === "true")
    .default(false),
  RAZORPAY_KEY_ID: shaped(KEY_ID),
  HOST: text("127.0.0.1"),
  DATABASE_PATH: text("./data/bookings.db"),
  BACKUP_DIR: text("./data/backups"),
  BACKUP_EVERY_HOURS: number(24),
  BACKUP_KEEP: integer(14, 1),
  ...offSiteVariables,
  ...zoomVariables,
  DOCTOR_EVERY_HOURS: number(24, 0),
  SESSION_SECRET: ruled(
    (list) => listOf(list).every(({ length }) => length >= 32),
    "must have at least 32 characters, each of those listed",
  ),
  ADMIN_USERNAME: text(),
  ADMIN_PASSWORD: text(),
  ADMIN_EMAIL: shaped(/^[^\s@]+@[^\s@]+$/, "must be an e-mail address"),
  RESET_EMAIL_DEFAULT: shaped(/^[^\s@]+@[^\s@]+$/, "must be an e-mail address"),
  RAZORPAY_KEY_SECRET: text(),
  RAZORPAY_WEBHOOK_SECRET: ruled((list) => listOf(list).some(Boolean), "must hold a secret"),
  RAZORPAY_API_URL: text(RAZORPAY_API),
  RAZORPAY_CHECKOUT_URL: text(RAZORPAY_CHECKOUT),
  SMTP_URL: smtpUrl.default(""),
  MAIL_FROM: mailbox,
  WHATSAPP_PHONE_NUMBER_ID: shaped(/^\d+$/, "must be digits alone: the id, not the number itself"),
  WHATSAPP_TOKEN: text(),
  WHATSAPP_APP_SECRET: text(),
  WHATSAPP_VERIFY_TOKEN: text(),
  WHATSAPP_API_URL: text("https://graph.facebook.com"),
  WHATSAPP_API_VERSION: shaped(/^v\d+(\.\d+)?$/, "must be like v26.0", "v26.0"),
  WHATSAPP_LANGUAGE: shaped(/^[a-z]{2,3}(_[A-Z]{2})?$/, "must be like en or en_US", "en"),
  WHATSAPP_TEMPLATE_PREFIX: shaped(
    /^[a-z0-9_]*$/,
    "must be small letters, digits and underscores, as in captains_",
  ),
  RECONCILE_AFTER_SECONDS: number(900),
  WORKER_INTERVAL_MS: number(1000),
  ...settingVariables,
  HOLDS_PER_CONTACT: integer(3, 1),
  HOLDS_PER_ADDRESS: integer(20, 1),
  RETENTION_EVENTS_DAYS: number(365),
  TRUSTED_PROXY_HEADER: shaped(/^[\w-]+$/, "must be the name of a header"),
  METRICS_TOKEN: text(),
  RATE_LIMIT: oneOf(["on", "off"]).default("on"),
  LOG_LEVEL: oneOf(["trace", "debug", "info", "warn", "error", "fatal", "silent"]).default("info"),
});

type Variables = z.output<typeof variables>;

/** With the rules about several variables, which are checked even if single ones are wrong. */
const checked = variables.superRefine(
  (given, { addIssue }) => {
    const fault = (name: keyof Variables, message: string) =>
      addIssue({ code: "custom", path: [name], message });
    const demand = (names: readonly (keyof Variables)[]) => {
      for (const name of names) if (!given[name]) fault(name, "is missing");
    };
    const demandWhole = (group: readonly (keyof Variables)[], why: string) => {
      const missing = group.filter((name) => !given[name]);
      if (missing.length === group.length) return;
      for (const name of missing) fault(name, `is missing (${why})`);
    };
    const url = urlOf(given.PUBLIC_URL);
    const isOnLoopback = !url || isLoopbackHost(url.hostname);
    const isProduction = given.NODE_ENV === "production";
    if (isProduction) demand(DEMANDED_IN_PRODUCTION);
    if (isProduction && given.SAMPLE_DOCUMENTS !== true) {
      demand(["BUSINESS_GSTIN", "BUSINESS_PHONE"]);
    }
    if (isProduction || !isOnLoopback) demand(["SESSION_SECRET"]);
    if (!isOnLoopback) {
      // The one for development is public.
      if (listOf(given.SESSION_SECRET).includes(DEVELOPMENT_SECRET)) {
        fault("SESSION_SECRET", "must be a random one of your own");
      }
      if (given.METRICS_TOKEN && given.METRICS_TOKEN.length < 16) {
        fault("METRICS_TOKEN", "must have at least 16 characters");
      }
      if (given.RATE_LIMIT === "off") {
        fault("RATE_LIMIT", "may be off only when PUBLIC_URL is loopback");
      }
    }
    const { RAZORPAY_KEY_ID: keyId } = given;
    // A key that is itself at fault has its own line.
    const isKeyWrong = keyId ? !KEY_ID.test(keyId) : isProduction;
    for (const [name, real] of PROVIDER_URLS) {
      const isAllowed = isKeyWrong || keyId.startsWith("rzp_test_");
      const wrong = providerUrlFault(given[name], real, isAllowed);
      if (wrong) fault(name, wrong);
    }
    demandWhole(WHATSAPP_GROUP, "the WHATSAPP group is all or none");
    if (WHATSAPP_GROUP.some((name) => given[name])) {
      const api = urlOf(given.WHATSAPP_API_URL);
      if (!api) fault("WHATSAPP_API_URL", "must be an address");
      else if (!isSafe(api)) fault("WHATSAPP_API_URL", "must be https (http only on loopback)");
    }
    demandWhole(ZOOM_GROUP, "the ZOOM group is all or none");
    demandWhole(OFF_SITE_GROUP, "copies off the machine want all or none");
    const wrong = gstinFaultOf(given);
    if (wrong) fault("BUSINESS_GSTIN", wrong);
    if (given.HOLD_SECONDS > 0 && given.HOLD_SECONDS < given.PAYMENT_WINDOW_SECONDS) {
      fault("HOLD_SECONDS", "must be at least PAYMENT_WINDOW_SECONDS");
    }
  },
  { when: () => true },
);

/** Another host is allowed only on loopback and with a test key, so real money never goes there. */
function providerUrlFault(address: string, real: string, isAllowed: boolean): string | null {
  const url = urlOf(address);
  if (!url) return "must be an address";
  if (url.origin === new URL(real).origin) return null;
  if (!isLoopbackHost(url.hostname)) return "may name another host only on loopback";
  return isAllowed ? null : "may name another host only with an rzp_test_ key";
}

function envOf(from: Variables) {
  const settings = startSettings(from);
  const [firstSecret = "", ...otherSecrets] = listOf(from.SESSION_SECRET || DEVELOPMENT_SECRET);
  const { ADMIN_USERNAME: username, ADMIN_PASSWORD: password, ADMIN_EMAIL: email } = from;
  return {
    production: from.NODE_ENV === "production",
    port: from.PORT,
    host: from.HOST,
    /** Origin without a trailing slash. */
    publicUrl: urlOf(from.PUBLIC_URL)?.origin ?? `http://127.0.0.1:${from.PORT}`,
    databasePath: from.DATABASE_PATH,
    backup: {
      dir: from.BACKUP_DIR,
      everyHours: from.BACKUP_EVERY_HOURS,
      keep: from.BACKUP_KEEP,
      offSite: offSiteOf(from),
    },
    /** 0: never. */
    doctorEveryHours: from.DOCTOR_EVERY_HOURS,
    /** The first one signs and seals; all are accepted, so that a new one can replace it. */
    sessionSecrets: [firstSecret, ...otherSecrets] as readonly [string, ...string[]],
    /** Required only while the database has no admin, which is checked where the database is known. */
    firstAdmin: username && password && email ? { username, password, email } : null,
    resetEmailDefault: from.RESET_EMAIL_DEFAULT,
    razorpay: {
      keyId: from.RAZORPAY_KEY_ID,
      keySecret: from.RAZORPAY_KEY_SECRET,
      webhookSecrets: listOf(from.RAZORPAY_WEBHOOK_SECRET).filter(Boolean),
      apiUrl: from.RAZORPAY_API_URL.replace(/\/$/, ""),
      checkoutUrl: from.RAZORPAY_CHECKOUT_URL,
    },
    smtpUrl: from.SMTP_URL,
    mailFrom: from.MAIL_FROM || "bookings@localhost",
    whatsapp: WHATSAPP_GROUP.some((name) => !from[name])
      ? null
      : {
          phoneNumberId: from.WHATSAPP_PHONE_NUMBER_ID,
          token: from.WHATSAPP_TOKEN,
          appSecret: from.WHATSAPP_APP_SECRET,
          verifyToken: from.WHATSAPP_VERIFY_TOKEN,
          apiUrl: from.WHATSAPP_API_URL.replace(/\/$/, ""),
          apiVersion: from.WHATSAPP_API_VERSION,
          language: from.WHATSAPP_LANGUAGE,
          templatePrefix: from.WHATSAPP_TEMPLATE_PREFIX,
        },
    zoom: zoomOf(from),
    reconcileAfterSeconds: from.RECONCILE_AFTER_SECONDS,
    workerIntervalMs: from.WORKER_INTERVAL_MS,
    holdsPerContact: from.HOLDS_PER_CONTACT,
    holdsPerAddress: from.HOLDS_PER_ADDRESS,
    /** As a whole; each is read in its own field. */
    settings,
    ...fieldsOf(settings),
    /** The questions and answers of the home page; `cutoffHours` before the start changes end. */
    questions: startQuestions as (cutoffHours: number) => Question[],
    sampleDocuments: from.SAMPLE_DOCUMENTS,
    retentionEventsDays: from.RETENTION_EVENTS_DAYS,
    trustedProxyHeader: from.TRUSTED_PROXY_HEADER.toLowerCase() || null,
    metricsToken: from.METRICS_TOKEN || null,
    rateLimit: from.RATE_LIMIT === "on",
    logLevel: from.LOG_LEVEL,
  };
}
