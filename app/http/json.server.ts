/** JSON calls: reads bodies and queries, checks methods, and turns outcomes into HTTP responses. */
import type { LoaderFunctionArgs } from "react-router";
import type { z } from "zod";
import { KEY_CONFLICT } from "#app/core/change.server.ts";
import { type Client, clientContext, type Deps, depsContext } from "#app/core/deps.server.ts";
import { betweenSlices } from "#app/core/work-queue.server.ts";
import { check } from "#app/model/fields.ts";
import {
  type Failure,
  failure,
  invalid,
  type Outcome,
  STATUS_OF_CODE,
  success,
} from "#app/model/outcome.ts";
import { finishedResponse } from "#app/speed/compress.ts";
import { findStoredAnswer } from "#db/queries/holds.server.ts";

export interface Call extends LoaderFunctionArgs {
  deps: Deps;
  client: Client;
}

type Answer = Response | Promise<Response>;
type Handler<C> = (call: C) => Answer;
type Method = "GET" | "POST" | "PUT" | "PATCH" | "DELETE";

export type Handlers<C = Call> = Partial<Record<Method, Handler<C>>>;

/**
 * The loader and action of a file that serves the routes in `table`, by their patterns. A method
 * without a handler is answered 405 with Allow. `complete` adds to what handlers are given.
 */
