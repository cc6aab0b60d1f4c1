import Razorpay from "razorpay";
import type { Sandbox } from "#scripts/sandbox/sandbox.ts";

interface Requester {
  defaults: { baseURL: string; timeout: number; proxy: false };
}

/** The official package, pointed at the sandbox and otherwise unchanged. */
export function clientOf(sandbox: Sandbox, secret = sandbox.credentials.keySecret): Razorpay {
  const client = new Razorpay({ key_id: sandbox.credentials.keyId, key_secret: secret });
  const { rq } = client.api as unknown as { rq: Requester };
  rq.defaults.baseURL = sandbox.origin;
  rq.defaults.timeout = 2000;
  rq.defaults.proxy = false;
  return client;
}

interface ErrorBody {
  error: { code: string; description: string; field?: string };
}

/** A plain call of the provider's API. */
export function request(
  sandbox: Sandbox,
  method: string,
  path: string,
  body?: unknown,
  headers: Record<string, string> = {},
): Promise<Response> {
  const { keyId, keySecret } = sandbox.credentials;
  const Authorization = `Basic ${Buffer.from(`${keyId}:${keySecret}`).toString("base64")}`;
  return fetch(`${sandbox.origin}${path}`, {
    method,
    headers: { Authorization, "Content-Type": "application/json", ...headers },
    body: body === undefined ? undefined : JSON.stringify(body),
  });
}

export async function call<T = ErrorBody & Record<string, unknown>>(
  ...wish: Parameters<typeof request>
): Promise<{ status: number; body: T }> {
  const response = await request(...wish);
  return { status: response.status, body: (await response.json()) as T };
}

export const newOrder = (sandbox: Sandbox, amount = 5000, more: object = {}) =>
  sandbox.ledger.createOrder({ amount, currency: "INR", receipt: null, notes: [], ...more });
