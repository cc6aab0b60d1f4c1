import { verifyOtpSchema } from "#app/auth/fields.ts";
import { verifyResetCode } from "#app/auth/reset-password.server.ts";
import { api, failureJson, outcomeJson, readJson } from "#app/http/json.server.ts";

const route = api({
  async POST({ deps, client, request }) {
    const body = await readJson(request, verifyOtpSchema);
    if (!body.ok) return failureJson(body);
    return outcomeJson(await verifyResetCode(deps, body.value, client), () => ({}));
  },
});

export const loader = route;
export const action = route;
