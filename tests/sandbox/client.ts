import { createServer, type IncomingHttpHeaders } from "node:http";
import { buffer } from "node:stream/consumers";
import Razorpay from "razorpay";
import type { Sandbox } from "#scripts/sandbox/sandbox.ts";
import { listening } from "#tests/support/listening.ts";

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
  ...sent: Parameters<typeof request>
): Promise<{ status: number; body: T }> {
  const response = await request(...sent);
  return { status: response.status, body: (await response.json()) as T };
}

export const newOrder = (sandbox: Sandbox, amount = 5000, more: object = {}) =>
  sandbox.ledger.createOrder({ amount, currency: "INR", receipt: null, ...more });

interface Received {
  headers: IncomingHttpHeaders;
  raw: Buffer;
  json: { event?: string; [key: string]: unknown };
}

/** Stands for the application's webhook and callback addresses. */
export async function startReceiver() {
  const received: Received[] = [];
  /** Status of the next answers; 0 answers nothing. */
  const statuses: number[] = [];
  const server = createServer(async (request, response) => {
    const raw = await buffer(request);
    received.push({ headers: request.headers, raw, json: JSON.parse(raw.toString("utf8")) });
    const status = statuses.shift() ?? 200;
    if (status === 0) return;
    response.writeHead(status).end("ok");
  });
  const port = await listening(server);
  return {
    url: `http://127.0.0.1:${port}/`,
    received,
    statuses,
    events: () => received.map(({ json }) => json.event),
    async until(count: number): Promise<void> {
      const deadline = Date.now() + 4000;
      while (received.length < count && Date.now() < deadline) {
        await new Promise((resolve) => setTimeout(resolve, 5));
      }
    },
    close(): Promise<void> {
      server.closeAllConnections();
      return new Promise((resolve) => server.close(() => resolve()));
    },
  };
}
