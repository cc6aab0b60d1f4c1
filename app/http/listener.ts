/** Handles a request step by step: identity, files, guards, body, React Router, response. */
import { randomUUID } from "node:crypto";
import type { IncomingMessage, RequestListener, ServerResponse } from "node:http";
import { RouterContextProvider } from "react-router";
import { addressKey, clientAddress } from "#app/core/client-address.ts";
import { readDevice } from "#app/core/cookies.server.ts";
import { type Client, clientContext, type Deps, depsContext } from "#app/core/deps.server.ts";
import { noteFailure } from "#app/core/failures.server.ts";
import type { Watchdog } from "#app/http/watchdog/watchdog.ts";
import { type Failure, failure, type Outcome, UNAVAILABLE } from "#app/model/outcome.ts";
import { finishedResponse, sendText } from "#app/speed/compress.ts";
import { OfferAnswers, type ReadOfferQuery } from "#app/speed/offer-answers.server.ts";
import { PageCache, sendPage } from "#app/speed/page-cache.ts";
import { isUnavailable } from "#db/connection.server.ts";
import { Admission } from "./admission.ts";
import { bodyLimit, carriesBody, readBody } from "./body.ts";
import { FILE_TYPE, FORM_TYPE, formKind, isFormPost, readForm } from "./form.ts";
import { isCrossSiteWrite, securityHeaders, setPathHeaders } from "./headers.ts";
import { isPage, readPath } from "./path.ts";
import { countRequest, isExempt } from "./rate-limits.ts";
import { reportWhenDone } from "./request-log.server.ts";
import { refuseWith, respond, textOf } from "./respond.ts";

const METHODS_OF_PAGES = ["GET", "HEAD", "POST"];
const METHODS_OF_CALLS = [...METHODS_OF_PAGES, "PUT", "PATCH", "DELETE", "OPTIONS"];
const UNKNOWN_METHOD = failure("method_not_allowed", "This method is not known here.");

const JSON_HEADERS = { "Content-Type": "application/json" };

/** Bytes. A longer response counts for its client until it is sent. */
const LONG_RESPONSE = 256 * 1024;

interface ListenerOptions {
  deps: Deps;
  handle: (request: Request, context: RouterContextProvider) => Promise<Response>;
  files: ((request: IncomingMessage, response: ServerResponse, next: () => void) => void) | null;
  /** The id of the signed-in account; null for none. */
  accountOf: (headers: Pick<Headers, "get">) => Promise<string | null>;
  readOfferQuery: ReadOfferQuery;
  /** Segments of paths that may be logged. */
  words: ReadonlySet<string>;
  /** What `Allow` says of a page. */
  pageMethodsOf: (path: string) => string;
  watchdog?: Watchdog | undefined;
}

