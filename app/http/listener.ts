/** Handles one request, step by step: identity, files, guards, body, React Router, answer. */
import { randomUUID } from "node:crypto";
import type { IncomingMessage, RequestListener, ServerResponse } from "node:http";
import { RouterContextProvider } from "react-router";
import { addressKey, clientAddress } from "#app/core/client-address.ts";
import { readDevice } from "#app/core/cookies.server.ts";
import { type Client, clientContext, type Deps, depsContext } from "#app/core/deps.server.ts";
import { noteFailure } from "#app/core/failures.server.ts";
import type { Watchdog } from "#app/http/watchdog/watchdog.ts";
import { failure, type Outcome, UNAVAILABLE } from "#app/model/outcome.ts";
import { sendText } from "#app/speed/compress.ts";
import { bytesOf, finishedResponse } from "#app/speed/finished-response.ts";
import { OfferAnswers } from "#app/speed/offer-answers.ts";
import { PageCache, sendPage } from "#app/speed/page-cache.ts";
import { isUnavailable } from "#db/connection.server.ts";
import { bodyLimit, carriesBody, readBody } from "./body.ts";
import { isCrossSiteWrite } from "./cross-site.ts";
import { FILE_TYPE, FORM_TYPE, type FormNames, isFormPost, namesByPath, readForm } from "./form.ts";
import { securityHeaders, setPathHeaders } from "./headers.ts";
import { InFlight, type Place, TOO_MANY_AT_ONCE } from "./in-flight.ts";
import { readPath } from "./path.ts";
import { countRequest } from "./rate-limits.ts";
import { refuseWith } from "./refuse.ts";
import { createRequestLog, reportWhenDone } from "./request-log.ts";
import { respond } from "./respond.ts";

const METHODS = new Set(["GET", "HEAD", "OPTIONS", "POST", "PUT", "PATCH", "DELETE"]);

interface ListenerOptions {
  deps: Deps;
  handle: (request: Request, context: RouterContextProvider) => Promise<Response>;
  files: ((request: IncomingMessage, response: ServerResponse, next: () => void) => void) | null;
  forms: FormNames;
  /** Those of a path that may stand in the log. */
  words: ReadonlySet<string>;
  watchdog?: Watchdog | undefined;
}

