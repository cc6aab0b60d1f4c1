import { existsSync } from "node:fs";
import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { type Browser, chromium, type Page } from "@playwright/test";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { type Sandbox, startSandbox } from "#scripts/sandbox/sandbox.ts";
import { checkoutSignature } from "#scripts/sandbox/signature.ts";
import { newOrder } from "./client.ts";

/** The browser of the test command, else one in a usual place; without one these tests are skipped. */
const executable = [process.env.CHROMIUM_PATH, "/usr/bin/chromium", "/usr/bin/google-chrome"].find(
  (path) => path && existsSync(path),
);

interface Told {
  handled: Record<string, string>[];
  dismissed: number;
  failed: { error: { reason: string; metadata: { order_id: string } } }[];
}

const PAGE_SCRIPT = `
window.told = { handled: [], dismissed: 0, failed: [] };
window.openCheckout = (options) => {
  const modal = { ondismiss: () => { window.told.dismissed += 1; } };
  const handler = (answer) => window.told.handled.push(answer);
  const checkout = new window.Razorpay({ ...options, handler, modal });
  checkout.on("payment.failed", (answer) => window.told.failed.push(answer));
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

  beforeAll(async () => {
    sandbox = await startSandbox();
    host = createServer((request, response) => {
      if (request.url === "/page.js") {
        response.setHeader("Content-Type", "text/javascript");
        response.end(PAGE_SCRIPT);
        return;
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
    const order = newOrder(sandbox, 117900);
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
        prefill: { email: "a@example.com", contact: "+919876543210" },
        ...options,
      },
    );
    const frame = page.frameLocator('iframe[title="Payment window (sandbox)"]');
    const press = (name: string) => frame.getByRole("button", { name, exact: true }).click();
    return { order, frame, press };
  }

  test("pays: the handler gets a proof, the window closes", async () => {
    const { order, press } = await open();
    await press("Pay now");
    await expect.poll(async () => (await told()).handled.length).toBe(1);
    const { handled, dismissed } = await told();
    const proof = handled[0] ?? {};
    expect(proof.razorpay_order_id).toBe(order.id);
    expect(proof.razorpay_signature).toBe(
      checkoutSignature(sandbox.credentials.keySecret, order.id, proof.razorpay_payment_id ?? ""),
    );
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

  test("wrong options throw, a wrong amount is told in the window", async () => {
    await expect(open({ key: "" })).rejects.toThrow("No key passed");
    const { frame, press } = await open({ amount: 100 });
    await frame.getByText("Your payment amount is different").waitFor();
    await press("Cancel");
    await expect.poll(async () => (await told()).dismissed).toBe(1);
  });

  test("the strict policy of the page was never broken", () => {
    expect(problems).toEqual([]);
  });
});
