/** The environment of an app under test: production rules, loopback values, the sandbox outside. */
import { sandboxVariables } from "#scripts/process/local-environment.ts";
import type { Sandbox } from "#scripts/sandbox/sandbox.ts";

export type Environment = Record<string, string | undefined>;

export const ADMIN = {
  username: "admin",
  password: "quiet-runway-0917",
  email: "admin@captains.example",
} as const;

/** What invoices and policies name. */
export const BUSINESS = {
  BUSINESS_NAME: "Test Aviation Counselling",
  BUSINESS_ADDRESS: "1 Test Road, Bengaluru 560001, Karnataka",
  BUSINESS_STATE: "29",
  BUSINESS_GSTIN: "29ABCDE1234F1ZW",
  BUSINESS_EMAIL: "hello@captains.example",
  BUSINESS_PHONE: "+91 98765 43210",
  GRIEVANCE_CONTACT: "Grievance Officer, grievance@captains.example",
} as const;

export function testEnvironment(port: number, databasePath: string, sandbox: Sandbox) {
  const { razorpay, mail, whatsapp, zoom } = sandboxVariables(sandbox, sandbox.credentials);
  return {
    ...razorpay,
    ...mail,
    ...whatsapp,
    ...zoom,
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
    MAIL_FROM: "Captain Sessions <bookings@captains.example>",
    WORKER_INTERVAL_MS: "250",
    // Tests move the clock, and the doctor would look at the real world.
    DOCTOR_EVERY_HOURS: "0",
    ...BUSINESS,
    RATE_LIMIT: "off",
    LOG_LEVEL: "warn",
  } satisfies Environment;
}
