/** Ends every session the request names; without a live one there is nothing to end. */

import { readTokens, signOutHeaders } from "#app/auth/session.server.ts";
import { signOut } from "#app/auth/sign-in.server.ts";
import { api, successJson } from "#app/http/json.server.ts";

const route = api({
  POST({ deps, request }) {
    for (const token of readTokens(deps.env, request)) signOut(deps, token);
    return successJson({}, { headers: signOutHeaders(deps.env) });
  },
});

export const loader = route;
export const action = route;
