import { createServer, type IncomingHttpHeaders } from "node:http";
import type { AddressInfo } from "node:net";

export interface Received {
  method: string;
  url: string;
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
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(chunk as Buffer);
    const raw = Buffer.concat(chunks);
    let json = {};
    try {
      json = JSON.parse(raw.toString("utf8"));
    } catch {}
    received.push({
      method: request.method ?? "",
      url: request.url ?? "",
      headers: request.headers,
      raw,
      json,
    });
    const status = statuses.shift() ?? 200;
    if (status === 0) return;
    const challenge = new URL(request.url ?? "/", "http://x").searchParams.get("hub.challenge");
    response.writeHead(status).end(challenge ?? "ok");
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const { port } = server.address() as AddressInfo;
  return {
    url: `http://127.0.0.1:${port}/webhooks/razorpay`,
    origin: `http://127.0.0.1:${port}`,
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

export type Receiver = Awaited<ReturnType<typeof startReceiver>>;
