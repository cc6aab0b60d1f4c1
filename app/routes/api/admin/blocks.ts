import { actorOf } from "#app/auth/require-admin.server.ts";
import { setBlocks } from "#app/availability/set-availability.server.ts";
import { setBlocksSchema } from "#app/booking/list-fields.ts";
import { failureJson, methods, outcomeJson, withBody } from "#app/http/json.server.ts";
import { affectedJson } from "./answers.ts";
import { namedCounselor } from "./named-counselor.server.ts";

const route = methods({
  POST: withBody(setBlocksSchema, (body, call) => {
    const { deps, context } = call;
    const { counselor, date, timeSlotsToBlock: timeSlots, action, reason } = body;
    const chosen = namedCounselor(call, counselor);
    if (!chosen.ok) return failureJson(chosen);
    const wish = { counselorKey: chosen.value.key, dates: [date], timeSlots, action, reason };
    return outcomeJson(setBlocks(deps, actorOf(context), wish), (change) =>
      affectedJson(context, change),
    );
  }),
});

export { route as action, route as loader };
