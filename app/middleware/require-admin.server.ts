/** The gate of the admin area: pages are sent to the sign-in, calls are answered 401. */

import {
  createContext,
  type MiddlewareFunction,
  type RouterContextProvider,
  redirect,
} from "react-router";
import { safeRedirect } from "remix-utils/safe-redirect";
import { type ApiCall, api, failureJson } from "#app/api-contract/api.server.ts";
import { type LiveSession, readSession } from "#app/auth/session.server.ts";
import type { Actor } from "#app/booking/actor.ts";
import { depsContext } from "#app/lib/deps.server.ts";
import { failure } from "#app/lib/outcome.ts";

/** Set by the gate for everything behind it. */
export const adminContext = createContext<LiveSession>();

const SIGN_IN = "/admin";

/** Middleware of the gated pages: without a live session the sign-in, which leads back here. */
export const requireAdmin: MiddlewareFunction<Response> = ({ request, url, context }) => {
  const session = readSession(context.get(depsContext), request);
  if (!session) throw redirect(signInPath(request.method === "GET" ? url : null));
  context.set(adminContext, session);
};

/** The sign-in's address with the way back. */
function signInPath(asked: URL | null): string {
  const path = asked ? asked.pathname + asked.search : SIGN_IN;
  return path === SIGN_IN ? SIGN_IN : `${SIGN_IN}?${new URLSearchParams({ next: path })}`;
}

/** Where to go after signing in: only pages of the admin area of this site. */
export function pathAfterSignIn(next: string | null | undefined): string {
  const path = safeRedirect(next, SIGN_IN);
  return /^\/admin([/?]|$)/.test(path) && !/%2e|\\/i.test(path) ? path : SIGN_IN;
}

export interface AdminCall extends ApiCall {
  session: LiveSession;
  actor: Actor & { kind: "admin" };
}

type Answer = Response | Promise<Response>;
type AdminHandlers = Partial<
  Record<"GET" | "POST" | "PUT" | "PATCH" | "DELETE", (call: AdminCall) => Answer>
>;

const UNAUTHENTICATED = failure("unauthenticated", "Please sign in.");

/** Who calls, or the 401. */
function requireAdminCall(
  call: Pick<ApiCall, "deps" | "request">,
): Pick<AdminCall, "session" | "actor"> | Response {
  const session = readSession(call.deps, call.request);
  if (!session) {
    return failureJson(UNAUTHENTICATED, { "WWW-Authenticate": 'Bearer realm="admin"' });
  }
  return { session, actor: { kind: "admin", username: session.admin.username } };
}

interface RouteArguments {
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
