/** The JSON envelope: one place that reads bodies, checks methods and maps outcomes to HTTP. */

import type { RouterContextProvider } from "react-router";
import type { z } from "zod";
import { type Client, clientContext, type Deps, depsContext } from "#app/core/deps.server.ts";
import { RendererBusy } from "#app/core/document-renderer.ts";
import { check } from "#app/model/check.ts";
import {
  type Failure,
  failure,
  type Outcome,
  STATUS_OF_CODE,
  UNAVAILABLE,
} from "#app/model/outcome.ts";
import { isUnavailable } from "#db/connection.server.ts";

export interface ApiCall {
  deps: Deps;
  client: Client;
  request: Request;
  /** The address as the public sees it. */
  url: URL;
  params: Record<string, string | undefined>;
  context: Readonly<RouterContextProvider>;
}

type Answer = Response | Promise<Response>;
type Handlers = Partial<
  Record<"GET" | "POST" | "PUT" | "PATCH" | "DELETE", (call: ApiCall) => Answer>
>;

interface RouteArguments {
  request: Request;
  params: Record<string, string | undefined>;
  context: Readonly<RouterContextProvider>;
}

/** Loader and action of a JSON route; every other method is answered 405 with Allow. */
export function api(handlers: Handlers): (args: RouteArguments) => Promise<Response> {
  const allow = Object.keys(handlers)
    .flatMap((method) => (method === "GET" ? ["GET", "HEAD"] : [method]))
    .join(", ");
  return async ({ request, params, context }) => {
    const method = request.method === "HEAD" ? "GET" : request.method;
    const handler = handlers[method as keyof Handlers];
    if (method === "OPTIONS") return new Response(null, { status: 204, headers: { Allow: allow } });
    if (!handler) {
      return failureJson(
        failure("method_not_allowed", `Please use ${allow.replace("GET, HEAD", "GET")} here.`),
        { Allow: allow },
      );
    }
    const deps = context.get(depsContext);
    const client = context.get(clientContext);
    try {
      const url = new URL(request.url);
      return await handler({ deps, client, request, url, params, context });
    } catch (error) {
      return unexpected(error, deps, client);
    }
  };
}

/** A database that cannot be written or a full queue is 503; anything else is a bug and 500. */
function unexpected(error: unknown, deps: Deps, client: Client): Response {
  if (error instanceof Response) return error;
  if (isUnavailable(error) || error instanceof RendererBusy) {
    deps.log.error({ err: error, requestId: client.requestId }, "unavailable");
    return failureJson(UNAVAILABLE);
  }
  deps.log.error({ err: error, requestId: client.requestId }, "bug");
  return failureJson(
    failure(
      "internal",
      `Something went wrong on our side. Please try again. Reference: ${client.requestId}`,
    ),
  );
}

export function successJson(
  data: unknown,
  init: { status?: number; headers?: HeadersInit } = {},
): Response {
  return Response.json(
    { status: "success", data },
    { status: init.status ?? 200, ...(init.headers ? { headers: init.headers } : {}) },
  );
}

export function failureJson(refusal: Failure, headers: Record<string, string> = {}): Response {
  const { code, message, errors, retryAfter } = refusal;
  return Response.json(
    { status: "error", code, message, ...(errors ? { errors } : {}) },
    {
      status: STATUS_OF_CODE[code],
      headers: retryAfter ? { "Retry-After": String(Math.ceil(retryAfter)), ...headers } : headers,
    },
  );
}

export function outcomeJson<T>(outcome: Outcome<T>, present: (value: T) => unknown): Response {
  return outcome.ok ? successJson(present(outcome.value)) : failureJson(outcome);
}

/** Reads and checks a JSON body. Refusals: `unsupported_media_type`, `malformed_json`, fields. */
export async function readJson<T extends z.ZodType>(
  request: Request,
  schema: T,
): Promise<Outcome<z.output<T>>> {
  const text = await request.text();
  let body: unknown = {};
  if (text !== "") {
    const type = request.headers.get("content-type") ?? "";
    if (!/^application\/([a-z0-9.+-]+\+)?json\s*(;|$)/i.test(type)) {
      return failure(
        "unsupported_media_type",
        "Please send JSON (Content-Type: application/json).",
      );
    }
    try {
      body = JSON.parse(text);
    } catch {
      return failure("malformed_json", "The body is not valid JSON.");
    }
  }
  return check(schema, body);
}

/** Checks query parameters; the first of a repeated one counts. */
export function readQuery<T extends z.ZodType>(url: URL, schema: T): Outcome<z.output<T>> {
  const query: Record<string, string> = {};
  for (const [name, value] of url.searchParams) {
    if (!Object.hasOwn(query, name)) query[name] = value;
  }
  return check(schema, query);
}
