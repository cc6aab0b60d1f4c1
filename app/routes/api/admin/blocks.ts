import { actorOf } from "#app/auth/require-admin.server.ts";
import { setBlocks } from "#app/availability/set-availability.server.ts";
import { setBlocksSchema } from "#app/booking/list-fields.ts";
import { readCatalogue } from "#app/catalogue/read.server.ts";
import { failureJson, methods, outcomeJson, withBody } from "#app/http/json.server.ts";
import { counselorNamed } from "#app/model/catalogue.ts";
import { affectedJson } from "./answers.ts";

const route = methods({
  POST: withBody(setBlocksSchema, (body, { deps, context }) => {
    const { counselor, date, timeSlotsToBlock: timeSlots, action, reason } = body;
    const chosen = counselorNamed(readCatalogue(deps.db), counselor);
    if (!chosen.ok) return failureJson(chosen);
    const wish = { counselorKey: chosen.value.key, dates: [date], timeSlots, action, reason };
    return outcomeJson(setBlocks(deps, actorOf(context), wish), affectedJson);
  }),
});

export { route as action, route as loader };
