import { setBlocks } from "#app/availability/set-availability.server.ts";
import { setBlocksSchema } from "#app/booking/list-fields.ts";
import { findCounselorByName } from "#app/catalogue.ts";
import { failureJson, outcomeJson, readJson } from "#app/http/json.server.ts";
import { affectedJson } from "./answers.ts";
import { adminApi } from "./call-gate.server.ts";

const route = adminApi({
  async POST({ deps, actor, request }) {
    const body = await readJson(request, setBlocksSchema);
    if (!body.ok) return failureJson(body);
    const { counselor, date, timeSlotsToBlock: timeSlots, action, reason } = body.value;
    const counselorKey = findCounselorByName(counselor)!.key;
    const wish = { counselorKey, dates: [date], timeSlots, action, reason };
    return outcomeJson(setBlocks(deps, actor, wish), affectedJson);
  },
});

export const loader = route;
export const action = route;