export function calls<C extends Call = Call>(
  table: Readonly<Record<string, Handlers<C>>>,
  complete: (call: Call) => C = (call) => call as C,
): (args: LoaderFunctionArgs) => Answer {
  return (args) => {
    const { context, pattern, request } = args;
    const { method } = request;
    const handlers = table[pattern.replace(/^\//, "")]!;
    const handler = handlers[(method === "HEAD" ? "GET" : method) as Method];
    if (handler) {
      const deps = context.get(depsContext);
      return handler(complete({ ...args, deps, client: context.get(clientContext) }));
    }
    const allowed = Object.keys(handlers).join(", ");
    const headers = { Allow: allowed.replace("GET", "GET, HEAD") };
    if (method === "OPTIONS") return new Response(null, { status: 204, headers });
    return failureJson(failure("method_not_allowed", `Please use ${allowed} here.`), headers);
  };
}

type Eventually<T> = T | Promise<T>;

/** Turns an operation's value into the response's data, or into (a promise of) the response. */
type Present<T, C> = (value: T, call: C) => unknown;

/** A handler that runs an operation and answers with its value or refusal. */
export function running<T, C extends Call = Call>(
  run: (call: C) => Eventually<Outcome<T>>,
  present?: Present<T, C>,
): Handler<C> {
  return (call) => answerOf(run(call), call, present);
}

/** Like `running`, with the checked JSON body; an invalid one is refused. */
export function withBody<S extends z.ZodType, T, C extends Call = Call>(
  schema: S,
  run: (body: z.output<S>, call: C) => Eventually<Outcome<T>>,
  present?: Present<T, C>,
  status?: number,
): Handler<C> {
  return async (call) => {
    const body = await readJson(call.request, schema);
    return answerOf(body.ok ? run(body.value, call) : body, call, present, status);
  };
}

/** Like `running`, with the checked query; an invalid one is refused. */
export function withQuery<S extends z.ZodType, T, C extends Call = Call>(
  schema: S,
  run: (query: z.output<S>, call: C) => Eventually<Outcome<T>>,
  present?: Present<T, C>,
): Handler<C> {
  return (call) => {
    const query = readQuery(call.url, schema);
    return answerOf(query.ok ? run(query.value, call) : query, call, present);
  };
}

/** A synchronous outcome is answered at once, before any background work that it has started. */
function answerOf<T, C>(
  outcome: Eventually<Outcome<T>>,
  call: C,
  present: Present<T, C> = (value) => value,
  status = 200,
): Answer {
  if (outcome instanceof Promise) {
    return outcome.then((done) => answerOf(done, call, present, status));
  }
  if (!outcome.ok) return failureJson(outcome);
  const data = present(outcome.value, call);
  const isResponse = data instanceof Response || data instanceof Promise;
  return isResponse ? data : successJson(data, { status });
}

export function successJson(data: unknown, init?: ResponseInit): Response {
  return Response.json({ status: "success", data }, init);
}

const SLICE = 200;

/**
 * Like `successJson`, for a long list under `name` beside `rest`; other requests are served between
 * its slices. `make` turns some items into their JSON data.
 */
export async function slicedJson<T>(
  name: string,
  items: readonly T[],
  make: (some: readonly T[]) => readonly unknown[],
  rest: object,
): Promise<Response> {
  // Encoded slice by slice: encoding all of it at the end would hold up other requests.
  const pieces = [Buffer.from(`{"status":"success","data":{"${name}":[`)];
  for (let start = 0; start < items.length; start += SLICE) {
    if (start > 0) await betweenSlices();
    const list = JSON.stringify(make(items.slice(start, start + SLICE))).slice(1, -1);
    if (list !== "") pieces.push(Buffer.from(pieces.length > 1 ? `,${list}` : list));
  }
  pieces.push(Buffer.from(`],${JSON.stringify(rest).slice(1)}}`));
  return finishedResponse(Buffer.concat(pieces), {
    headers: { "Content-Type": "application/json" },
  });
}

export function failureJson(refusal: Failure, headers: Record<string, string> = {}): Response {
  const { code, message, errors } = refusal;
  return Response.json(
    { status: "error", code, message, ...(errors ? { errors } : {}) },
    { status: STATUS_OF_CODE[code], headers: { ...retryHeaders(refusal), ...headers } },
  );
}

export function retryHeaders({ retryAfter }: Failure): Record<string, string> {
  return retryAfter ? { "Retry-After": String(Math.ceil(retryAfter)) } : {};
}

/** Printable, and short enough for an index. */
const KEY_PATTERN = /^[\x21-\x7e]{1,200}$/;

/** The Idempotency-Key; null without one. Refusal: `validation_failed`. */
export function readIdempotencyKey({ headers }: Request): Outcome<string | null> {
  const key = headers.get("idempotency-key");
  if (key === null || KEY_PATTERN.test(key)) return success(key);
  return invalid({ "Idempotency-Key": ["Please send 1 to 200 plain characters"] });
}

/** For a call that takes keys: with a used one, a body that is refused is another body, not a wrong one. */
export function keyed<C extends Call>(handler: Handler<C>): Handler<C> {
  return async (call) => {
    const answer = await handler(call);
    const key = call.request.headers.get("idempotency-key");
    const isUsed = answer.status === 400 && key && findStoredAnswer(call.deps.db, key);
    return isUsed ? failureJson(KEY_CONFLICT) : answer;
  };
}

/** In a POST null leaves a field out, but not `refund`, which must not fall back to its default. */
const nullIsAbsent = (name: string, value: unknown) =>
  name === "refund" ? value : (value ?? undefined);

const NULL_IN_CHANGE = new Map<string, string | undefined>([
  ["version", undefined],
  ["override", undefined],
  ["counselor", undefined],
  ["notes", ""],
  ["staffNote", ""],
]);

/** In a PUT or PATCH null may be a value, as of `attendance`; these it leaves out, or empties. */
const nullInChange = (name: string, value: unknown) =>
  value === null && NULL_IN_CHANGE.has(name) ? NULL_IN_CHANGE.get(name) : value;

/** Refusals: `unsupported_media_type`, `malformed_json`, `validation_failed`. */
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
      body = JSON.parse(text, request.method === "POST" ? nullIsAbsent : nullInChange);
    } catch {
      return failure("malformed_json", "The body is not valid JSON.");
    }
  }
  return check(schema, body);
}

/** Of a repeated parameter the first counts. Refusal: `validation_failed`. */
export function readQuery<T extends z.ZodType>(url: URL, schema: T): Outcome<z.output<T>> {
  const query: Record<string, string> = {};
  for (const [name, value] of url.searchParams) {
    if (!Object.hasOwn(query, name)) query[name] = value;
  }
  return check(schema, query);
}
