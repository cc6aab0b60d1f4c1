/** The sandbox's servers, on loopback alone. Each part answers the calls that are its own. */
import { once } from "node:events";
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { answerConsole } from "./console.ts";
import { type Answer, type Call, HttpError, readCall, send, typed } from "./http.ts";
import type { SandboxOptions } from "./options.ts";
import { keepState, makeParts, type Parts } from "./parts.ts";
import { makeRazorpayApi } from "./razorpay/api.ts";
import { makeCheckout } from "./razorpay/checkout.ts";

export type Sandbox = Awaited<ReturnType<typeof startSandbox>>;

const HOST = "127.0.0.1";
const MOST_REQUESTS = 5000;

export async function startSandbox(options: SandboxOptions = {}) {
  const parts = makeParts(options);
  const { clock, courier, mailbox, credentials } = parts;
  const save = keepState(options.stateFile, parts);
  const server = createServer(makeHandler(parts)).listen(options.port ?? 0, HOST);
  await once(server, "listening");
  const origin = `http://${HOST}:${(server.address() as AddressInfo).port}`;
  const addresses = {
    origin,
    console: `${origin}/`,
    razorpayApiUrl: origin,
    checkoutUrl: `${origin}/v1/checkout.js`,
    smtpUrl: `smtp://${HOST}:${await mailbox.listen(options.smtpPort ?? 0)}`,
    whatsappUrl: origin,
    zoomUrl: `${origin}/zoom`,
    calendarUrl: `${origin}/calendars/roster.ics`,
    keyId: credentials.keyId,
  };
  Object.assign(parts.addresses, addresses);
  return {
    ...parts,
    ...addresses,
    idle: courier.idle,
    async close() {
      courier.close();
      save();
      clock.clear();
      const closed = new Promise((resolve) => server.close(resolve));
      server.closeAllConnections();
      await Promise.all([closed, mailbox.close()]);
    },
  };
}

function makeHandler(parts: Parts) {
  const { switches, whatsapp, calendars, s3, zoom, requests } = parts;
  const api = makeRazorpayApi(parts);
  const checkout = makeCheckout(parts);
  const answer = async (call: Call): Promise<Answer> =>
    checkout(call) ??
    whatsapp.answer(call) ??
    calendars.answer(call) ??
    s3.answer(call) ??
    (await zoom.answer(call)) ??
    (await answerConsole(parts, call)) ??
    (call.path === "/favicon.ico" ? typed("text/plain", "", 204) : api(call));
  return async (request: IncomingMessage, response: ServerResponse) => {
    try {
      // A page on another site that resolves its own name to loopback gets no answer.
      if (!/^(127\.0\.0\.1|localhost|\[::1\])(:\d+)?$/.test(request.headers.host ?? "")) {
        throw new HttpError(421, "loopback names only");
      }
      const call = await readCall(request);
      if (/^\/v\d/.test(call.path)) {
        const key = call.headers["x-refund-idempotency"];
        const idempotencyKey = typeof key === "string" ? key : null;
        requests.push({ method: call.method, path: call.path, idempotencyKey });
        if (requests.length > MOST_REQUESTS) requests.shift();
      }
      const ahead = /^\/v1\//.test(call.path) && switches.amount("api_clock", call.path);
      if (ahead) response.setHeader("Date", new Date(Date.now() + ahead * 1000).toUTCString());
      const reply = await answer(call);
      if (!("cutAfterSeconds" in reply)) send(response, reply);
      else setTimeout(() => request.socket.destroy(), reply.cutAfterSeconds * 1000).unref();
    } catch (error) {
      const known = error instanceof HttpError;
      if (!known) console.error(error);
      if (response.headersSent) request.socket.destroy();
      else send(response, (known ? error : new HttpError(500, "sandbox fault")).reply());
    }
  };
}
