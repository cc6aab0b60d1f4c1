/** The JSON envelope: one place that reads bodies, checks methods and maps outcomes to HTTP. */

import type { LoaderFunctionArgs } from "react-router";
import type { z } from "zod";
import { type Client, clientContext, type Deps, depsContext } from "#app/core/deps.server.ts";
import { betweenSlices } from "#app/core/work-queue.server.ts";
import { check } from "#app/model/check.ts";
import {
  type Failure,
  failure,
  invalid,
  type Outcome,
  STATUS_OF_CODE,
  success,
} from "#app/model/outcome.ts";

interface Call extends LoaderFunctionArgs {
  deps: Deps;
  client: Client;
}

type Answer = Response | Promise<Response>;
type Handlers = Partial<
  Record<"GET" | "POST" | "PUT" | "PATCH" | "DELETE", (call: Call) => Answer>
>;

/** Loader and action of a call; every method without a handler is answered 405 with Allow. */
export function methods(handlers: Handlers): (args: LoaderFunctionArgs) => Answer {
  const allow = Object.keys(handlers).join(", ").replace("GET", "GET, HEAD");
  return (args) => {
    const { method } = args.request;
    const headers = { Allow: allow };
    if (method === "OPTIONS") return new Response(null, { status: 204, headers });
    const handler = handlers[(method === "HEAD" ? "GET" : method) as keyof Handlers];
    if (!handler) {
      const instead = `Please use ${Object.keys(handlers).join(", ")} here.`;
      return failureJson(failure("method_not_allowed", instead), headers);
    }
    const { context } = args;
    return handler({ ...args, deps: context.get(depsContext), client: context.get(clientContext) });
  };
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

const SLICE = 200;

/**
 * As `successJson` of a list under `name` and the rest; other requests are served between its slices.
 * `make` gives what stands there of some items.
 */
export async function slicedJson<T>(
  name: string,
  items: readonly T[],
  make: (some: readonly T[]) => readonly unknown[],
  rest: object,
): Promise<Response> {
  const parts: string[] = [];
  for (let start = 0; start < items.length; start += SLICE) {
    if (start > 0) await betweenSlices();
    parts.push(JSON.stringify(make(items.slice(start, start + SLICE))).slice(1, -1));
  }
  const list = parts.filter(Boolean).join(",");
  const body = `{"status":"success","data":{"${name}":[${list}],${JSON.stringify(rest).slice(1)}}`;
  return new Response(body, { headers: { "Content-Type": "application/json" } });
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

/** A handler that is given the checked JSON body, or is not asked. */
export function withBody<T extends z.ZodType>(
  schema: T,
  handle: (body: z.output<T>, call: Call) => Answer,
): (call: Call) => Promise<Response> {
  return async (call) => {
    const body = await readJson(call.request, schema);
    return body.ok ? handle(body.value, call) : failureJson(body);
  };
}

/** Printable, and short enough for an index. */
const KEY_PATTERN = /^[\x21-\x7e]{1,200}$/;

/** Null without one. Refusal: `validation_failed`. */
export function readIdempotencyKey({ headers }: Request): Outcome<string | null> {
  const key = headers.get("idempotency-key");
  if (key === null || KEY_PATTERN.test(key)) return success(key);
  return invalid({ "Idempotency-Key": ["Please send 1 to 200 plain characters"] });
}

/** A handler that is given the checked query, or is not asked. */
export function withQuery<T extends z.ZodType>(
  schema: T,
  handle: (query: z.output<T>, call: Call) => Answer,
): (call: Call) => Answer {
  return (call) => {
    const query = readQuery(call.url, schema);
    return query.ok ? handle(query.value, call) : failureJson(query);
  };
}

/** Refusals: `unsupported_media_type`, `malformed_json`, fields. */
async function readJson<T extends z.ZodType>(
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

/** The first of a repeated one counts. */
export function readQuery<T extends z.ZodType>(url: URL, schema: T): Outcome<z.output<T>> {
  const query: Record<string, string> = {};
  for (const [name, value] of url.searchParams) {
    if (!Object.hasOwn(query, name)) query[name] = value;
  }
  return check(schema, query);
}
