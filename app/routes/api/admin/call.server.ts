/** What the calls of the admin area share: who asks, of whom, and what is done once for a key. */
import type { z } from "zod";
import { actorOf, ownCounselor, refuseOthers } from "#app/auth/require-admin.server.ts";
import { readCatalogue } from "#app/catalogue/read.server.ts";
import { runOnce } from "#app/core/change.server.ts";
import type { Deps } from "#app/core/deps.server.ts";
import {
  type Call,
  calls,
  type Handlers,
  readIdempotencyKey,
  running,
  withBody,
} from "#app/http/json.server.ts";
import type { Actor } from "#app/model/actor.ts";
import { type Counselor, counselorKeyed, counselorNamed } from "#app/model/catalogue.ts";
import { failure, type Outcome } from "#app/model/outcome.ts";
import type { Made } from "#db/queries/holds.server.ts";

export interface AdminCall extends Call {
  actor: Actor & { kind: "admin" };
  /** The key of the captain whose sessions and days alone are theirs; null for owners and staff. */
  own: string | null;
  /** The path's one parameter: an id, a key or a name; empty in a path without one. */
  named: string;
}

/** As `calls`, behind the gate of `layout.ts`. */
export function adminCalls(table: Readonly<Record<string, Handlers<AdminCall>>>) {
  return calls(table, (call) => ({
    ...call,
    actor: actorOf(call.context),
    own: ownCounselor(call.context),
    named: Object.values(call.params)[0] ?? "",
  }));
}

/** Refusals: `validation_failed` for a name that is none, `forbidden` for a captain's of another. */
export function counselorOf(call: AdminCall, name: string): Outcome<Counselor> {
  return ownOnly(call, counselorNamed(readCatalogue(call.deps.db), name));
}

/** The one whose key stands in the path. Refusals: `not_found`, `forbidden`. */
export function counselorAt(call: AdminCall): Outcome<Counselor> {
  return ownOnly(call, counselorKeyed(readCatalogue(call.deps.db), call.named));
}

function ownOnly(call: AdminCall, counselor: Outcome<Counselor>): Outcome<Counselor> {
  return (counselor.ok && refuseOthers(call, counselor.value.key)) || counselor;
}

type Run<T, B extends unknown[]> = (
  deps: Deps,
  actor: AdminCall["actor"],
  named: string,
  ...body: B
) => Outcome<T> | Promise<Outcome<T>>;

type Present<T> = (value: T, call: AdminCall) => unknown;

/** A call without a body: its operation, and what is answered of the value. */
export function operation<T>(run: Run<T, []>, present: Present<T>) {
  return running(({ deps, actor, named }: AdminCall) => run(deps, actor, named), present);
}

/** A call with a body: its schema, its operation, and what is answered of the value. */
export function operationWith<S extends z.ZodType, T>(
  schema: S,
  run: Run<T, [z.output<S>]>,
  present: Present<T>,
) {
  return withBody(
    schema,
    (body, { deps, actor, named }: AdminCall) => run(deps, actor, named, body),
    present,
  );
}

/**
 * Runs an operation once, however often the call is sent under one `Idempotency-Key`. `made` names
 * what was done; a repeat is answered with that as it is by then. Refusals beside those of the
 * operation: `validation_failed` for a key of another form, `idempotency_conflict`.
 */
export function onceForKey<T>(
  { request, deps }: AdminCall,
  body: Record<string, unknown>,
  run: () => Outcome<T>,
  made: (value: T) => Made,
): Outcome<Made> {
  const key = readIdempotencyKey(request);
  if (!key.ok) return key;
  const call = `${request.method} ${new URL(request.url).pathname}`;
  return runOnce(deps, { key: key.value, call, body }, run, made);
}

/** By what the call says of its body. */
export function isPicture({ headers }: Request): boolean {
  return /^image\/(png|jpeg|webp)\s*(;|$)/i.test(headers.get("content-type") ?? "");
}

export const NO_PICTURE_TYPE = failure(
  "unsupported_media_type",
  "Please send a picture (Content-Type: image/png, image/jpeg or image/webp).",
);
