import { describe, expect, it } from "vitest";
import { parseEnv } from "./env.server.ts";

const complete: Record<string, string> = {
  NODE_ENV: "production",
  PUBLIC_URL: "https://book.example.in",
  SESSION_SECRET: "s".repeat(32),
  RAZORPAY_KEY_ID: "rzp_test_abcdefgh",
  RAZORPAY_KEY_SECRET: "secret",
  RAZORPAY_WEBHOOK_SECRET: "new, old",
  SMTP_URL: "smtps://user:pass@mail.example.in",
  MAIL_FROM: "Captain <bookings@example.in>",
  BUSINESS_NAME: "Name",
  BUSINESS_ADDRESS: "Address",
  BUSINESS_STATE: "27",
  BUSINESS_GSTIN: "27AAPFU0939F1ZV",
  BUSINESS_EMAIL: "hello@example.in",
  BUSINESS_PHONE: "+91 98765 43210",
  GRIEVANCE_CONTACT: "Officer, officer@example.in",
};

/** What a start with sample documents may do without. */
const SAMPLES_LACK = ["BUSINESS_GSTIN", "BUSINESS_PHONE"];

type Changes = Record<string, string | undefined>;

const faultsOf = (changes: Changes) => parseEnv({ ...complete, ...changes }).faults;

const development = parseEnv({}).env.sessionSecrets[0];
const [fresh, old] = ["n".repeat(32), "o".repeat(40)];
const COPIES: Record<string, string> = {
  BACKUP_S3_ENDPOINT: "https://store.example.in",
  BACKUP_S3_BUCKET: "copies",
  BACKUP_S3_REGION: "auto",
  BACKUP_S3_ACCESS_KEY_ID: "key",
  BACKUP_S3_SECRET_ACCESS_KEY: "secret",
  BACKUP_ENCRYPTION_KEY: Buffer.alloc(32, 7).toString("base64"),
};
const WHATSAPP = { WHATSAPP_TOKEN: "t", WHATSAPP_APP_SECRET: "s" };
const WHOLE = { ...WHATSAPP, WHATSAPP_PHONE_NUMBER_ID: "1", WHATSAPP_VERIFY_TOKEN: "v" };

const CHANGES: Changes[] = [
  {},
  ...Object.keys(complete).map((name) => ({ [name]: undefined })),
  ...["Production", "prod", " "].map((mode) => ({ NODE_ENV: mode, SMTP_URL: undefined })),
  ...SAMPLES_LACK.map((name) => ({ [name]: undefined, SAMPLE_DOCUMENTS: "1" })),
  { PUBLIC_URL: "http://book.example.in" },
  { PUBLIC_URL: "https://book.example.in/path" },
  { PUBLIC_URL: "book" },
  { SESSION_SECRET: "short" },
  { SESSION_SECRET: development },
  { SESSION_SECRET: undefined, NODE_ENV: "development" },
  ...[`${fresh},short`, `${fresh},`, ",", `${fresh},,${old}`, `${fresh},${development}`].map(
    (list) => ({ SESSION_SECRET: list }),
  ),
  { METRICS_TOKEN: "fifteen-letters" },
  { METRICS_TOKEN: "sixteen-letters-" },
  { PORT: "eighty" },
  { PORT: "70000" },
  { RAZORPAY_KEY_ID: "key_1" },
  { RAZORPAY_API_URL: "https://elsewhere.example" },
  { RAZORPAY_CHECKOUT_URL: "https://elsewhere.example/c.js" },
  { RAZORPAY_KEY_ID: "rzp_live_abcdefgh", RAZORPAY_API_URL: "http://127.0.0.1:9000" },
  // Another provider may stand on loopback with a test key; a key at fault has one line of its own.
  ...["rzp_test_abcdefgh", "key_1", ""].map((key) => ({
    RAZORPAY_KEY_ID: key,
    RAZORPAY_API_URL: "http://127.0.0.1:9000",
    RAZORPAY_CHECKOUT_URL: "http://127.0.0.1:9000/v1/checkout.js",
  })),
  {
    NODE_ENV: "development",
    RAZORPAY_KEY_ID: "",
    RAZORPAY_API_URL: "http://127.0.0.1:9000",
  },
  { RAZORPAY_WEBHOOK_SECRET: "," },
  { SMTP_URL: "mail.example.in" },
  { SMTP_URL: "https://mail.example.in" },
  { SMTP_URL: "smtp://" },
  ...["user:50%off", "us%er:pass", "user:pass%", "user:%ff", "us%40er:50%25off"].map((user) => ({
    SMTP_URL: `smtps://${user}@mail.example.in`,
  })),
  // What stands before these is read as the host, or as a port.
  ...["user:12/3", "user:p@ss/", "user:1#2", "user:1?2", "user:pa/ss", "user:p%2F%23%3F"].map(
    (user) => ({ SMTP_URL: `smtps://${user}@mail.example.in/` }),
  ),
  { MAIL_FROM: "@" },
  { MAIL_FROM: "nobody" },
  ...[
    '"Captain <a@example.in>"',
    "a@example.in, b@example.in",
    "a@example.in, B <b@example.in>",
    "Asha & Co b@example.in",
  ].map((text) => ({ MAIL_FROM: text, BUSINESS_EMAIL: text })),
  { BUSINESS_STATE: "99" },
  { BUSINESS_GSTIN: "27AAPFU0939F1ZX" },
  { BUSINESS_EMAIL: "nobody" },
  { BUSINESS_EMAIL: "@" },
  { BUSINESS_PHONE: "abc" },
  { ADMIN_EMAIL: "nobody" },
  { RESET_EMAIL_DEFAULT: "nobody" },
  { HOLD_SECONDS: "10" },
  { HOLD_SECONDS: "901" },
  { PAYMENT_WINDOW_SECONDS: "0" },
  { BACKUP_KEEP: "0" },
  { RATE_LIMIT: "off" },
  { RATE_LIMIT: "maybe" },
  { LOG_LEVEL: "loud" },
  { TRUSTED_PROXY_HEADER: "fly client ip" },
  { WHATSAPP_API_VERSION: "26" },
  ...["en", "en_IN", "fil", "english", "en-IN", "EN"].map((code) => ({ WHATSAPP_LANGUAGE: code })),
  ...["captains_", "Our-", "a b"].map((prefix) => ({ WHATSAPP_TEMPLATE_PREFIX: prefix })),
  ...["100000000000001", "+91 98", "1/x"].map((id) => ({ ...WHOLE, WHATSAPP_PHONE_NUMBER_ID: id })),
  WHATSAPP,
  ...["http://graph.example.in", "https://graph.example.in", "http://127.0.0.1:9000"].map(
    (url) => ({ ...WHOLE, WHATSAPP_API_URL: url }),
  ),
  COPIES,
  ...Object.keys(COPIES).map((name) => ({ ...COPIES, [name]: "" })),
  { BACKUP_S3_ENDPOINT: COPIES.BACKUP_S3_ENDPOINT },
  // A prefix alone asks for no copies.
  { BACKUP_S3_PREFIX: "x" },
  {
    ...COPIES,
    BACKUP_S3_ENDPOINT: "http://store.example.in",
    BACKUP_S3_BUCKET: "No Bucket",
    BACKUP_ENCRYPTION_KEY: Buffer.alloc(31, 7).toString("base64"),
    BACKUP_S3_EVERY_HOURS: "never",
  },
  // What an installation may have had before.
  {
    RAZORPAY_WEBHOOK_SECRET: "new,",
    BUSINESS_PHONE: "1800 123",
    BUSINESS_EMAIL: "Skies <a@example.in>",
    MAIL_FROM: '"Skies <India>" <a@example.in>',
    WHATSAPP_API_VERSION: "v26",
  },
];

