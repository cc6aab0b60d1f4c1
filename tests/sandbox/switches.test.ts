import nodemailer from "nodemailer";
import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { type Sandbox, startSandbox } from "#scripts/sandbox/sandbox.ts";
import { SWITCH_CATALOGUE } from "#scripts/sandbox/switch-catalogue.ts";
import type { SwitchSetting } from "#scripts/sandbox/switches.ts";
import { admin } from "./client.ts";
import { type Receiver, startReceiver } from "./receiver.ts";

let sandbox: Sandbox;
let receiver: Receiver;

beforeAll(async () => {
  receiver = await startReceiver();
  sandbox = await startSandbox({ whatsappAuto: "delivered" });
});
afterAll(() => Promise.all([sandbox.close(), receiver.close()]));
beforeEach(() => {
  sandbox.reset();
  receiver.received.length = 0;
});

const newOrder = () =>
  sandbox.ledger.createOrder({ amount: 5000, currency: "INR", receipt: null, notes: [] });

function api(method: string, path: string, body?: unknown) {
  const { keyId, keySecret } = sandbox.credentials;
  return fetch(`${sandbox.origin}${path}`, {
    method,
    headers: {
      Authorization: `Basic ${Buffer.from(`${keyId}:${keySecret}`).toString("base64")}`,
      "Content-Type": "application/json",
    },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  });
}

const createOrder = () => api("POST", "/v1/orders", { amount: 5000, currency: "INR" });

describe("API", () => {
  test.each<[SwitchSetting, number, string | RegExp]>([
    [{ name: "api_html_error", value: 503 }, 503, /<h1>503/],
    [{ name: "api_json_error" }, 500, /SERVER_ERROR/],
    [{ name: "api_429" }, 429, /BAD_REQUEST_ERROR/],
    [{ name: "api_empty" }, 200, ""],
    [{ name: "api_null" }, 200, "null"],
    [{ name: "api_401" }, 401, /Authentication failed/],
  ])("%j keeps the work from being done, once", async (setting, status, body) => {
    await admin(sandbox, "POST", "switches", { ...setting, count: 1 });
    const answer = await createOrder();
    expect(answer.status).toBe(status);
    expect(await answer.text()).toMatch(body === "" ? /^$/ : body);
    expect(sandbox.ledger.orders.size).toBe(0);
    expect((await createOrder()).status).toBe(200);
    expect(sandbox.switches.fired(setting.name)).toBe(1);
  });

  test("429 with Retry-After", async () => {
    sandbox.switches.set({ name: "api_429_retry_after", value: 7, count: 1 });
    expect((await createOrder()).headers.get("retry-after")).toBe("7");
  });

  test.each<SwitchSetting>([{ name: "api_reset" }, { name: "api_hang", value: 0.05 }])(
    "%j cuts the connection before the work",
    async (setting) => {
      sandbox.switches.set({ ...setting, count: 1 });
      await expect(createOrder()).rejects.toThrow();
      expect(sandbox.ledger.orders.size).toBe(0);
    },
  );

  test.each<SwitchSetting>([
    { name: "order_answer_lost" },
    { name: "order_answer_lost", value: 0.05 },
    { name: "answer_lost", match: "POST /v1/orders" },
  ])("%j: the order is made, the answer lost", async (setting) => {
    sandbox.switches.set({ ...setting, count: 1 });
    await expect(createOrder()).rejects.toThrow();
    expect(sandbox.ledger.orders.size).toBe(1);
  });

  test("the answer lost behind an error page", async () => {
    sandbox.switches.set({ name: "order_answer_lost", value: 500, count: 1 });
    expect((await createOrder()).status).toBe(500);
    expect(sandbox.ledger.orders.size).toBe(1);
  });

  test("slow, skip and match", async () => {
    sandbox.switches.set({ name: "api_slow", value: 60, skip: 1, match: "^POST /v1/orders$" });
    await createOrder();
    await api("GET", "/v1/orders");
    const began = performance.now();
    await createOrder();
    expect(performance.now() - began).toBeGreaterThan(50);
    expect(sandbox.switches.fired("api_slow")).toBe(1);
  });
});

describe("payments", () => {
  test("stays authorised, is captured late, fails first, another amount, twice", async () => {
    const paid = (setting: SwitchSetting) => {
      const order = newOrder();
      sandbox.switches.set({ ...setting, count: 1 });
      const { payment } = sandbox.pay(order.id);
      return { order, payment, now: () => sandbox.ledger.payments.get(payment.id)?.status };
    };
    expect(paid({ name: "payment_stays_authorized" }).payment.status).toBe("authorized");
    const late = paid({ name: "payment_captured_late", value: 60 });
    expect(late.payment.status).toBe("authorized");
    const first = paid({ name: "payment_failed_then_captured", value: 60 });
    expect(first.payment.status).toBe("failed");
    sandbox.clock.advance(61);
    await expect.poll(late.now).toBe("captured");
    await expect.poll(first.now).toBe("captured");
    expect(paid({ name: "payment_fails_first" }).payment.error_reason).toBe("payment_failed");
    const other = paid({ name: "payment_other_amount", value: 200 });
    expect(other.payment).toMatchObject({ status: "captured", amount: 200 });
    expect(other.order).toMatchObject({ status: "attempted", amount_due: 4800 });
    const twice = paid({ name: "payment_twice" });
    expect(sandbox.ledger.paymentsOf(twice.order.id)).toHaveLength(2);
  });
});

