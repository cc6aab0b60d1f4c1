import { resetPasswordSchema } from "#app/auth/fields.ts";
import { resetPassword } from "#app/auth/reset-password.server.ts";
import { deviceHeader } from "#app/core/device-cookie.server.ts";
import { api, failureJson, readJson, successJson } from "#app/http/json.server.ts";

const route = api({
  async POST({ deps, client, request }) {
    const body = await readJson(request, resetPasswordSchema);
    if (!body.ok) return failureJson(body);
    const done = await resetPassword(deps, body.value, client);
    if (!done.ok) return failureJson(done);
    const headers = { "Set-Cookie": await deviceHeader(deps.env, done.value) };
    return successJson({}, { headers });
  },
});

export const loader = route;
export const action = route;
