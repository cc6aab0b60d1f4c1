import { loginSchema } from "#app/api-contract/admin-fields.ts";
import { api, failureJson, outcomeJson, readJson } from "#app/api-contract/api.server.ts";
import { signIn } from "#app/auth/sign-in.server.ts";

const route = api({
  async POST({ deps, client, request }) {
    const body = await readJson(request, loginSchema);
    if (!body.ok) return failureJson(body);
    const userAgent = request.headers.get("user-agent");
    const signedIn = await signIn(deps, body.value, { address: client.address, userAgent });
    return outcomeJson(signedIn, ({ token, admin }) => ({ token, admin }));
  },
});

export const loader = route;
export const action = route;
