/** The gate of the admin area: pages are sent to the sign-in, calls are answered 401. */

import { createContext, type MiddlewareFunction, redirect } from "react-router";
import { safeRedirect } from "remix-utils/safe-redirect";
import { depsContext } from "#app/core/deps.server.ts";
import { type LiveSession, readSession } from "./session.server.ts";
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
