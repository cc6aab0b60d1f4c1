import { forgotPasswordSchema } from "#app/api-contract/admin-fields.ts";
import { api, failureJson, outcomeJson, readJson } from "#app/api-contract/api.server.ts";
import { requestResetCode } from "#app/auth/reset-password.server.ts";

const route = api({
  async POST({ deps, client, request }) {
    const body = await readJson(request, forgotPasswordSchema);
    if (!body.ok) return failureJson(body);
    return outcomeJson(await requestResetCode(deps, body.value.email, client), () => ({}));
  },
});

export const loader = route;
export const action = route;
