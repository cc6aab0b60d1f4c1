import { beforeEach, expect, test } from "vitest";
import { SWITCHES, type SwitchSetting } from "#scripts/sandbox/switches.ts";
import { sharedSandbox } from "#tests/support/hooks.ts";
import { request } from "./client.ts";

const sandbox = sharedSandbox();
beforeEach(() => sandbox.reset());

const createOrder = () => request(sandbox, "POST", "/v1/orders", { amount: 5000, currency: "INR" });

test.each<[SwitchSetting, number, string | RegExp]>([
  [{ name: "api_html_error", value: 503 }, 503, /<h1>503/],
  [{ name: "api_json_error" }, 500, /SERVER_ERROR/],
  [{ name: "api_429" }, 429, /BAD_REQUEST_ERROR/],
  [{ name: "api_empty" }, 200, ""],
  [{ name: "api_null" }, 200, "null"],
  [{ name: "api_401" }, 401, /Authentication failed/],
])("%j keeps the work from being done, once", async (setting, status, body) => {
  const already = sandbox.switches.fired(setting.name);
  sandbox.switches.set({ ...setting, count: 1 });
  const answer = await createOrder();
  expect(answer.status).toBe(status);
  expect(await answer.text()).toMatch(body === "" ? /^$/ : body);
  expect(sandbox.ledger.orders.size).toBe(0);
  expect((await createOrder()).status).toBe(200);
  expect(sandbox.switches.fired(setting.name) - already).toBe(1);
});

test.each<SwitchSetting>([{ name: "api_reset" }, { name: "api_hang", value: 0.05 }])(
  "%j cuts the connection before the work",
  async (setting) => {
    sandbox.switches.set({ ...setting, count: 1 });
    await expect(createOrder()).rejects.toThrow();
    expect(sandbox.ledger.orders.size).toBe(0);
  },
);

test("the console shows every switch with its meaning, and turns it on and off", async () => {
  const page = await (await fetch(`${sandbox.origin}/console/switches`)).text();
  for (const [name, [, effect]] of Object.entries(SWITCHES)) {
    expect(page).toContain(name);
    expect(page).toContain(effect.replace('"', "&quot;"));
  }
  const submit = (path: string, fields: Record<string, string>) =>
    fetch(`${sandbox.origin}/__sandbox/switches/${path}`, {
      method: "POST",
      body: new URLSearchParams({ back: "/console/switches", ...fields }),
      redirect: "manual",
    });
  expect((await submit("set", { name: "api_429", count: "2", value: "" })).status).toBe(303);
  expect(sandbox.switches.list()).toMatchObject([{ name: "api_429", count: 2 }]);
  await submit("clear", { name: "api_429" });
  expect(sandbox.switches.list()).toEqual([]);
  expect((await submit("set", { name: "nonsense" })).status).toBe(400);
});
