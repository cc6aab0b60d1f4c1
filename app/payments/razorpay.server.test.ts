import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { ProviderError } from "#app/core/services.ts";
import { inTurn } from "#app/core/work-queue.server.ts";
import { listening } from "#tests/support/listening.ts";
import { type RazorpayStub, startRazorpayStub, stubId } from "#tests/support/razorpay-stub.ts";
import { createRazorpay } from "./razorpay.server.ts";
import { paymentSchema } from "./razorpay-shapes.ts";

let asked: string[] = [];
let elsewhere: Server;
let api: Server;
const origin = (server: Server) => `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
const providerAt = (url: string) =>
  createRazorpay({
    keyId: "rzp_test_abcdefgh",
    keySecret: "secret",
    webhookSecrets: [],
    apiUrl: url,
    checkoutUrl: url,
  });
/** A refund as it is asked for. */
const REFUND = { amountPaise: 100, receipt: null, idempotencyKey: "key-0123456789" };

beforeAll(async () => {
  elsewhere = createServer((request, response) => {
    asked.push(`elsewhere ${request.headers.authorization}`);
    response.setHeader("Content-Type", "application/json").end("{}");
  });
  await listening(elsewhere);
  api = createServer((request, response) => {
    asked.push(`${request.method} ${request.url}`);
    response.writeHead(request.method === "GET" ? 302 : 307, { Location: origin(elsewhere) }).end();
  });
  await listening(api);
});
afterAll(() => {
  api.close();
  elsewhere.close();
});

it("a redirect of the provider is an error, and its keys go nowhere else", async () => {
  const razorpay = providerAt(origin(api));
  const paymentId = "pay_ABCDEFGHIJKLMN";
  asked = [];
  await expect(razorpay.fetchPayment(paymentId)).rejects.toThrow(ProviderError);
  await expect(razorpay.refund({ ...REFUND, paymentId })).rejects.toThrow(ProviderError);
  expect(asked).toEqual([`GET /v1/payments/${paymentId}`, `POST /v1/payments/${paymentId}/refund`]);
});

it("while a request waits for the provider, it takes no place of its client's", async () => {
  const pauses: string[] = [];
  const turn = {
    signal: new AbortController().signal,
    again: async () => {},
    pause(ofClient: boolean) {
      pauses.push(`paused, of client ${ofClient}`);
      return () => pauses.push("resumed");
    },
  };
  const asking = inTurn(turn, () => providerAt(origin(api)).fetchPayment("pay_ABCDEFGHIJKLMN"));
  expect(pauses).toEqual(["paused, of client true"]);
  await expect(asking).rejects.toThrow(ProviderError);
  expect(pauses).toEqual(["paused, of client true", "resumed"]);
});

describe("the provider's lists and answers", () => {
  let stub: RazorpayStub;
  beforeEach(async () => {
    stub = await startRazorpayStub();
  });
  afterEach(() => stub.close());

  const provider = () => providerAt(stub.origin);
  const addOrder = (receipt: string | null) => {
    const order = { id: stubId("order"), receipt, amount: 100, currency: "INR", status: "paid" };
    stub.orders.push(order);
    return order.id;
  };
  const faultOf = async (work: Promise<unknown>) => {
    const error = await work.then(
      () => null,
      (thrown: unknown) => thrown,
    );
    expect(error).toBeInstanceOf(ProviderError);
    return (error as ProviderError).fault;
  };

  it("an order is found by its own receipt, whatever else the list holds", async () => {
    addOrder("bk_other");
    const own = addOrder("bk_own");
    addOrder(null);
    const items = stub.orders;
    stub.instead = () => ({ status: 200, body: { items } });
    expect(await provider().findOrderByReceipt("bk_own")).toMatchObject({ orderId: own });
    expect(await provider().findOrderByReceipt("bk_none")).toBeNull();
  });

  it("orders of a time come from all pages", async () => {
    const ids = Array.from({ length: 250 }, (_, i) => addOrder(`bk_${i}`));
    const orders = await provider().listOrders(1_500, 2_500);
    expect(orders.map(({ orderId }) => orderId)).toEqual(ids);
    expect(stub.calls).toHaveLength(3);
    stub.orders.length = 200;
    expect(await provider().listOrders(0, 1)).toHaveLength(200);
    stub.orders.length = 0;
    expect(await provider().listOrders(0, 1)).toEqual([]);
  });

  it("every list of a time is read to its end, and a payment's refunds too", async () => {
    const made = { amount: 100, currency: "INR", created_at: 7 };
    const payment = { ...made, order_id: null, amount_refunded: 0, method: "upi" };
    const refund = { payment_id: stubId("pay"), amount: 7, status: "processed" };
    const dispute = { ...made, amount_deducted: 0, phase: "chargeback", respond_by: 9 };
    for (let i = 0; i < 150; i += 1) {
      stub.payments.push({ ...payment, id: stubId("pay"), status: "captured" });
      stub.refunds.push({ ...refund, id: stubId("rfnd") });
      stub.disputes.push({
        ...dispute,
        id: stubId("disp"),
        payment_id: refund.payment_id,
        status: "open",
      });
    }
    const idsOf = (listed: { id: string }[]) => listed.map(({ id }) => id);
    const { listPaymentsMade, listRefundsMade, listRefunds, listDisputes } = provider();
    expect((await listPaymentsMade(0, 1)).map((one) => one.paymentId)).toEqual(
      idsOf(stub.payments),
    );
    const refunds = await listRefundsMade(0, 1);
    expect(refunds.map((one) => one.refundId)).toEqual(idsOf(stub.refunds));
    expect(await listRefunds(refund.payment_id)).toEqual(refunds);
    expect((await listDisputes(0, 1)).map((one) => one.disputeId)).toEqual(idsOf(stub.disputes));
  });

  it.each([
    [
      { phase: "mediation", status: "escalated" },
      { phase: "mediation", status: "escalated" },
    ],
    [
      { phase: null, status: 7, amount_deducted: "much", respond_by: "soon" },
      { phase: "", status: "", deductedPaise: 0, respondBy: null },
    ],
    [
      { respond_by: 0, amount_deducted: "250" },
      { respondBy: null, deductedPaise: 250 },
    ],
    [{ respond_by: 9 }, { respondBy: 9_000, createdAt: 7_000 }],
  ])("a dispute that says %j is read, never refused", async (fields, read) => {
    const [id, payment_id] = [stubId("disp"), stubId("pay")];
    const entity = { amount: "100", phase: "fraud", status: "open", created_at: 7, ...fields };
    stub.instead = () => ({ status: 200, body: { id, payment_id, ...entity } });
    expect(await provider().fetchDispute(id)).toMatchObject({
      disputeId: id,
      paymentId: payment_id,
      amountPaise: 100,
      ...read,
    });
  });

  it("an answer of no known shape is no answer: looked up again, never believed", async () => {
    const paymentId = stubId("pay");
    const refund = { ...REFUND, paymentId };
    const order = { receipt: "bk_1", amountPaise: 100, notes: {} };
    for (const body of [null, "", [], {}, { items: [{}] }, { id: paymentId }, { items: null }]) {
      stub.instead = () => ({ status: 200, body });
      const text = JSON.stringify(body);
      expect(await faultOf(provider().fetchPayment(paymentId)), text).toBe("down");
      expect(await faultOf(provider().listPayments(stubId("order"))), text).toBe("down");
      expect(await faultOf(provider().listOrders(0, 1)), text).toBe("down");
      expect(await faultOf(provider().createOrder(order)), text).toBe("unknown");
      expect(await faultOf(provider().refund(refund)), text).toBe("unknown");
    }
  });

  it("a word that we do not know is kept, and is no captured money", async () => {
    const payment = {
      id: stubId("pay"),
      order_id: "",
      amount: "100",
      currency: "INR",
      status: "held",
      amount_refunded: null,
      method: null,
      created_at: 7,
    };
    stub.instead = () => ({ status: 200, body: payment });
    expect(await provider().fetchPayment(payment.id)).toEqual({
      paymentId: payment.id,
      orderId: null,
      amountPaise: 100,
      currency: "INR",
      status: "held",
      refundedPaise: 0,
      method: null,
      fee: null,
      createdAt: 7_000,
    });
  });

  it.each<[fee: unknown, tax: unknown, read: object | null]>([
    [2782, 424, { feePaise: 2358, feeTaxPaise: 424 }],
    ["2782", "424", { feePaise: 2358, feeTaxPaise: 424 }],
    [0, 0, { feePaise: 0, feeTaxPaise: 0 }],
    [2782, null, null],
    [1.5, 0, null],
    [100, 101, null],
    [{}, "much", null],
  ])("a fee of %j with tax %j is read as %j, and the payment with it", async (fee, tax, read) => {
    const payment = {
      id: stubId("pay"),
      order_id: "",
      amount: 117_900,
      currency: "INR",
      fee,
      tax,
      status: "captured",
      amount_refunded: 0,
      method: "upi",
      created_at: 7,
    };
    stub.instead = () => ({ status: 200, body: payment });
    expect(await provider().fetchPayment(payment.id)).toMatchObject({
      amountPaise: 117_900,
      fee: read,
    });
  });

  it("a malformed id is refused without a call", async () => {
    const odd = "pay_../../v1/settle";
    for (const work of [
      provider().fetchPayment(odd),
      provider().listPayments(odd),
      provider().listRefunds(odd),
      provider().fetchRefund(odd),
      provider().fetchDispute(odd),
      provider().refund({ ...REFUND, paymentId: odd }),
    ]) {
      expect(await faultOf(work)).toBe("rejected");
    }
    expect(stub.calls).toEqual([]);
  });

  it("its faults say what was surely not done, and what nobody knows", async () => {
    const paymentId = stubId("pay");
    const read = () => faultOf(provider().fetchPayment(paymentId));
    const send = () => faultOf(provider().refund({ ...REFUND, paymentId }));
    for (const [status, description, ofRead, ofSend] of [
      [401, "Authentication failed", "config", "config"],
      [429, "Too many requests", "rate", "rate"],
      [500, "broken", "down", "unknown"],
      [409, "Request is in progress", "busy", "busy"],
      [409, "Different request body", "rejected", "rejected"],
      [400, "Your account does not have enough balance", "rejected", "balance"],
      [400, "The id provided does not exist", "rejected", "rejected"],
    ] as const) {
      stub.instead = () => ({ status, body: { error: { description } } });
      expect([await read(), await send()], description).toEqual([ofRead, ofSend]);
    }
    for (const body of [null, "<html>"]) {
      stub.instead = () => ({ status: 400, body });
      expect([await read(), await send()], String(body)).toEqual(["rejected", "rejected"]);
    }
    stub.isLost = () => true;
    stub.instead = () => undefined;
    expect([await read(), await send()]).toEqual(["down", "unknown"]);
  });
});

it("a refund goes out under our receipt and comes back by it, from the call and from each list", async () => {
  const stub = await startRazorpayStub();
  const razorpay = providerAt(stub.origin);
  const paymentId = stubId("pay");
  const payment = { id: paymentId, order_id: null, amount: 100, currency: "INR", method: "upi" };
  stub.payments.push({ ...payment, status: "captured", amount_refunded: 0, created_at: 1 });
  const sent = { ...REFUND, paymentId, amountPaise: 7, receipt: "ours" };
  expect(await razorpay.refund(sent)).toMatchObject({ receipt: "ours" });
  const dashboards = { id: stubId("rfnd"), payment_id: paymentId, amount: 9, status: "processed" };
  stub.refunds.push({ ...dashboards, created_at: 7 });
  for (const listed of [razorpay.listRefunds(paymentId), razorpay.listRefundsMade(0, 2e12)]) {
    expect((await listed).map(({ receipt, createdAt }) => [receipt, createdAt])).toEqual([
      ["ours", null],
      [null, 7_000],
    ]);
  }
  stub.close();
});

it("each call asks for exactly what it is named for, with our keys", async () => {
  const received: unknown[] = [];
  const id = "pay_ABCDEFGHIJKLMN";
  const open = { id: "order_ABCDEFGHIJKLMN", amount: 100, currency: "INR", status: "created" };
  const refund = { id: "rfnd_ABCDEFGHIJKLMN", payment_id: id, amount: 7, status: "queued" };
  const server = createServer(async (request, response) => {
    let body = "";
    for await (const chunk of request) body += chunk;
    const { authorization, "x-refund-idempotency": key } = request.headers;
    expect(authorization).toBe(`Basic ${btoa("rzp_test_abcdefgh:secret")}`);
    const url = `${request.method} ${request.url}`;
    received.push([url, ...(body ? [JSON.parse(body)] : []), ...(key ? [key] : [])]);
    const one = url.includes("refund") ? refund : open;
    const answer = request.method === "GET" && /\?/.test(url) ? { items: [] } : one;
    response.setHeader("Content-Type", "application/json").end(JSON.stringify(answer));
  });
  await listening(server);
  const razorpay = providerAt(origin(server));
  const asked = { receipt: "bk_1", amountPaise: 100, notes: { booking: "b" } };
  expect(await razorpay.createOrder(asked)).toMatchObject({ orderId: open.id, receipt: null });
  expect(await razorpay.findOrderByReceipt("bk_1")).toBeNull();
  expect(await razorpay.listOrders(1_500, 2_500)).toEqual([]);
  expect(await razorpay.listRefunds(id)).toEqual([]);
  expect(await razorpay.listPaymentsMade(1_500, 2_500)).toEqual([]);
  expect(await razorpay.listRefundsMade(1_500, 2_500)).toEqual([]);
  expect(await razorpay.listDisputes(1_500, 2_500)).toEqual([]);
  const sent = { ...REFUND, paymentId: id, amountPaise: 7 };
  const made = { refundId: refund.id, paymentId: id, amountPaise: 7, receipt: null };
  expect(await razorpay.refund(sent)).toEqual({ ...made, status: "pending", createdAt: null });
  server.close();
  const lines = received.map((call) => JSON.stringify(call));
  await expect(`${lines.join("\n")}\n`).toMatchFileSnapshot("golden-calls.txt");
});

it.each([
  [{ rrn: "1", bank_transaction_id: "2", transaction_id: "3", auth_code: "4" }, "1"],
  [{ rrn: null, bank_transaction_id: "2", transaction_id: "3", auth_code: "4" }, "2"],
  [{ bank_transaction_id: "", transaction_id: "3", auth_code: "4" }, "3"],
  [{ transaction_id: "3" }, "3"],
  [{ auth_code: "4" }, "4"],
  [{}, undefined],
  [[], undefined],
])(
  "the reference of a payment is the first that the bank names: %j",
  (acquirer_data, reference) => {
    const money = { amount: 117_900, currency: "INR", status: "captured", created_at: 1 };
    const payment = { id: "pay_12345678901234", ...money, acquirer_data };
    expect(paymentSchema.parse(payment).reference).toBe(reference);
  },
);
