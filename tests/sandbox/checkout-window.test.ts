import { existsSync } from "node:fs";
import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { type Browser, chromium, type FrameLocator, type Page } from "@playwright/test";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { type Sandbox, startSandbox } from "#scripts/sandbox/sandbox.ts";
import { checkoutSignature } from "#scripts/sandbox/signature.ts";

/** The browser of the test command, else one in a usual place; without one these tests are skipped. */
const executable = [process.env.CHROMIUM_PATH, "/usr/bin/chromium", "/usr/bin/google-chrome"].find(
  (path) => path && existsSync(path),
);

interface Told {
  handled: Record<string, string>[];
  dismissed: number;
  failed: { error: { reason: string; metadata: { order_id: string } } }[];
  submitted: { method: string }[];
}

const PAGE_SCRIPT = `
window.told = { handled: [], dismissed: 0, failed: [], submitted: [] };
window.openCheckout = (options) => {
  const { withHandler, ...rest } = options;
  const modal = { ...(rest.modal || {}), ondismiss: () => { window.told.dismissed += 1; } };
  const handler = withHandler ? { handler: (answer) => window.told.handled.push(answer) } : {};
  const checkout = new window.Razorpay({ ...rest, ...handler, modal });
  checkout.on("payment.failed", (answer) => window.told.failed.push(answer));
  checkout.on("payment.submit", (answer) => window.told.submitted.push(answer));
  checkout.open();
};
`;