export function createListener(options: ListenerOptions): RequestListener {
  const { deps, handle, files, words, watchdog, accountOf } = options;
  const pages = new PageCache(deps);
  const answers = new OfferAnswers(deps, options.readOfferQuery);
  // Redaction takes longer than the rest of logging, and request lines contain no secrets.
  const log = deps.log.child({}, { redact: [] });
  const reports = { log, metrics: deps.metrics, words, watchdog };
  const refuse = refuseWith(deps.metrics);
  const admission = new Admission(deps.env);
  const security = securityHeaders(deps.env);
  const origin = new URL(deps.env.publicUrl);
  return (request, response) => {
    const requestId = randomUUID();
    const client: Client = {
      address: clientAddress(request, deps.env.trustedProxyHeader),
      requestId,
      route: null,
    };
    const path = readPath(request.url);
    const canonical = path.ok ? path.value : null;
    reportWhenDone(reports, request, response, client, canonical);
    response.setHeader("X-Request-Id", requestId);
    for (const [name, value] of security) response.setHeader(name, value);
    const fail = (error: unknown) => {
      const unavailable = isUnavailable(error);
      deps.log.error({ err: error, requestId }, unavailable ? "database unavailable" : "bug");
      const area = `${request.method} ${client.route ?? "no route"}`;
      if (!unavailable) noteFailure(deps, error, { area, requestId });
      if (response.headersSent) response.destroy();
      else refuse(request, response, unavailable ? UNAVAILABLE : internalFailure(requestId));
    };
    const answer = () => {
      answerDynamic(request, response, client, path).catch(fail);
    };
    // An error thrown from here would end the process.
    try {
      if (files && canonical && mayBeFile(request, canonical)) files(request, response, answer);
      else answer();
    } catch (error) {
      fail(error);
    }
  };

  async function answerDynamic(
    request: IncomingMessage,
    response: ServerResponse,
    client: Client,
    read: Outcome<string>,
  ): Promise<void> {
    const { env } = deps;
    const deny = (refusal: Failure) => refuse(request, response, refusal);
    if (!read.ok) return deny(read);
    const path = read.value;
    const { method = "GET" } = request;
    const denyMethod = (allowed: string) => {
      response.setHeader("Allow", allowed);
      deny(UNKNOWN_METHOD);
    };
    client.device = await readDevice(env, request.headers.cookie);
    const tooMany = countRequest(deps, { ...client, method, path });
    if (tooMany) return deny(tooMany);
    // The framework would take any write of a page for a POST.
    if (isPage(path) && !METHODS_OF_PAGES.includes(method)) {
      return denyMethod(options.pageMethodsOf(path));
    }
    if (isCrossSiteWrite(request, path, env.publicUrl)) {
      const words = "This was sent from another site. Please use the form on our page.";
      return deny(failure("cross_site", words));
    }
    if (!carriesBody(request) && (await sendKept(request, response, client, path))) return;
    const exempt = isExempt({ method, path });
    const key = exempt ? `${path} ${addressKey(client.address)}` : await keyOf(request, client);
    const entered = admission.enter(key, response, exempt);
    if (!entered.ok) return deny(entered);
    const place = entered.value;
    const sent = await readBody(request, bodyLimit(path), place);
    if (!sent.ok) return deny(sent);
    const query = pages.queryOf(request);
    if (query !== null) {
      const render = () => handle(anonymousRequest(query), contextOf({ ...client, forMany: true }));
      const page = await place.work(() => pages.read(query, render));
      if (!page.ok) return deny(page);
      client.route = "/";
      if (page.value) return sendPage(request, response, page.value);
    }
    setPathHeaders(request, response, path);
    let body = sent.value;
    if (isFormPost(method, path)) {
      const kind = formKind(path);
      const form = await readForm(request.headers["content-type"], body, kind);
      if (!form.ok) return deny(form);
      body = form.value;
      request.headers["content-type"] = kind === "file" ? FILE_TYPE : FORM_TYPE;
    }
    const answered = await place.work(async () => {
      // Another request may have stored the response meanwhile.
      const question = answers.ask(request, path);
      if (question?.kept) return finishedResponse(question.kept, { headers: JSON_HEADERS });
      const made = await handle(toFetchRequest(request, place.signal, body), contextOf(client));
      const text = await textOf(made);
      if (question && text && made.status === 200) answers.keep(question, text);
      const length = text?.length ?? Number(made.headers.get("content-length"));
      if (length > LONG_RESPONSE) place.sendsMuch();
      return text ? finishedResponse(text, made) : made;
    });
    if (!answered.ok) return deny(answered);
    const answer = answered.value;
    if (answer.status === 500 && client.unavailable) return deny(UNAVAILABLE);
    // The call was asked for its methods.
    const allowed = METHODS_OF_CALLS.includes(method) ? null : answer.headers.get("allow");
    if (allowed !== null) return denyMethod(allowed);
    await respond(request, response, answer);
  }

  /** Sends a stored response without queueing, like a file; false if none is stored. */
  async function sendKept(
    request: IncomingMessage,
    response: ServerResponse,
    client: Client,
    path: string,
  ): Promise<boolean> {
    const query = pages.queryOf(request);
    const page = query === null ? null : pages.find(query);
    if (page) {
      client.route = "/";
      sendPage(request, response, page);
      return true;
    }
    const kept = answers.ask(request, path)?.kept;
    if (!kept) return false;
    client.route = path;
    setPathHeaders(request, response, path);
    response.setHeader("Content-Type", "application/json");
    response.setHeader("Vary", "Accept-Encoding");
    await sendText(request, response, kept);
    return true;
  }

  /** Names the client by its signed-in account, else by its address. */
  async function keyOf(request: IncomingMessage, { address }: Client): Promise<string> {
    const key = addressKey(address);
    const get = (name: string) => request.headers[name]?.toString() ?? null;
    const { authorization, cookie } = request.headers;
    if (authorization === undefined && cookie === undefined) return key;
    // If the account cannot be read, the route's own check reports it.
    return (await accountOf({ get }).catch(() => null)) ?? key;
  }

  function contextOf(client: Client): RouterContextProvider {
    const context = new RouterContextProvider();
    context.set(depsContext, deps);
    context.set(clientContext, client);
    return context;
  }

  /** Without the visitor's headers, and not aborted when the visitor disconnects. */
  function anonymousRequest(query: string): Request {
    return new Request(`${deps.env.publicUrl}/${query}`, { headers: { Accept: "text/html" } });
  }

  /** The request with the host of the public address, whatever host a proxy has set. */
  function toFetchRequest(request: IncomingMessage, signal: AbortSignal, body: Buffer): Request {
    const headers: Record<string, string> = {};
    for (const [name, value = ""] of Object.entries(request.headers)) {
      headers[name] = Array.isArray(value) ? value.join(", ") : value;
    }
    // `isCrossSiteWrite` has checked the origin; the framework would compare it with its own URL.
    if (headers.origin !== undefined) headers.origin = origin.origin;
    headers.host = origin.host;
    const { method = "GET" } = request;
    const hasBody = method !== "GET" && method !== "HEAD" && body.length > 0;
    const asked = `${origin.origin}${request.url}`;
    // Without `?index` the framework passes a POST to the root route, which answers 405.
    const url = method === "POST" && request.url === "/" ? `${asked}?index` : asked;
    return new Request(url, {
      // The framework refuses unknown methods before a call could name its own.
      method: METHODS_OF_CALLS.includes(method) ? method : "OPTIONS",
      headers,
      body: hasBody ? new Uint8Array(body) : null,
      signal,
    });
  }
}

/** Every file of the client build has an extension. */
function mayBeFile(request: IncomingMessage, path: string): boolean {
  const isRead = request.method === "GET" || request.method === "HEAD";
  return isRead && path.includes(".") && !carriesBody(request);
}

function internalFailure(requestId: string) {
  return failure("internal", `Something went wrong on our side. Please try again (${requestId}).`);
}
