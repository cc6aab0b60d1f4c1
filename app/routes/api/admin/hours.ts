import { actorOf } from "#app/auth/require-admin.server.ts";
import { setHours } from "#app/availability/hours.server.ts";
import { hoursSchema } from "#app/availability/weekly-hours.ts";
import { failureJson, methods, outcomeJson, withBody } from "#app/http/json.server.ts";
import { findHours } from "#db/queries/hours.server.ts";
import { affectedJson } from "./answers.ts";
import { keyedCounselor } from "./named-counselor.server.ts";

const route = methods({
  GET: (call) =>
    outcomeJson(keyedCounselor(call), ({ key }) => ({ hours: findHours(call.deps.db, key) })),

  PUT(call) {
    const counselor = keyedCounselor(call);
    if (!counselor.ok) return failureJson(counselor);
    const { key } = counselor.value;
    return withBody(hoursSchema, (body, { deps, context }) =>
      outcomeJson(setHours(deps, actorOf(context), key, body), (change) =>
        affectedJson(context, change),
      ),
    )(call);
  },
});

export { route as action, route as loader };
