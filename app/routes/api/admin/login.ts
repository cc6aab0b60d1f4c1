import { loginSchema } from "#app/api-contract/admin-fields.ts";
import { api, failureJson, outcomeJson, readJson } from "#app/api-contract/api.server.ts";
import { signIn, signInClient } from "#app/auth/sign-in.server.ts";

const route = api({
  async POST({ deps, client, request }) {
    const body = await readJson(request, loginSchema);
    if (!body.ok) return failureJson(body);
    const signedIn = await signIn(deps, body.value, signInClient(deps, request, client));
    return outcomeJson(signedIn, ({ token, admin }) => ({ token, admin }));
  },
});

export const loader = route;
export const action = route;
