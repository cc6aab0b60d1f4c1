import { beforeEach, expect, test } from "vitest";
import { sharedSandbox } from "#tests/support/hooks.ts";
import { call, newOrder } from "./client.ts";

const sandbox = sharedSandbox();
let path: string;
let serial = 0;

beforeEach(() => {
  sandbox.switches.clear();
  path = `/v1/payments/${sandbox.pay(newOrder(sandbox).id).razorpay_payment_id}/refund`;
  serial += 1;
});

const refund = (key: string, body: unknown = {}) =>
  call<{ id: string; error: { description: string } }>(sandbox, "POST", path, body, {
    "X-Refund-Idempotency": key,
  });
const key = () => `refund-key-${serial}`;

test("same key and body: the first answer; another body: 409", async () => {
  const first = await refund(key(), { amount: 1000 });
  const again = await refund(key(), { amount: 1000 });
  expect(again.body.id).toBe(first.body.id);
  const other = await refund(key(), { amount: 2000 });
  expect(other.status).toBe(409);
  expect(other.body.error.description).toBe(
    "Different request with the same idempotency key has already been processed.",
  );
  expect([...sandbox.ledger.refunds.values()].filter(({ amount }) => amount === 1000)).toHaveLength(
    1,
  );
});

test("while the first runs: 409 in progress", async () => {
  sandbox.switches.set({ name: "refund_slow", value: 1000, count: 1 });
  const running = refund(key());
  await expect
    .poll(() => sandbox.requests.map(({ idempotencyKey }) => idempotencyKey), { interval: 10 })
    .toContain(key());
  const second = await refund(key());
  expect((await running).status).toBe(200);
  expect(second.status).toBe(409);
  expect(second.body.error.description).toBe(
    "Another request with the same idempotency key is still in progress.",
  );
});

test("an answer lost after acceptance is found again by the key", async () => {
  sandbox.switches.set({ name: "refund_answer_lost", count: 1 });
  await expect(refund(key())).rejects.toThrow();
  const again = await refund(key());
  expect(again.status).toBe(200);
  expect(
    [...sandbox.ledger.refunds.values()].filter(({ payment_id }) => path.includes(payment_id)),
  ).toHaveLength(1);
});
