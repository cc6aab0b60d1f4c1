import { afterAll, beforeAll, expect, test } from "vitest";
import { type Sandbox, startSandbox } from "#scripts/sandbox/sandbox.ts";
import { newOrder } from "./client.ts";

let sandbox: Sandbox;
const CALLBACK = "http://127.0.0.1:1/payments/callback?booking=abc";
const CANCEL = "http://127.0.0.1:1/booking/abc";

beforeAll(async () => {
  sandbox = await startSandbox();
});
afterAll(() => sandbox.close());

function post(path: string, fields: Record<string, string>) {
  return fetch(`${sandbox.origin}${path}`, {
    method: "POST",
    body: new URLSearchParams(fields),
    redirect: "manual",
  });
}

function hosted(orderId: string, more: Record<string, string> = {}) {
  return post("/v1/checkout/embedded", {
    key_id: sandbox.credentials.keyId,
    order_id: orderId,
    name: "Captain & Sons",
    "prefill[email]": "a@example.com",
    "prefill[contact]": "9876543210",
    callback_url: CALLBACK,
    cancel_url: CANCEL,
    ...more,
  });
}

function plain(text: string) {
  return text.replaceAll("&quot;", '"').replaceAll("&#39;", "'").replaceAll("&amp;", "&");
}

/** The hidden fields and the address of a page's form, as a browser reads them. */
async function formOf(response: Response) {
  const markup = await response.text();
  const action = plain(/<form method="post" action="([^"]+)"/.exec(markup)?.[1] ?? "");
  const fields: Record<string, string> = {};
  for (const [, name = "", value = ""] of markup.matchAll(
    /<input type="hidden" name="([^"]+)" value="([^"]*)"/g,
  )) {
    fields[plain(name)] = plain(value);
  }
  return { action, fields };
}

test("failure: the six error fields; metadata is a JSON text", async () => {
  const order = newOrder(sandbox, 117900);
  const first = await formOf(await hosted(order.id));
  const second = await formOf(await post(first.action, { ...first.fields, action: "fail" }));
  expect(second.action).toBe(CALLBACK);
  expect(second.fields).toMatchObject({
    "error[code]": "BAD_REQUEST_ERROR",
    "error[reason]": "payment_failed",
    "error[source]": "bank",
    "error[step]": "payment_authorization",
  });
  expect(JSON.parse(second.fields["error[metadata]"] ?? "")).toMatchObject({ order_id: order.id });
});

test("cancel leads to cancel_url by GET", async () => {
  const first = await formOf(await hosted(newOrder(sandbox, 117900).id));
  const answer = await post(first.action, { ...first.fields, action: "cancel" });
  expect(answer.status).toBe(303);
  expect(answer.headers.get("location")).toBe(CANCEL);
});

test.each([
  ["key_id", "rzp_test_other", "The api key provided is invalid"],
  ["amount", "100", "Your payment amount is different from your order amount."],
  ["callback_url", "javascript:alert(1)", "The callback_url format is invalid."],
])("refuses %s = %j", async (name, value, words) => {
  const answer = await hosted(newOrder(sandbox, 117900).id, { [name]: value });
  expect(answer.status).toBeGreaterThanOrEqual(400);
  expect(await answer.text()).toContain(words);
});
