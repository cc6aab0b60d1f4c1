/** The gate of the admin's calls. */
import type { RouterContextProvider } from "react-router";
import { adminContext } from "#app/auth/require-admin.server.ts";
import { type LiveSession, readSession } from "#app/auth/session.server.ts";
import { depsContext } from "#app/core/deps.server.ts";
import { type ApiCall, api, failureJson } from "#app/http/json.server.ts";
import type { Actor } from "#app/model/actor.ts";
import { failure } from "#app/model/outcome.ts";

export interface AdminCall extends ApiCall {
  session: LiveSession;
  actor: Actor & { kind: "admin" };
}

export type Answer = Response | Promise<Response>;

export type AdminHandlers = Partial<
  Record<"GET" | "POST" | "PUT" | "PATCH" | "DELETE", (call: AdminCall) => Answer>
>;

export const UNAUTHENTICATED = failure("unauthenticated", "Please sign in.");

/** Who calls, or the 401. */
export function requireAdminCall(
  call: Pick<ApiCall, "deps" | "request">,
): Pick<AdminCall, "session" | "actor"> | Response {
  const session = readSession(call.deps, call.request);
  if (!session) {
    return failureJson(UNAUTHENTICATED, { "WWW-Authenticate": 'Bearer realm="admin"' });
  }
  return { session, actor: { kind: "admin", username: session.admin.username } };
}

export interface RouteArguments {
  request: Request;
  params: Record<string, string | undefined>;
  context: Readonly<RouterContextProvider>;
}

/**
 * Loader and action of a JSON route behind the gate. Without a live session every method is 401,
 * also those that the call does not have.
 */
export function adminApi(handlers: AdminHandlers): (args: RouteArguments) => Promise<Response> {
  const entries = Object.entries(handlers) as [keyof AdminHandlers, (call: AdminCall) => Answer][];
  const inner = api(
    Object.fromEntries(
      entries.map(([method, handler]) => [
        method,
        (call: ApiCall) => {
          const session = call.context.get(adminContext);
          return handler({
            ...call,
            session,
            actor: { kind: "admin", username: session.admin.username },
          });
        },
      ]),
    ),
  );
  const gate = (call: ApiCall): Answer => {
    const who = requireAdminCall(call);
    if (who instanceof Response) return who;
    call.context.set(adminContext, who.session);
    return inner({ request: call.request, params: call.params, context: call.context });
  };
  const outer = api({ GET: gate, POST: gate, PUT: gate, PATCH: gate, DELETE: gate });
  return (args) => {
    if (args.request.method !== "OPTIONS") return outer(args);
    const who = requireAdminCall({ deps: args.context.get(depsContext), request: args.request });
    return who instanceof Response ? Promise.resolve(who) : inner(args);
  };
}
