import Razorpay from "razorpay";
import { afterEach, describe, expect, test } from "vitest";
import { startSandbox } from "#scripts/sandbox/sandbox.ts";
import { shared } from "#tests/support/hooks.ts";
import { newOrder, startReceiver } from "./client.ts";

const receiver = shared(startReceiver, (made) => made.close());
const sandbox = shared(
  () =>
    startSandbox({
      webhookUrl: receiver.url,
      webhookSecrets: ["new-secret", "old-secret"],
      webhookTimeoutMs: 1_000,
      clockScale: 1200,
    }),
  (made) => made.close(),
);
afterEach(() => {
  sandbox.reset();
  receiver.received.length = 0;
  receiver.statuses.length = 0;
});

const order = () => newOrder(sandbox).id;
const signatureOf = (index: number) =>
  String(receiver.received[index]?.headers["x-razorpay-signature"]);
const eventId = (index: number) => receiver.received[index]?.headers["x-razorpay-event-id"];

describe("delivery", () => {
  test("authorized, captured, order.paid: snapshots of each moment", async () => {
    sandbox.pay(order());
    await sandbox.idle();
    expect(receiver.events()).toEqual(["payment.authorized", "payment.captured", "order.paid"]);
    expect(receiver.received.map(({ json }) => json.payload)).toMatchObject([
      { payment: { entity: { status: "authorized", captured: false, fee: null } } },
      { payment: { entity: { status: "captured", captured: true, fee: 118 } } },
      { order: { entity: { status: "paid", amount_paid: 5000, amount_due: 0 } } },
    ]);
    expect(new Set([eventId(0), eventId(1), eventId(2)]).size).toBe(3);
  });

  test("anything but 2xx, and silence, is tried again with the same id and bytes", async () => {
    receiver.statuses.push(500, 302, 0, 204);
    sandbox.pay(order(), { outcome: "failed" });
    await receiver.until(4);
    await sandbox.idle();
    expect(receiver.received).toHaveLength(4);
    expect(new Set(receiver.received.map((_, index) => eventId(index))).size).toBe(1);
    expect(new Set(receiver.received.map(({ raw }) => raw.toString())).size).toBe(1);
    const [delivery] = sandbox.courier.deliveries.values();
    expect(delivery?.state).toBe("delivered");
    expect(delivery?.attempts).toEqual([500, 302, "TimeoutError", 204]);
  });

  test("after 24 hours of failure it is given up", async () => {
    receiver.statuses.push(...Array(40).fill(500));
    sandbox.pay(order(), { outcome: "failed" });
    await sandbox.idle();
    const waiting = () => [...sandbox.courier.deliveries.values()][0];
    for (let hour = 0; hour < 30 && waiting()?.state === "waiting"; hour++) {
      sandbox.clock.advance(3600);
      await new Promise((resolve) => setTimeout(resolve, 5));
      await sandbox.idle();
    }
    expect(waiting()?.state).toBe("given_up");
  });
});

describe("switches", () => {
  const fail = async () => {
    sandbox.pay(order(), { outcome: "failed" });
    await sandbox.idle();
  };

  test("off and delayed", async () => {
    sandbox.switches.set({ name: "webhook_off", count: 1 });
    await fail();
    sandbox.switches.set({ name: "webhook_delay", value: 36_000, count: 1 });
    await fail();
    expect(receiver.received).toHaveLength(0);
    sandbox.clock.advance(36_001);
    await receiver.until(1);
    expect(receiver.received).toHaveLength(1);
  });

  test("shuffled, and twice under another id", async () => {
    sandbox.switches.set({ name: "webhook_shuffle", count: 1 });
    sandbox.switches.set({ name: "webhook_duplicate_new_id", count: 1 });
    sandbox.pay(order());
    await sandbox.idle();
    const [first, second, ...rest] = receiver.events();
    expect(second).toBe(first);
    expect(eventId(1)).not.toBe(eventId(0));
    expect([first, ...rest]).not.toEqual(["payment.authorized", "payment.captured", "order.paid"]);
    expect(rest).toHaveLength(2);
  });

  test("old secret, wrong signature, none", async () => {
    sandbox.switches.set({ name: "webhook_old_secret", count: 1 });
    await fail();
    const old = receiver.received[0]?.raw.toString() ?? "";
    expect(Razorpay.validateWebhookSignature(old, signatureOf(0), "old-secret")).toBe(true);
    sandbox.switches.set({ name: "webhook_wrong_signature", count: 1 });
    await fail();
    const wrong = receiver.received[1]?.raw.toString() ?? "";
    expect(Razorpay.validateWebhookSignature(wrong, signatureOf(1), "new-secret")).toBe(false);
    sandbox.switches.set({ name: "webhook_unsigned", count: 1 });
    await fail();
    expect(signatureOf(2)).toBe("undefined");
  });

  test("escaped slashes and non-ASCII text: only the raw bytes verify", async () => {
    sandbox.switches.set({ name: "webhook_escaped", count: 1 });
    await fail();
    const { raw, json } = receiver.received[0] ?? { raw: Buffer.alloc(0), json: {} };
    expect(raw.toString()).toContain("https:\\/\\/example.com");
    expect(raw.toString()).toContain("अभिषेक");
    expect(Razorpay.validateWebhookSignature(raw.toString(), signatureOf(0), "new-secret")).toBe(
      true,
    );
    expect(
      Razorpay.validateWebhookSignature(JSON.stringify(json), signatureOf(0), "new-secret"),
    ).toBe(false);
  });
});
