/** The environment of an app under test: production rules, loopback values, the sandbox outside. */
import type { Sandbox } from "#scripts/sandbox/sandbox.ts";

export type Environment = Record<string, string | undefined>;

export const ADMIN = {
  username: "admin",
  password: "quiet-runway-0917",
  email: "admin@captains.example",
} as const;

export function testEnvironment(port: number, databasePath: string, sandbox: Sandbox) {
  return {
    NODE_ENV: "production",
    HOST: "127.0.0.1",
    PORT: String(port),
    PUBLIC_URL: `http://127.0.0.1:${port}`,
    DATABASE_PATH: databasePath,
    BACKUP_DIR: `${databasePath}-backups`,
    SESSION_SECRET: "a-secret-of-tests-with-more-than-32-characters",
    ADMIN_USERNAME: ADMIN.username,
    ADMIN_PASSWORD: ADMIN.password,
    ADMIN_EMAIL: ADMIN.email,
    RAZORPAY_KEY_ID: sandbox.credentials.keyId,
    RAZORPAY_KEY_SECRET: sandbox.credentials.keySecret,
    RAZORPAY_WEBHOOK_SECRET: sandbox.credentials.webhookSecret,
    RAZORPAY_API_URL: sandbox.origin,
    RAZORPAY_CHECKOUT_URL: sandbox.checkoutUrl,
    SMTP_URL: sandbox.smtpUrl,
    MAIL_FROM: "Captain Sessions <bookings@captains.example>",
    WHATSAPP_PHONE_NUMBER_ID: sandbox.credentials.whatsappPhoneNumberId,
    WHATSAPP_TOKEN: sandbox.credentials.whatsappToken,
    WHATSAPP_APP_SECRET: sandbox.credentials.whatsappAppSecret,
    WHATSAPP_VERIFY_TOKEN: sandbox.credentials.whatsappVerifyToken,
    WHATSAPP_API_URL: sandbox.origin,
    ZOOM_ACCOUNT_ID: sandbox.credentials.zoomAccountId,
    ZOOM_CLIENT_ID: sandbox.credentials.zoomClientId,
    ZOOM_CLIENT_SECRET: sandbox.credentials.zoomClientSecret,
    ZOOM_API_URL: `${sandbox.origin}/zoom/v2`,
    ZOOM_OAUTH_URL: `${sandbox.origin}/zoom/oauth/token`,
    WORKER_INTERVAL_MS: "100",
    // Tests move the clock, and it would look at the real world.
    DOCTOR_EVERY_HOURS: "0",
    BUSINESS_NAME: "Test Aviation Counselling",
    BUSINESS_ADDRESS: "1 Test Road, Bengaluru 560001, Karnataka",
    BUSINESS_STATE: "29",
    BUSINESS_GSTIN: "29ABCDE1234F1ZW",
    BUSINESS_EMAIL: "hello@captains.example",
    BUSINESS_PHONE: "+91 98765 43210",
    GRIEVANCE_CONTACT: "Grievance Officer, grievance@captains.example",
    RATE_LIMIT: "off",
    LOG_LEVEL: "warn",
  } satisfies Environment;
}
