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

const faultsOf = (changes: Record<string, string | undefined>) =>
  parseEnv({ ...complete, ...changes }).faults;

describe("the environment", () => {
  it("accepts a complete production", () => {
    const { env, faults, warnings } = parseEnv(complete);
    expect(faults).toEqual([]);
    expect(warnings).toEqual([]);
    expect(env.razorpay.webhookSecrets).toEqual(["new", "old"]);
    expect(env.razorpay.apiUrl).toBe("https://api.razorpay.com");
    expect([env.paymentWindowSeconds, env.holdSeconds]).toEqual([900, 1800]);
  });

  it("names each missing starred variable in a line of its own", () => {
    const { NODE_ENV, ...starred } = complete;
    const { faults } = parseEnv({ NODE_ENV });
    for (const name of Object.keys(starred)) {
      if (SAMPLES_LACK.includes(name)) continue;
      expect(
        faults.filter((fault) => fault.startsWith(`${name} `)),
        name,
      ).toHaveLength(1);
      for (const value of [undefined, "", "   "]) {
        expect(faultsOf({ [name]: value })).toEqual([expect.stringMatching(`^${name} `)]);
      }
    }
    for (const name of SAMPLES_LACK) {
      expect(faultsOf({ [name]: undefined })).toEqual([`${name} is missing`]);
      expect(faultsOf({ [name]: undefined, SAMPLE_DOCUMENTS: "1" })).toEqual([]);
    }
  });

  it("makes up no phone number and no GSTIN", () => {
    expect(parseEnv({}).env.business).toMatchObject({ phone: null, gstin: null });
  });

  it("names what is wrong", () => {
    const wrong: [Record<string, string | undefined>, string][] = [
      [{ PUBLIC_URL: "http://book.example.in" }, "PUBLIC_URL"],
      [{ PUBLIC_URL: "https://book.example.in/path" }, "PUBLIC_URL"],
      [{ PUBLIC_URL: "book" }, "PUBLIC_URL"],
      [{ SESSION_SECRET: "short" }, "SESSION_SECRET"],
      [{ SESSION_SECRET: parseEnv({}).env.sessionSecrets[0] }, "SESSION_SECRET"],
      [{ SESSION_SECRET: undefined, NODE_ENV: "development" }, "SESSION_SECRET"],
      [{ METRICS_TOKEN: "fifteen-letters" }, "METRICS_TOKEN"],
      [{ PORT: "eighty" }, "PORT"],
      [{ PORT: "70000" }, "PORT"],
      [{ RAZORPAY_KEY_ID: "key_1" }, "RAZORPAY_KEY_ID"],
      [{ SMTP_URL: "mail.example.in" }, "SMTP_URL"],
      [{ SMTP_URL: "https://mail.example.in" }, "SMTP_URL"],
      [{ BUSINESS_STATE: "99" }, "BUSINESS_STATE"],
      [{ BUSINESS_GSTIN: "27AAPFU0939F1ZX" }, "BUSINESS_GSTIN"],
      [{ HOLD_SECONDS: "10" }, "HOLD_SECONDS"],
      [{ PAYMENT_WINDOW_SECONDS: "0" }, "PAYMENT_WINDOW_SECONDS"],
      [{ RATE_LIMIT: "off" }, "RATE_LIMIT"],
      [{ RATE_LIMIT: "maybe" }, "RATE_LIMIT"],
      [{ RAZORPAY_API_URL: "https://elsewhere.example" }, "RAZORPAY_API_URL"],
      [{ RAZORPAY_CHECKOUT_URL: "https://elsewhere.example/c.js" }, "RAZORPAY_CHECKOUT_URL"],
      [
        { RAZORPAY_KEY_ID: "rzp_live_abcdefgh", RAZORPAY_API_URL: "http://127.0.0.1:9000" },
        "RAZORPAY_API_URL",
      ],
      [{ LOG_LEVEL: "loud" }, "LOG_LEVEL"],
      [{ RAZORPAY_WEBHOOK_SECRET: "," }, "RAZORPAY_WEBHOOK_SECRET"],
      [{ SMTP_URL: "smtp://" }, "SMTP_URL"],
      [{ MAIL_FROM: "@" }, "MAIL_FROM"],
      [{ MAIL_FROM: "nobody" }, "MAIL_FROM"],
      [{ BUSINESS_EMAIL: "nobody" }, "BUSINESS_EMAIL"],
      [{ BUSINESS_EMAIL: "@" }, "BUSINESS_EMAIL"],
      [{ BUSINESS_PHONE: "abc" }, "BUSINESS_PHONE"],
      [{ ADMIN_EMAIL: "nobody" }, "ADMIN_EMAIL"],
      [{ TRUSTED_PROXY_HEADER: "fly client ip" }, "TRUSTED_PROXY_HEADER"],
      [{ WHATSAPP_API_VERSION: "26" }, "WHATSAPP_API_VERSION"],
    ];
    for (const [changes, name] of wrong) {
      const faults = faultsOf(changes);
      expect(
        faults.some((fault) => fault.startsWith(`${name} `)),
        `${name}: ${faults}`,
      ).toBe(true);
    }
  });

  it("says how a % of the mail server's user or password is written", () => {
    const wrong = ["SMTP_URL must have a % of its user or password written as %25"];
    for (const name of ["user:50%off", "us%er:pass", "user:pass%", "user:%ff"]) {
      expect([name, faultsOf({ SMTP_URL: `smtps://${name}@mail.example.in` })]).toEqual([
        name,
        wrong,
      ]);
    }
    expect(faultsOf({ SMTP_URL: "smtps://us%40er:50%25off@mail.example.in" })).toEqual([]);
    expect(faultsOf({ SMTP_URL: "mail.example.in" })).toEqual([
      "SMTP_URL must be smtps://… or smtp://…",
    ]);
  });

  it("goes on with what an installation may have had before", () => {
    const had = {
      RAZORPAY_WEBHOOK_SECRET: "new,",
      BUSINESS_PHONE: "1800 123",
      BUSINESS_EMAIL: "Skies <a@example.in>",
      MAIL_FROM: '"Skies <India>" <a@example.in>',
      WHATSAPP_API_VERSION: "v26",
    };
    expect(faultsOf(had)).toEqual([]);
  });

  it("writes to the first address of BUSINESS_EMAIL, whatever stands beside it", () => {
    const emailOf = (text: string) => parseEnv({ BUSINESS_EMAIL: text }).env.business.email;
    expect(emailOf("a@example.in")).toBe("a@example.in");
    expect(emailOf('"Skies, India" <a@example.in>')).toBe("a@example.in");
    expect(emailOf("a@example.in, b@example.in")).toBe("a@example.in");
  });

  it("says both ends of a range", () => {
    expect(faultsOf({ PORT: "70000" })).toEqual(["PORT must be a number from 0 to 65535"]);
    expect(faultsOf({ BACKUP_KEEP: "0" })).toEqual(["BACKUP_KEEP must be a number of at least 1"]);
  });

  it("lists session secrets in their order, each held to the rule of one", () => {
    const [fresh, old] = ["n".repeat(32), "o".repeat(40)];
    const { env, faults } = parseEnv({ ...complete, SESSION_SECRET: ` ${fresh} , ${old}` });
    expect([faults, env.sessionSecrets]).toEqual([[], [fresh, old]]);
    const [development] = parseEnv({}).env.sessionSecrets;
    for (const list of [`${fresh},short`, `${fresh},`, ",", `${fresh},,${old}`]) {
      expect([list, faultsOf({ SESSION_SECRET: list })]).toEqual([
        list,
        ["SESSION_SECRET must have at least 32 characters, each of those listed"],
      ]);
    }
    expect(faultsOf({ SESSION_SECRET: `${fresh},${development}` })).toEqual([
      "SESSION_SECRET must be a random one of your own",
    ]);
  });

  it("takes copies off the machine whole or not at all, and names every wrong value", () => {
    const whole: Record<string, string> = {
      BACKUP_S3_ENDPOINT: "https://store.example.in",
      BACKUP_S3_BUCKET: "copies",
      BACKUP_S3_REGION: "auto",
      BACKUP_S3_ACCESS_KEY_ID: "key",
      BACKUP_S3_SECRET_ACCESS_KEY: "secret",
      BACKUP_ENCRYPTION_KEY: Buffer.alloc(32, 7).toString("base64"),
    };
    const named = (changes: Record<string, string>) =>
      faultsOf({ ...whole, ...changes }).map((fault) => fault.split(" ")[0]);
    expect(named({})).toEqual([]);
    for (const name of Object.keys(whole)) expect(named({ [name]: "" })).toEqual([name]);
    const [endpoint, ...rest] = Object.keys(whole);
    expect(faultsOf({ [endpoint!]: whole[endpoint!] }).map((fault) => fault.split(" ")[0])).toEqual(
      rest,
    );
    const wrong = {
      BACKUP_S3_ENDPOINT: "http://store.example.in",
      BACKUP_S3_BUCKET: "No Bucket",
      BACKUP_ENCRYPTION_KEY: Buffer.alloc(31, 7).toString("base64"),
      BACKUP_S3_EVERY_HOURS: "never",
    };
    expect(named(wrong).sort()).toEqual(Object.keys(wrong).sort());
    expect(faultsOf({ ...whole, BACKUP_ENCRYPTION_KEY: "c2hvcnQ=" })).toEqual([
      expect.stringMatching(/^BACKUP_ENCRYPTION_KEY must be 32 bytes in base64/),
    ]);
    // A prefix alone asks for no copies.
    expect(faultsOf({ BACKUP_S3_PREFIX: "x" })).toEqual([]);
  });

  it("takes WhatsApp whole or not at all", () => {
    expect(parseEnv(complete).env.whatsapp).toBeNull();
    const faults = faultsOf({ WHATSAPP_TOKEN: "t", WHATSAPP_APP_SECRET: "s" });
    expect(faults.map((fault) => fault.split(" ")[0]).sort()).toEqual([
      "WHATSAPP_PHONE_NUMBER_ID",
      "WHATSAPP_VERIFY_TOKEN",
    ]);
  });

  it("sends WhatsApp messages by https alone, but to this machine", () => {
    const group = {
      WHATSAPP_PHONE_NUMBER_ID: "1",
      WHATSAPP_TOKEN: "t",
      WHATSAPP_APP_SECRET: "s",
      WHATSAPP_VERIFY_TOKEN: "v",
    };
    const faults = (url: string) => faultsOf({ ...group, WHATSAPP_API_URL: url });
    expect(faults("http://graph.example.in")).toEqual([
      "WHATSAPP_API_URL must be https (http only on loopback)",
    ]);
    expect(faults("https://graph.example.in")).toEqual([]);
    expect(faults("http://127.0.0.1:9000")).toEqual([]);
  });

  it("takes short tokens and the secret of development on this machine alone", () => {
    expect(faultsOf({ METRICS_TOKEN: "sixteen-letters-" })).toEqual([]);
    const local = { PUBLIC_URL: "http://127.0.0.1:3000", METRICS_TOKEN: "short" };
    expect(parseEnv(local).faults).toEqual([]);
  });

  it("only warns of a small gap between window and hold", () => {
    const { faults, warnings } = parseEnv({ ...complete, HOLD_SECONDS: "901" });
    expect(faults).toEqual([]);
    expect(warnings).toHaveLength(1);
  });

  it("lets another provider stand on loopback with a test key, also behind a public address", () => {
    expect(faultsOf({ RAZORPAY_API_URL: "http://127.0.0.1:9000" })).toEqual([]);
  });
});
