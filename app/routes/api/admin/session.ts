/** Gives the page the cookie of a session whose token it kept. */

import { findSession, readTokens, sessionCookieHeader } from "#app/auth/session.server.ts";
import { successJson } from "#app/http/json.server.ts";
import { adminApi } from "./call-gate.server.ts";

const route = adminApi({
  POST({ deps, request, session }) {
    const token = readTokens(deps.env, request).find((one) => findSession(deps, one))!;
    return successJson(
      { admin: { username: session.admin.username } },
      { headers: { "Set-Cookie": sessionCookieHeader(deps.env, token) } },
    );
  },
});

export const loader = route;
export const action = route;
