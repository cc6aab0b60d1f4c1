/** The gate of the admin's pages. */
import {
  createContext,
  type MiddlewareFunction,
  type RouterContextProvider,
  redirect,
} from "react-router";
import { safeRedirect } from "remix-utils/safe-redirect";
import { depsContext } from "#app/core/deps.server.ts";
import type { Actor } from "#app/model/actor.ts";
import { type LiveSession, readSession } from "./session.server.ts";

/** Set by the gate for everything behind it. */
export const adminContext = createContext<LiveSession>();

/** Who acts, behind the gate. */
export function actorOf(context: Readonly<RouterContextProvider>): Actor & { kind: "admin" } {
  return { kind: "admin", username: context.get(adminContext).admin.username };
}

const SIGN_IN = "/admin";

/** Middleware of the gated pages: without a live session the sign-in, which leads back here. */
export const requireAdmin: MiddlewareFunction<Response> = async ({ request, url, context }) => {
  const session = await readSession(context.get(depsContext), request);
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
