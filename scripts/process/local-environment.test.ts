import { describe, expect, test } from "vitest";
import { parseEnv } from "#app/core/env.server.ts";
import { fillEnvironment, sandboxedServices, sandboxOptions } from "./local-environment.ts";
import { describeLocalRun } from "./local-run.ts";

const LOCAL = {
  port: 3000,
  adminPassword: "made-for-this-machine",
  sessionSecret: "made-for-this-machine-with-32-characters",
  databasePath: "data/demo.db",
  sandbox: {
    console: "http://127.0.0.1:4000/",
    razorpayApiUrl: "http://127.0.0.1:4000",
    checkoutUrl: "http://127.0.0.1:4000/v1/checkout.js",
    smtpUrl: "smtp://127.0.0.1:4001",
    whatsappUrl: "http://127.0.0.1:4000",
    zoomUrl: "http://127.0.0.1:4000/zoom",
  },
};

describe("an empty environment", () => {
  const filled = fillEnvironment({ NODE_ENV: "production" }, LOCAL);

  test("is filled so that a production start finds no fault", () => {
    expect(parseEnv(filled).faults).toEqual([]);
  });

  test("makes documents samples and reaches only this machine", () => {
    expect(filled).toMatchObject({
      SAMPLE_DOCUMENTS: "1",
      PUBLIC_URL: "http://127.0.0.1:3000",
      RAZORPAY_API_URL: "http://127.0.0.1:4000",
      SMTP_URL: "smtp://127.0.0.1:4001",
      WHATSAPP_API_URL: "http://127.0.0.1:4000",
      ZOOM_API_URL: "http://127.0.0.1:4000/zoom/v2",
    });
    expect(filled.BUSINESS_GSTIN).toBeUndefined();
    expect(filled.BUSINESS_PHONE).toBeUndefined();
  });
});

test("what is set stays, blank counts as unset", () => {
  const source = { BUSINESS_NAME: "Own Name", ADMIN_USERNAME: " ", SAMPLE_DOCUMENTS: "0" };
  expect(fillEnvironment(source, LOCAL)).toMatchObject({
    BUSINESS_NAME: "Own Name",
    ADMIN_USERNAME: "admin",
    SAMPLE_DOCUMENTS: "0",
  });
});

test("a supplier that is set whole is no sample, and its state is its GSTIN's", () => {
  const supplier = {
    BUSINESS_NAME: "Own Name",
    BUSINESS_ADDRESS: "Own address",
    BUSINESS_STATE: "33",
    BUSINESS_GSTIN: "33ABCDE1234F1Z5",
    BUSINESS_EMAIL: "own@example.in",
    BUSINESS_PHONE: "+91 98765 43210",
    GRIEVANCE_CONTACT: "own@example.in",
  };
  expect(fillEnvironment(supplier, LOCAL).SAMPLE_DOCUMENTS).toBeUndefined();
  const { BUSINESS_STATE: _, ...stateless } = supplier;
  expect(fillEnvironment(stateless, LOCAL).BUSINESS_STATE).toBe("33");
});

describe("an outside service", () => {
  test("that is configured, wholly or half, is not the sandbox's", () => {
    expect(sandboxedServices({ RAZORPAY_KEY_ID: "rzp_live_1", SMTP_URL: "smtps://relay" })).toEqual(
      {
        razorpay: false,
        mail: false,
        whatsapp: true,
        zoom: true,
      },
    );
    const filled = fillEnvironment({ RAZORPAY_KEY_ID: "rzp_live_1" }, LOCAL);
    expect(filled.RAZORPAY_KEY_SECRET).toBeUndefined();
    expect(filled.RAZORPAY_API_URL).toBeUndefined();
  });

  test("gets a sender address only if the mail stays on this machine", () => {
    expect(fillEnvironment({ SMTP_URL: "smtps://relay.example" }, LOCAL).MAIL_FROM).toBeUndefined();
    expect(fillEnvironment({ SMTP_URL: "smtp://127.0.0.1:25" }, LOCAL).MAIL_FROM).toContain("@");
  });
});

describe("the sandbox", () => {
  test("gets no real credential, and calls no app that has one", () => {
    const source = { RAZORPAY_KEY_ID: "rzp_live_1", RAZORPAY_WEBHOOK_SECRET: "real" };
    const options = sandboxOptions(source, 3000);
    expect(JSON.stringify(options)).not.toContain("real");
    expect(options.webhookUrl).toBeUndefined();
    expect(options.whatsappWebhookUrl).toBe("http://127.0.0.1:3000/webhooks/whatsapp");
  });

  test("signs with a webhook secret that is set alone", () => {
    expect(sandboxOptions({ RAZORPAY_WEBHOOK_SECRET: "mine, old" }, 3000)).toMatchObject({
      webhookSecrets: ["mine", "old"],
      webhookUrl: "http://127.0.0.1:3000/webhooks/razorpay",
    });
  });
});

test("a start names all that the sandbox stands for, and says of money only what is so", () => {
  const { port, sandbox } = LOCAL;
  const said = (env: Record<string, string>) =>
    describeLocalRun({ env, port, sandbox, services: sandboxedServices(env) });
  expect(said({})).toContain("(stands for payments, mail, WhatsApp, Zoom; no money moves)");
  const own = { RAZORPAY_KEY_ID: "rzp_live_x", SMTP_URL: "smtps://relay", WHATSAPP_TOKEN: "x" };
  expect(said(own)).toContain("(stands for Zoom)");
});
