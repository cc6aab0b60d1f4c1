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

export interface Answered<T = Record<string, unknown>> {
  status: number;
  body: T;
}

export interface ErrorBody {
  error: { code: string; description: string; field?: string };
}

/** A plain call of the provider's API. */
export async function call<T = ErrorBody & Record<string, unknown>>(
  sandbox: Sandbox,
  method: string,
  path: string,
  body?: unknown,
  headers: Record<string, string> = {},
): Promise<Answered<T>> {
  const { keyId, keySecret } = sandbox.credentials;
  const credentials = Buffer.from(`${keyId}:${keySecret}`).toString("base64");
  const response = await fetch(`${sandbox.origin}${path}`, {
    method,
    headers: {
      Authorization: `Basic ${credentials}`,
      "Content-Type": "application/json",
      ...headers,
    },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  });
  return { status: response.status, body: (await response.json()) as T };
}

/** A call of the sandbox's own admin API. */
export async function admin<T = Record<string, never>>(
  sandbox: Sandbox,
  method: string,
  path: string,
  body?: unknown,
): Promise<Answered<T>> {
  const response = await fetch(`${sandbox.origin}/__sandbox/${path}`, {
    method,
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  });
  return { status: response.status, body: (await response.json()) as T };
}
