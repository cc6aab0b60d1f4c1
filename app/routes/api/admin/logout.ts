/** Ends every session the request names; without a live one there is nothing to end. */

import { readTokens, signOutHeaders } from "#app/auth/session.server.ts";
import { signOut } from "#app/auth/sign-in.server.ts";
import { methods, successJson } from "#app/http/json.server.ts";

const route = methods({
  async POST({ deps, request }) {
    for (const token of await readTokens(deps.env, request)) signOut(deps, token);
    return successJson({}, { headers: await signOutHeaders(deps.env) });
  },
});

export { route as action, route as loader };