export function createListener(options: ListenerOptions): RequestListener {
  const { deps, handle, files, words, watchdog } = options;
  const namesAt = namesByPath(options.forms);
  const pages = new PageCache(deps);
  const answers = new OfferAnswers(deps);
  const reports = { log: createRequestLog(deps), metrics: deps.metrics, words, watchdog };
  const refuse = refuseWith(deps.metrics);
  const inFlight = new InFlight(deps.env);
  const security = securityHeaders(deps.env);
  const origin = new URL(deps.env.publicUrl);
  return (request, response) => {
    const requestId = randomUUID();
    const client: Client = {
      address: clientAddress(request, deps.env.trustedProxyHeader),
      requestId,
      route: null,
    };
    reportWhenDone(reports, request, response, { client, startedAt: performance.now() });
    response.setHeader("X-Request-Id", requestId);
    for (const [name, value] of security) response.setHeader(name, value);
    const place = inFlight.take(addressKey(client.address), response);
    if (place.isOneTooMany && !isHealthCheck(request)) {
      return refuse(request, response, TOO_MANY_AT_ONCE);
    }
    const path = readPath(request.url);
    const fail = (error: unknown) => {
      const unavailable = isUnavailable(error);
      deps.log.error({ err: error, requestId }, unavailable ? "database unavailable" : "bug");
      const area = `${request.method} ${client.route ?? "no route"}`;
      if (!unavailable) noteFailure(deps, error, { area, requestId });
      if (response.headersSent) response.destroy();
      else refuse(request, response, unavailable ? UNAVAILABLE : internalFailure(requestId));
    };
    const answer = () => {
      answerDynamic(request, response, client, { read: path, place }).catch(fail);
    };
    // An error thrown from here would end the process.
    try {
      if (files && path.ok && mayBeFile(request)) files(request, response, answer);
      else answer();
    } catch (error) {
      fail(error);
    }
  };

  async function answerDynamic(
    request: IncomingMessage,
    response: ServerResponse,
    client: Client,
    { read, place }: { read: Outcome<string>; place: Place },
  ): Promise<void> {
    const { env } = deps;
    if (!METHODS.has(request.method ?? "")) {
      response.setHeader("Allow", "GET, HEAD, POST");
      return refuse(
        request,
        response,
        failure("method_not_allowed", "This method is not known here."),
      );
    }
    if (!read.ok) return refuse(request, response, read);
    const path = read.value;
    const { method = "GET" } = request;
    client.device = await readDevice(env, request.headers.cookie);
    const tooMany = countRequest(env, { ...client, method, path });
    if (tooMany) return refuse(request, response, tooMany);
    if (isCrossSiteWrite(request, path, env.publicUrl)) {
      return refuse(
        request,
        response,
        failure("cross_site", "This was sent from another site. Please use the form on our page."),
      );
    }
    const sent = await readBody(request, bodyLimit(path), place);
    if (!sent.ok) return refuse(request, response, sent);
    if (pages.serves(request)) {
      const page = await pages.read(() =>
        handle(anonymousRequest(), contextOf({ ...client, forMany: true })),
      );
      client.route = "/";
      if (page) return sendPage(request, response, page);
    }
    setPathHeaders(request, response, path);
    let body = sent.value;
    if (isFormPost(method, path)) {
      const names = namesAt(path);
      const form = await readForm(request.headers["content-type"], body, names);
      if (!form.ok) return refuse(request, response, form);
      body = form.value;
      request.headers["content-type"] = names === "file" ? FILE_TYPE : FORM_TYPE;
    }
    const question = answers.ask(request, path);
    if (question?.kept) {
      client.route = path;
      response.setHeader("Content-Type", "application/json");
      response.setHeader("Vary", "Accept-Encoding");
      return sendText(request, response, question.kept);
    }
    const fetchRequest = toFetchRequest(request, response, body);
    let answer = await handle(fetchRequest, contextOf(client));
    if (question && answer.status === 200) {
      const bytes = (await bytesOf(answer))!;
      answers.keep(question, bytes);
      answer = finishedResponse(bytes, answer);
    }
    if (answer.status === 500 && client.unavailable) return refuse(request, response, UNAVAILABLE);
    await respond(request, response, answer);
  }

  function contextOf(client: Client): RouterContextProvider {
    const context = new RouterContextProvider();
    context.set(depsContext, deps);
    context.set(clientContext, client);
    return context;
  }

  /** Without the visitor's headers, and not aborted when the visitor leaves. */
  function anonymousRequest(): Request {
    return new Request(`${deps.env.publicUrl}/`, { headers: { Accept: "text/html" } });
  }

  /** The request as the public address sees it, whatever host a proxy put inside. */
  function toFetchRequest(
    request: IncomingMessage,
    response: ServerResponse,
    body: Buffer,
  ): Request {
    const headers: Record<string, string> = {};
    for (const [name, value = ""] of Object.entries(request.headers)) {
      headers[name] = Array.isArray(value) ? value.join(", ") : value;
    }
    // The guard above has decided about the origin; the framework compares it with its own URL.
    if (headers.origin !== undefined) headers.origin = origin.origin;
    headers.host = origin.host;
    const gone = new AbortController();
    response.once("close", () => {
      if (!response.writableFinished) gone.abort();
    });
    const hasBody = request.method !== "GET" && request.method !== "HEAD" && body.length > 0;
    const asked = `${origin.origin}${request.url}`;
    // The framework gives a post to an index route without `?index` to the root route: 405.
    const url = request.method === "POST" && request.url === "/" ? `${asked}?index` : asked;
    return new Request(url, {
      method: request.method ?? "GET",
      headers,
      body: hasBody ? new Uint8Array(body) : null,
      signal: gone.signal,
    });
  }
}

/** Every file has an ending; other addresses need not be looked for among the files. */
function mayBeFile(request: IncomingMessage): boolean {
  const isRead = request.method === "GET" || request.method === "HEAD";
  return isRead && (request.url ?? "").includes(".") && !carriesBody(request);
}

/** The platform's check may share everybody's address, and restarts what does not answer it. */
function isHealthCheck(request: IncomingMessage): boolean {
  return request.url === "/health" && !carriesBody(request);
}

function internalFailure(requestId: string) {
  return failure("internal", `Something went wrong on our side. Please try again (${requestId}).`);
}