describe("the environment", () => {
  it("of a production changed so has these faults", async () => {
    const lines = CHANGES.flatMap((changes) => {
      const { faults, warnings } = parseEnv({ ...complete, ...changes });
      const names = Object.entries(changes).map(([name, value]) => `${name}=${value ?? ""}`);
      return [
        names.join(" ") || "complete",
        ...faults.map((fault) => `  ${fault}`),
        ...warnings.map((warning) => `  warning: ${warning}`),
      ];
    });
    await expect(`${lines.join("\n")}\n`).toMatchFileSnapshot("golden-faults.txt");
  });

  it("names all that is missing, each in a line of its own, and blank is missing", () => {
    const { NODE_ENV, ...starred } = complete;
    const missing = Object.keys(starred).filter((name) => !SAMPLES_LACK.includes(name));
    const { faults } = parseEnv({ NODE_ENV });
    for (const name of missing) {
      expect(faults.filter((fault) => fault.startsWith(`${name} `))).toHaveLength(1);
      expect(faultsOf({ [name]: "   " })).toEqual(faultsOf({ [name]: undefined }));
    }
  });

  it("of a complete production is read", () => {
    const { env } = parseEnv(complete);
    expect(env.razorpay.webhookSecrets).toEqual(["new", "old"]);
    expect(env.razorpay.apiUrl).toBe("https://api.razorpay.com");
    expect([env.paymentWindowSeconds, env.holdSeconds]).toEqual([900, 1800]);
    expect(env.whatsapp).toBeNull();
  });

  it("makes up no phone number and no GSTIN", () => {
    expect(parseEnv({}).env.business).toMatchObject({ phone: null, gstin: null });
  });

  it("writes to the address of BUSINESS_EMAIL, whatever name stands beside it", () => {
    const emailOf = (text: string) => parseEnv({ BUSINESS_EMAIL: text }).env.business.email;
    expect(emailOf("a@example.in")).toBe("a@example.in");
    expect(emailOf('"Skies, India" <a@example.in>')).toBe("a@example.in");
    expect(emailOf('"b@example.in" <a@example.in>')).toBe("a@example.in");
  });

  it("lists session secrets in their order", () => {
    const { env, faults } = parseEnv({ ...complete, SESSION_SECRET: ` ${fresh} , ${old}` });
    expect([faults, env.sessionSecrets]).toEqual([[], [fresh, old]]);
  });

  it("takes short tokens and the secret of development on this machine alone", () => {
    const local = { PUBLIC_URL: "http://127.0.0.1:3000", METRICS_TOKEN: "short" };
    expect(parseEnv(local).faults).toEqual([]);
  });
});
