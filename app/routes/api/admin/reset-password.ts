import { resetPasswordSchema } from "#app/api-contract/admin-fields.ts";
import { api, failureJson, outcomeJson, readJson } from "#app/api-contract/api.server.ts";
import { resetPassword } from "#app/auth/reset-password.server.ts";

const route = api({
  async POST({ deps, client, request }) {
    const body = await readJson(request, resetPasswordSchema);
    if (!body.ok) return failureJson(body);
    return outcomeJson(await resetPassword(deps, body.value, client), () => ({}));
  },
});

export const loader = route;
export const action = route;
