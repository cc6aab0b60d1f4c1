/** The gate of the admin calls: checks session and role before the method. */
import type { MiddlewareFunction } from "react-router";
import { adminContext, admit } from "#app/auth/require-admin.server.ts";
import { depsContext } from "#app/core/deps.server.ts";
import { failureJson } from "#app/http/json.server.ts";

const BEARER = { "WWW-Authenticate": 'Bearer realm="admin"' };

const requireSession: MiddlewareFunction<Response> = async ({ request, context, pattern }) => {
  const admitted = await admit(context.get(depsContext), request, pattern);
  if (!admitted.ok) return failureJson(admitted, admitted.code === "unauthenticated" ? BEARER : {});
  context.set(adminContext, admitted.value);
};

export const middleware = [requireSession];
