import { outcomeJson } from "#app/http/json.server.ts";
import { resendMessage } from "#app/notifications/resend.server.ts";
import { messageJson } from "./answers.ts";
import { adminApi } from "./call-gate.server.ts";

const route = adminApi({
  POST({ deps, actor, params }) {
    return outcomeJson(resendMessage(deps, actor, params.id ?? ""), messageJson);
  },
});

export const loader = route;
export const action = route;
