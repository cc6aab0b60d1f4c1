import { forgotPasswordSchema } from "#app/auth/fields.ts";
import { requestResetCode } from "#app/auth/reset-password.server.ts";
import { methods, outcomeJson, withBody } from "#app/http/json.server.ts";

const route = methods({
  POST: withBody(forgotPasswordSchema, async (body, { deps, client }) =>
    outcomeJson(await requestResetCode(deps, body.email, client), () => ({})),
  ),
});

export { route as action, route as loader };
