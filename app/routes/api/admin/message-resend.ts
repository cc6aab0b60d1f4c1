import { messageJson } from "#app/api-contract/admin-answers.ts";
import { outcomeJson } from "#app/api-contract/api.server.ts";
import { adminApi } from "#app/middleware/require-admin.server.ts";
import { resendMessage } from "#app/notifications/outbox.server.ts";

const route = adminApi({
  POST({ deps, actor, params }) {
    return outcomeJson(resendMessage(deps, actor, params.id ?? ""), messageJson);
  },
});

export const loader = route;
export const action = route;
