import { resetPasswordSchema } from "#app/auth/fields.ts";
import { resetPassword } from "#app/auth/reset-password.server.ts";
import { deviceHeader } from "#app/core/cookies.server.ts";
import { failureJson, methods, successJson, withBody } from "#app/http/json.server.ts";

const route = methods({
  POST: withBody(resetPasswordSchema, async (body, { deps, client }) => {
    const done = await resetPassword(deps, body, client);
    if (!done.ok) return failureJson(done);
    const headers = { "Set-Cookie": await deviceHeader(deps.env, done.value) };
    return successJson({}, { headers });
  }),
});

export { route as action, route as loader };
