import { affectedJson } from "#app/api-contract/admin-answers.ts";
import { setBlocksSchema } from "#app/api-contract/admin-calls.ts";
import { failureJson, outcomeJson, readJson } from "#app/api-contract/api.server.ts";
import { setBlocks } from "#app/availability/set-availability.server.ts";
import { findCounselorByName } from "#app/catalogue.ts";
import { adminApi } from "#app/middleware/require-admin.server.ts";

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
