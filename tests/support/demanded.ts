/** Changes to the environment of tests that leave only the demanded variables and the sandbox's addresses. */
import { type Environment, testEnvironment } from "#tests/helpers/environment.ts";

/** The first table of `docs/operations.md`, without the groups that may be left out. */
const DEMANDED =
  /^(NODE_ENV|HOST|PORT|PUBLIC_URL|DATABASE_PATH|BACKUP_DIR|SESSION_SECRET|ADMIN_\w+|RAZORPAY_\w+|SMTP_URL|MAIL_FROM|BUSINESS_\w+|GRIEVANCE_CONTACT)$/;

const NO_SANDBOX = { credentials: {} } as Parameters<typeof testEnvironment>[2];

export const DEMANDED_ALONE: Environment = Object.fromEntries(
  Object.keys(testEnvironment(0, "", NO_SANDBOX))
    .filter((name) => !DEMANDED.test(name))
    .map((name) => [name, undefined]),
);
