import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { afterAll, beforeAll, expect, it } from "vitest";
import { ProviderError } from "#app/core/payment-provider.ts";
import { createRazorpay } from "./razorpay.server.ts";

let asked: string[] = [];
let elsewhere: Server;
let api: Server;
const origin = (server: Server) => `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
const listen = (server: Server) =>
  new Promise<void>((resolve) => server.listen(0, "127.0.0.1", () => resolve()));

beforeAll(async () => {
  elsewhere = createServer((request, response) => {
    asked.push(`elsewhere ${request.headers.authorization}`);
    response.setHeader("Content-Type", "application/json").end("{}");
  });
  await listen(elsewhere);
  api = createServer((request, response) => {
    asked.push(`${request.method} ${request.url}`);
    response.writeHead(request.method === "GET" ? 302 : 307, { Location: origin(elsewhere) }).end();
  });
  await listen(api);
});
afterAll(() => {
  api.close();
  elsewhere.close();
});

it("a redirect of the provider is an error, and its keys go nowhere else", async () => {
  const razorpay = createRazorpay({
    keyId: "rzp_test_abcdefgh",
    keySecret: "secret",
    webhookSecrets: [],
    apiUrl: origin(api),
    checkoutUrl: origin(api),
  });
  const paymentId = "pay_ABCDEFGHIJKLMN";
  asked = [];
  await expect(razorpay.fetchPayment(paymentId)).rejects.toThrow(ProviderError);
  await expect(
    razorpay.refund({ paymentId, amountPaise: 100, idempotencyKey: "key-0123456789" }),
  ).rejects.toThrow(ProviderError);
  expect(asked).toEqual([`GET /v1/payments/${paymentId}`, `POST /v1/payments/${paymentId}/refund`]);
});
