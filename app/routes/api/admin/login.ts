import { loginSchema } from "#app/auth/fields.ts";
import { signIn, signInClient } from "#app/auth/sign-in.server.ts";
import { deviceHeader } from "#app/core/cookies.server.ts";
import { failureJson, methods, successJson, withBody } from "#app/http/json.server.ts";

const route = methods({
  POST: withBody(loginSchema, async (body, { deps, client, request }) => {
    const signedIn = await signIn(deps, body, await signInClient(deps, request, client));
    if (!signedIn.ok) return failureJson(signedIn);
    const { token, admin, device } = signedIn.value;
    const headers = { "Set-Cookie": await deviceHeader(deps.env, device) };
    return successJson({ token, admin }, { headers });
  }),
});

export { route as action, route as loader };
