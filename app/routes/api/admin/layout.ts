/** The gate of the admin's calls: without a live session every method is answered 401. */
import type { MiddlewareFunction } from "react-router";
import { adminContext } from "#app/auth/require-admin.server.ts";
import { readSession } from "#app/auth/session.server.ts";
import { depsContext } from "#app/core/deps.server.ts";
import { failureJson } from "#app/http/json.server.ts";
import { failure } from "#app/model/outcome.ts";

const UNAUTHENTICATED = failure("unauthenticated", "Please sign in.");

const requireSession: MiddlewareFunction<Response> = async ({ request, context }) => {
  const session = await readSession(context.get(depsContext), request);
  if (!session) return failureJson(UNAUTHENTICATED, { "WWW-Authenticate": 'Bearer realm="admin"' });
  context.set(adminContext, session);
};

export const middleware = [requireSession];
