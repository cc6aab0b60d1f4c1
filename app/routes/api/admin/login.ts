import { loginSchema } from "#app/auth/fields.ts";
import { signIn, signInClient } from "#app/auth/sign-in.server.ts";
import { deviceHeader } from "#app/core/device-cookie.server.ts";
import { api, failureJson, readJson, successJson } from "#app/http/json.server.ts";

const route = api({
  async POST({ deps, client, request }) {
    const body = await readJson(request, loginSchema);
    if (!body.ok) return failureJson(body);
    const signedIn = await signIn(deps, body.value, signInClient(deps, request, client));
    if (!signedIn.ok) return failureJson(signedIn);
    const { token, admin, device } = signedIn.value;
    const headers = { "Set-Cookie": await deviceHeader(deps.env, device) };
    return successJson({ token, admin }, { headers });
  },
});

export const loader = route;
export const action = route;
