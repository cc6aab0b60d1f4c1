import { forgotPasswordSchema } from "#app/auth/fields.ts";
import { requestResetCode } from "#app/auth/reset-password.server.ts";
import { api, failureJson, outcomeJson, readJson } from "#app/http/json.server.ts";

const route = api({
  async POST({ deps, client, request }) {
    const body = await readJson(request, forgotPasswordSchema);
    if (!body.ok) return failureJson(body);
    return outcomeJson(await requestResetCode(deps, body.value.email, client), () => ({}));
  },
});

export const loader = route;
export const action = route;
