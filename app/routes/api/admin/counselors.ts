import { actorOf } from "#app/auth/require-admin.server.ts";
import { addCounselor } from "#app/catalogue/change-counselor.server.ts";
import { counselorSchema } from "#app/catalogue/fields.ts";
import { failureJson, methods, successJson, withBody } from "#app/http/json.server.ts";
import { counselorJson } from "./answers.ts";

const route = methods({
  POST: withBody(counselorSchema, (body, { deps, context }) => {
    const added = addCounselor(deps, actorOf(context), body);
    return added.ok ? successJson(counselorJson(added.value), { status: 201 }) : failureJson(added);
  }),
});

export { route as action, route as loader };
