import { actorOf } from "#app/auth/require-admin.server.ts";
import { changeCaptain } from "#app/booking/change-captain.server.ts";
import { changeCounselorSchema } from "#app/catalogue/fields.ts";
import { methods, outcomeJson, withBody } from "#app/http/json.server.ts";
import { affectedJson, counselorJson } from "./answers.ts";

const route = methods({
  PUT: withBody(changeCounselorSchema, (body, { deps, context, params }) => {
    const done = changeCaptain(deps, actorOf(context), params.key ?? "", body);
    return outcomeJson(done, ({ counselor, affected }) =>
      affectedJson(context, { ...counselorJson(counselor), affected }),
    );
  }),
});

export { route as action, route as loader };
