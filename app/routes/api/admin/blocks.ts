import { actorOf } from "#app/auth/require-admin.server.ts";
import { setBlocks } from "#app/availability/set-availability.server.ts";
import { setBlocksSchema } from "#app/booking/list-fields.ts";
import { findCounselorByName } from "#app/catalogue.ts";
import { methods, outcomeJson, withBody } from "#app/http/json.server.ts";
import { affectedJson } from "./answers.ts";

const route = methods({
  POST: withBody(setBlocksSchema, (body, { deps, context }) => {
    const { counselor, date, timeSlotsToBlock: timeSlots, action, reason } = body;
    const counselorKey = findCounselorByName(counselor)!.key;
    const wish = { counselorKey, dates: [date], timeSlots, action, reason };
    return outcomeJson(setBlocks(deps, actorOf(context), wish), affectedJson);
  }),
});

export { route as action, route as loader };
