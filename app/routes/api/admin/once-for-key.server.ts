/** A call of staff's that is done once, however often it is sent under one idempotency key. */

import type { Deps } from "#app/core/deps.server.ts";
import { once } from "#app/core/once.server.ts";
import { failureJson, readIdempotencyKey, successJson } from "#app/http/json.server.ts";
import type { Outcome } from "#app/model/outcome.ts";

interface OnceCall {
  request: Request;
  deps: Deps;
}

/** `answer` tells of what was done the appointment it belongs to, and the data to answer. */
export function onceForKey<T>(
  { request, deps }: OnceCall,
  body: Record<string, unknown>,
  work: () => Outcome<T>,
  answer: (value: T) => { appointmentId: string; data: unknown },
  status = 200,
): Response {
  const key = readIdempotencyKey(request);
  if (!key.ok) return failureJson(key);
  const call = `${request.method} ${new URL(request.url).pathname}`;
  const done = once(deps, { key: key.value, call, body }, work, answer);
  return done.ok ? successJson(done.value, { status }) : failureJson(done);
}