describe("browser", () => {
  test.each([
    ["checkout_js_404", 404],
    ["checkout_js_500", 500],
  ] as const)("%s", async (name, status) => {
    sandbox.switches.set({ name, count: 1 });
    expect((await fetch(sandbox.checkoutUrl)).status).toBe(status);
    expect((await fetch(sandbox.checkoutUrl)).status).toBe(200);
  });

  test("the script hangs", async () => {
    sandbox.switches.set({ name: "checkout_js_hang", value: 0.05, count: 1 });
    await expect(fetch(sandbox.checkoutUrl)).rejects.toThrow();
  });

  async function pressPay() {
    const order = newOrder();
    const post = (path: string, fields: Record<string, string>) =>
      fetch(sandbox.origin + path, { method: "POST", body: new URLSearchParams(fields) });
    const page = await post("/v1/checkout/embedded", {
      key_id: sandbox.credentials.keyId,
      order_id: order.id,
      name: "Captain",
      "prefill[email]": "a@example.com",
      "prefill[contact]": "+919876543210",
      callback_url: `${receiver.origin}/payments/callback`,
    });
    const session = /name="session" value="([^"]+)"/.exec(await page.text())?.[1] ?? "";
    return (await post("/v1/checkout/pay", { session, action: "pay" })).text();
  }

  test("callback lost, posted twice, wrongly signed", async () => {
    sandbox.switches.set({ name: "callback_lost", count: 1 });
    expect(await pressPay()).not.toContain("razorpay_signature");
    sandbox.switches.set({ name: "callback_twice", count: 1 });
    expect(await pressPay()).toContain("razorpay_signature");
    expect(receiver.received).toHaveLength(1);
    expect(receiver.received[0]?.raw.toString()).toContain("razorpay_payment_id=pay_");
    sandbox.switches.set({ name: "callback_wrong_signature", count: 1 });
    expect(await pressPay()).toContain("0".repeat(64));
  });
});

describe("mail and WhatsApp", () => {
  test("a mail without an answer", async () => {
    sandbox.switches.set({ name: "smtp_hang", value: 5, count: 1 });
    const transport = nodemailer.createTransport({ url: sandbox.smtpUrl, socketTimeout: 100 });
    await expect(
      transport.sendMail({ from: "a@example.com", to: "b@example.com", text: "x" }),
    ).rejects.toThrow();
    transport.close();
    expect(sandbox.mailbox.list()).toEqual([]);
  });

  function message() {
    const { whatsappPhoneNumberId, whatsappToken } = sandbox.credentials;
    return fetch(`${sandbox.origin}/v26.0/${whatsappPhoneNumberId}/messages`, {
      method: "POST",
      headers: { Authorization: `Bearer ${whatsappToken}` },
      body: JSON.stringify({
        messaging_product: "whatsapp",
        to: "+919876543210",
        type: "template",
        template: { name: "reminder", language: { code: "en" } },
      }),
    });
  }

  test("an error page, no answer, an answer lost after acceptance, states twice", async () => {
    sandbox.switches.set({ name: "whatsapp_html_error", count: 1 });
    expect((await message()).status).toBe(502);
    sandbox.switches.set({ name: "whatsapp_hang", value: 0.05, count: 1 });
    await expect(message()).rejects.toThrow();
    expect(sandbox.whatsapp.messages).toHaveLength(0);
    sandbox.switches.set({ name: "whatsapp_answer_lost", count: 1 });
    await expect(message()).rejects.toThrow();
    expect(sandbox.whatsapp.messages).toHaveLength(1);
    sandbox.setWhatsappWebhookUrl(`${receiver.origin}/webhooks/whatsapp`);
    sandbox.switches.set({ name: "whatsapp_duplicate_status", count: 1 });
    sandbox.clock.advance(1);
    await receiver.until(3);
    expect(receiver.received).toHaveLength(3);
    expect(sandbox.whatsapp.messages[0]?.state).toBe("delivered");
  });
});

test("every switch is listed with its meaning, and the console shows it", async () => {
  const { body } = await admin<{ catalogue: Record<string, { effect: string }> }>(
    sandbox,
    "GET",
    "switches",
  );
  expect(Object.keys(body.catalogue)).toEqual(Object.keys(SWITCH_CATALOGUE));
  const page = await (await fetch(`${sandbox.origin}/console/switches`)).text();
  for (const name of Object.keys(SWITCH_CATALOGUE)) expect(page).toContain(name);
});