describe.skipIf(!executable)("the payment window in a browser", () => {
  let sandbox: Sandbox;
  let host: Server;
  let shop: string;
  let browser: Browser;
  let page: Page;
  const problems: string[] = [];
  const posts: URLSearchParams[] = [];

  beforeAll(async () => {
    sandbox = await startSandbox();
    host = createServer(async (request, response) => {
      if (request.url === "/page.js") {
        response.setHeader("Content-Type", "text/javascript");
        response.end(PAGE_SCRIPT);
        return;
      }
      if (request.method === "POST") {
        let body = "";
        for await (const chunk of request) body += chunk;
        posts.push(new URLSearchParams(body));
      }
      response.setHeader("Content-Type", "text/html");
      response.setHeader(
        "Content-Security-Policy",
        `default-src 'none'; script-src 'self' ${sandbox.origin}; frame-src ${sandbox.origin}; form-action 'self' ${sandbox.origin}; img-src data:`,
      );
      response.end(
        `<!doctype html><link rel="icon" href="data:,"><title>Shop</title><body><button>Shop</button><script src="/page.js"></script><script src="${sandbox.origin}/v1/checkout.js"></script>`,
      );
    });
    await new Promise<void>((resolve) => host.listen(0, "127.0.0.1", resolve));
    shop = `http://127.0.0.1:${(host.address() as AddressInfo).port}`;
    browser = await chromium.launch({ executablePath: executable ?? "", args: ["--no-sandbox"] });
    page = await browser.newPage();
    page.on("console", (message) => {
      if (message.type() === "error") problems.push(message.text());
    });
    page.on("pageerror", (error) => problems.push(error.message));
  });
  afterAll(async () => {
    await browser?.close();
    host?.closeAllConnections();
    host?.close();
    await sandbox?.close();
  });

  const told = () => page.evaluate(() => (window as unknown as { told: Told }).told);

  async function open(options: Record<string, unknown> = {}) {
    const order = sandbox.ledger.createOrder({
      amount: 117900,
      currency: "INR",
      receipt: null,
      notes: [],
    });
    await page.goto(shop);
    await page.evaluate(
      (given) =>
        (window as unknown as { openCheckout(options: unknown): void }).openCheckout(given),
      {
        key: sandbox.credentials.keyId,
        amount: 117900,
        currency: "INR",
        name: "Captain",
        order_id: order.id,
        withHandler: true,
        prefill: { email: "a@example.com", contact: "+919876543210" },
        ...options,
      },
    );
    const frame: FrameLocator = page.frameLocator('iframe[title="Payment window (sandbox)"]');
    const press = (name: string) => frame.getByRole("button", { name, exact: true }).click();
    return { order, frame, press };
  }

  test("pays: the handler gets a proof, the window closes", async () => {
    const { order, press } = await open();
    await press("Pay now");
    await expect.poll(async () => (await told()).handled.length).toBe(1);
    const { handled, submitted, dismissed } = await told();
    const proof = handled[0] ?? {};
    expect(proof.razorpay_order_id).toBe(order.id);
    expect(proof.razorpay_signature).toBe(
      checkoutSignature(sandbox.credentials.keySecret, order.id, proof.razorpay_payment_id ?? ""),
    );
    expect(submitted).toEqual([{ method: "card" }]);
    expect(dismissed).toBe(0);
    expect(await page.locator("iframe").count()).toBe(0);
  });

  test("fails, stays open, is tried again", async () => {
    const { order, frame, press } = await open();
    await press("Fail payment");
    await expect.poll(async () => (await told()).failed.length).toBe(1);
    expect((await told()).failed[0]?.error).toMatchObject({
      reason: "payment_failed",
      metadata: { order_id: order.id },
    });
    await frame.getByText("Payment failed").waitFor();
    await press("Pay now");
    await expect.poll(async () => (await told()).handled.length).toBe(1);
    expect(sandbox.ledger.orders.get(order.id)).toMatchObject({ status: "paid", attempts: 2 });
  });

  test("cancel and Escape dismiss; retry off dismisses after a failure", async () => {
    const first = await open();
    await first.press("Cancel");
    await expect.poll(async () => (await told()).dismissed).toBe(1);
    const second = await open();
    // Alive once its buttons are; a press of a key does not wait for that.
    await second.frame.getByRole("button", { name: "Pay now", disabled: false }).press("Escape");
    await expect.poll(async () => (await told()).dismissed).toBe(1);
    const third = await open({ retry: { enabled: false } });
    await third.press("Fail payment");
    await expect.poll(async () => (await told()).dismissed).toBe(1);
    expect((await told()).failed).toHaveLength(1);
  });

  test("the timeout closes the window", async () => {
    await open({ timeout: 0.2 });
    await expect.poll(async () => (await told()).dismissed).toBe(1);
  });

  test("lost callback: paid, and the page hears nothing", async () => {
    const { order, frame } = await open();
    await frame.getByText("More outcomes").click();
    await frame.getByRole("button", { name: "Pay, lose the callback" }).click();
    await frame.getByText("The shop is told nothing").waitFor();
    expect((await told()).handled).toEqual([]);
    expect(sandbox.ledger.orders.get(order.id)?.status).toBe("paid");
  });

  test("callback_url and redirect: success and failure are posted by the page", async () => {
    const callback = { withHandler: false, callback_url: `${shop}/callback`, redirect: true };
    const first = await open(callback);
    await first.press("Pay now");
    await page.waitForURL("**/callback");
    expect(posts.at(-1)?.get("razorpay_order_id")).toBe(first.order.id);
    const second = await open(callback);
    await second.press("Fail payment");
    await page.waitForURL("**/callback");
    expect(posts.at(-1)?.get("error[reason]")).toBe("payment_failed");
    expect(JSON.parse(posts.at(-1)?.get("error[metadata]") ?? "{}").order_id).toBe(second.order.id);
  });

  test("wrong options throw, a wrong amount is told in the window", async () => {
    await page.goto(shop);
    const thrown = await page.evaluate(() => {
      try {
        const { Razorpay } = window as unknown as { Razorpay: new (options: unknown) => unknown };
        return String(new Razorpay({ amount: 100 }));
      } catch (error) {
        return String(error);
      }
    });
    expect(thrown).toContain("No key passed");
    const { frame, press } = await open({ amount: 100 });
    await frame.getByText("Your payment amount is different").waitFor();
    await press("Cancel");
    await expect.poll(async () => (await told()).dismissed).toBe(1);
  });

  test("hosted form without JavaScript: two presses", async () => {
    const context = await browser.newContext({ javaScriptEnabled: false });
    const plain = await context.newPage();
    const order = sandbox.ledger.createOrder({
      amount: 117900,
      currency: "INR",
      receipt: null,
      notes: [],
    });
    const fields = {
      key_id: sandbox.credentials.keyId,
      order_id: order.id,
      name: "Captain",
      "prefill[email]": "a@example.com",
      "prefill[contact]": "+919876543210",
      callback_url: `${shop}/callback?booking=abc`,
    };
    const inputs = Object.entries(fields)
      .map(([name, value]) => `<input type="hidden" name="${name}" value="${value}">`)
      .join("");
    await plain.setContent(
      `<form method="post" action="${sandbox.origin}/v1/checkout/embedded">${inputs}<button>Pay</button></form>`,
    );
    await plain.getByRole("button", { name: "Pay" }).click();
    await plain.getByRole("button", { name: "Pay now" }).click();
    await plain.getByRole("button", { name: "Return to merchant" }).click();
    await plain.waitForURL("**/callback?booking=abc");
    expect(posts.at(-1)?.get("razorpay_order_id")).toBe(order.id);
    await context.close();
  });

  test("the strict policy of the page was never broken", () => {
    expect(problems).toEqual([]);
  });
});
