/** A call of staff's that is done once, however often it is sent under one idempotency key. */

import type { Deps } from "#app/core/deps.server.ts";
import { once } from "#app/core/once.server.ts";
import { failureJson, readIdempotencyKey, successJson } from "#app/http/json.server.ts";
import type { Outcome } from "#app/model/outcome.ts";
import type { Made } from "#db/queries/stored-answers.server.ts";

interface OnceCall {
  request: Request;
  deps: Deps;
}

/** `made` names what was done; `answer` tells it as it is at the time, for a repeat too. */
export function onceForKey<T>(
  { request, deps }: OnceCall,
  body: Record<string, unknown>,
  work: () => Outcome<T>,
  made: (value: T) => Made,
  answer: (made: Made) => unknown,
  status = 200,
): Response {
  const key = readIdempotencyKey(request);
  if (!key.ok) return failureJson(key);
  const call = `${request.method} ${new URL(request.url).pathname}`;
  const done = once(deps, { key: key.value, call, body }, work, made);
  return done.ok ? successJson(answer(done.value), { status }) : failureJson(done);
}
