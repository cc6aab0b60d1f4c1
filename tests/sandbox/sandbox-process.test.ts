import { spawn } from "node:child_process";
import { once } from "node:events";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { fileURLToPath } from "node:url";
import { expect, test } from "vitest";
import { type Sandbox, startSandbox } from "#scripts/sandbox/sandbox.ts";
import { scratchFolder } from "#tests/support/hooks.ts";
import { call, newOrder } from "./client.ts";

const folder = scratchFolder();

const MAIN = fileURLToPath(new URL("../../scripts/sandbox/main.ts", import.meta.url));

test("the process says where it is and stops on SIGTERM", async () => {
  const child = spawn(process.execPath, [MAIN], {
    env: { ...process.env, SANDBOX_PORT: "0" },
    stdio: ["ignore", "pipe", "inherit"],
  });
  const [line] = await once(createInterface(child.stdout), "line");
  const ready = JSON.parse(String(line)) as { origin: string; smtpUrl: string; ready: boolean };
  expect(ready).toMatchObject({ ready: true, smtpUrl: expect.stringMatching(/^smtp:\/\/127/) });
  expect((await fetch(ready.origin)).status).toBe(200);
  child.kill("SIGTERM");
  const [code] = await once(child, "exit");
  expect(code).toBe(0);
});

async function refund(sandbox: Sandbox, id: string, { Key, body }: { Key: string; body: object }) {
  const headers = { "X-Refund-Idempotency": Key };
  const answer = await call(sandbox, "POST", `/v1/payments/${id}/refund`, body, headers);
  expect(answer.status).toBe(200);
  return answer.body;
}

test("a restart with a state file keeps orders, payments, refunds and their keys", async () => {
  const stateFile = join(folder, "deep", "state.json");
  const first = await startSandbox({ stateFile });
  const order = newOrder(first, 500, { receipt: "kept" });
  const { payment } = first.pay(order.id);
  const kept = { Key: "refund-key-1", body: { amount: 100 } };
  const made = await refund(first, payment.id, kept);
  await first.close();
  const second = await startSandbox({ stateFile });
  expect(second.ledger.orders.get(order.id)).toMatchObject({ status: "paid", receipt: "kept" });
  expect(second.ledger.paymentsOf(order.id)).toHaveLength(1);
  expect(await refund(second, payment.id, kept)).toEqual(made);
  expect(second.ledger.refunds.size).toBe(1);
  await second.close();
});

test("no foreign page submits its forms", async () => {
  const sandbox = await startSandbox();
  const foreign = await fetch(`${sandbox.origin}/__sandbox/reset`, {
    method: "POST",
    headers: { Origin: "https://example.com" },
  });
  expect(foreign.status).toBe(403);
  await sandbox.close();
});

test("the console's forms work without scripts", async () => {
  const sandbox = await startSandbox();
  const order = newOrder(sandbox, 500, { receipt: "<b>" });
  const submit = (path: string, fields: Record<string, string>) =>
    fetch(`${sandbox.origin}/__sandbox/orders/${order.id}/${path}`, {
      method: "POST",
      body: new URLSearchParams({ back: "/", ...fields }),
      redirect: "manual",
    });
  const paid = await submit("pay", { outcome: "captured" });
  expect([paid.status, paid.headers.get("location")]).toEqual([303, "/"]);
  const [payment] = sandbox.ledger.paymentsOf(order.id);
  await submit("dispute", {});
  await submit("refund", {});
  expect(payment?.status).toBe("refunded");
  expect((await submit("refund", {})).status).toBe(400);
  const markup = await (await fetch(sandbox.origin)).text();
  expect(markup).toContain("refunded dispute open");
  expect(markup).toContain("&lt;b&gt;");
  await sandbox.close();
});
