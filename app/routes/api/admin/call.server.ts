/** What the admin calls share: the signed-in account, the captain named, idempotency keys. */
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
  /** The key of the signed-in captain; null for owners and staff, who see all captains. */
  own: string | null;
  /** The path's one parameter: an id, a key or a name; empty in a path without one. */
  named: string;
}

/** Like `calls`, behind the gate of `layout.ts`. */
export function adminCalls(table: Readonly<Record<string, Handlers<AdminCall>>>) {
  return calls(table, (call) => ({
    ...call,
    actor: actorOf(call.context),
    own: ownCounselor(call.context),
    named: Object.values(call.params)[0] ?? "",
  }));
}

/** The captain of a name. Refusals: `validation_failed` (unknown), `forbidden` (not their own). */
export function counselorOf(call: AdminCall, name: string): Outcome<Counselor> {
  return ownOnly(call, counselorNamed(readCatalogue(call.deps.db), name));
}

/** The captain whose key is in the path. Refusals: `not_found`, `forbidden`. */
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

/** Handles a call without a body; `present` makes the response from the operation's value. */
export function operation<T>(run: Run<T, []>, present: Present<T>) {
  return running(({ deps, actor, named }: AdminCall) => run(deps, actor, named), present);
}

/** Handles a call with a body; `present` makes the response from the operation's value. */
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
 * Runs an operation once per `Idempotency-Key`. `made` names what was done, of which a repeat gets
 * the current state. Refusals besides the operation's: `validation_failed` (a malformed key),
 * `idempotency_conflict`.
 */
export function onceForKey<B extends Record<string, unknown>, T>(
  run: (deps: Deps, actor: AdminCall["actor"], named: string, body: B) => Outcome<T>,
  made: (value: T, named: string) => Made,
) {
  return (body: B, { request, deps, actor, named }: AdminCall): Outcome<Made> => {
    const key = readIdempotencyKey(request);
    if (!key.ok) return key;
    const call = `${request.method} ${new URL(request.url).pathname}`;
    const work = () => run(deps, actor, named, body);
    return runOnce(deps, { key: key.value, call, body }, work, (value) => made(value, named));
  };
}

/** Judged by the content type. */
export function isPicture({ headers }: Request): boolean {
  return /^image\/(png|jpeg|webp)\s*(;|$)/i.test(headers.get("content-type") ?? "");
}

export const NO_PICTURE_TYPE = failure(
  "unsupported_media_type",
  "Please send a picture (Content-Type: image/png, image/jpeg or image/webp).",
);
