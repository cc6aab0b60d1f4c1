import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { fileURLToPath } from "node:url";
import { afterAll, expect, test } from "vitest";
import { startSandbox } from "#scripts/sandbox/sandbox.ts";
import { admin } from "./client.ts";

const folder = mkdtempSync(join(tmpdir(), "sandbox-"));
afterAll(() => rmSync(folder, { recursive: true }));

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

test("a restart with a state file keeps orders, payments and events", async () => {
  const stateFile = join(folder, "deep", "state.json");
  const first = await startSandbox({ stateFile });
  const order = first.ledger.createOrder({
    amount: 500,
    currency: "INR",
    receipt: "kept",
    notes: [],
  });
  first.pay(order.id);
  await first.close();
  const second = await startSandbox({ stateFile });
  expect(second.ledger.orders.get(order.id)).toMatchObject({ status: "paid", receipt: "kept" });
  expect(second.ledger.paymentsOf(order.id)).toHaveLength(1);
  expect(second.events.sent).toHaveLength(3);
  await second.close();
});

test("only loopback, and no foreign page presses buttons", async () => {
  await expect(startSandbox({ host: "0.0.0.0" })).rejects.toThrow(/loopback/);
  const sandbox = await startSandbox();
  const foreign = await fetch(`${sandbox.origin}/__sandbox/reset`, {
    method: "POST",
    headers: { Origin: "https://example.com" },
  });
  expect(foreign.status).toBe(403);
  expect((await admin(sandbox, "POST", "switches", { name: "nonsense" })).status).toBe(400);
  await sandbox.close();
});

test("the console's forms work without scripts", async () => {
  const sandbox = await startSandbox();
  const order = sandbox.ledger.createOrder({
    amount: 500,
    currency: "INR",
    receipt: "<b>",
    notes: [],
  });
  const press = (path: string, fields: Record<string, string>) =>
    fetch(`${sandbox.origin}/console/${path}`, {
      method: "POST",
      body: new URLSearchParams(fields),
      redirect: "manual",
    });
  const back = `/console/orders/${order.id}`;
  const paid = await press("do", { path: `orders/${order.id}/pay`, outcome: "captured", back });
  expect([paid.status, paid.headers.get("location")]).toEqual([303, back]);
  const markup = await (await fetch(`${sandbox.origin}${back}`)).text();
  expect(markup).toContain("captured");
  expect(markup).toContain("&lt;b&gt;");
  await press("switch", { name: "api_429", set: "on", count: "2" });
  expect(sandbox.switches.list()).toMatchObject([{ name: "api_429", count: 2 }]);
  await press("switch", { name: "api_429", set: "off" });
  expect(sandbox.switches.list()).toEqual([]);
  await sandbox.close();
});

test("probability switches follow the seed", async () => {
  const run = async () => {
    const sandbox = await startSandbox({ seed: 7 });
    sandbox.switches.set({ name: "api_slow", probability: 0.5 });
    const pattern = Array.from({ length: 20 }, () => Boolean(sandbox.switches.take("api_slow")));
    await sandbox.close();
    return pattern;
  };
  const pattern = await run();
  expect(await run()).toEqual(pattern);
  expect(new Set(pattern).size).toBe(2);
});
