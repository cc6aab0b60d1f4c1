import { verifyOtpSchema } from "#app/auth/fields.ts";
import { verifyResetCode } from "#app/auth/reset-password.server.ts";
import { methods, outcomeJson, withBody } from "#app/http/json.server.ts";

const route = methods({
  POST: withBody(verifyOtpSchema, async (body, { deps, client }) =>
    outcomeJson(await verifyResetCode(deps, body, client), () => ({})),
  ),
});

export { route as action, route as loader };
