import { actorOf } from "#app/auth/require-admin.server.ts";
import { methods, outcomeJson } from "#app/http/json.server.ts";
import { resendMessage } from "#app/notifications/resend.server.ts";
import { messageJson } from "./answers.ts";

const route = methods({
  POST({ deps, context, params }) {
    return outcomeJson(resendMessage(deps, actorOf(context), params.id ?? ""), messageJson);
  },
});

export { route as action, route as loader };
