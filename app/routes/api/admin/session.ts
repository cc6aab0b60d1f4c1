/** Gives the page the cookie of a session whose token it kept. */

import { actorOf } from "#app/auth/require-admin.server.ts";
import { findSession, readTokens, sessionCookieHeader } from "#app/auth/session.server.ts";
import { methods, successJson } from "#app/http/json.server.ts";

const route = methods({
  async POST({ deps, context, request }) {
    const tokens = await readTokens(deps.env, request);
    const token = tokens.find((one) => findSession(deps, one))!;
    const headers = { "Set-Cookie": await sessionCookieHeader(deps.env, token) };
    const { username, role } = actorOf(context);
    return successJson({ admin: { username, role } }, { headers });
  },
});

export { route as action, route as loader };
