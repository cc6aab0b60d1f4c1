import { readAvailability } from "#app/availability/read-slots.server.ts";
import { readOwnHoldId } from "#app/booking/own-booking.server.ts";
import { readBookable } from "#app/catalogue/read.server.ts";
import { failureJson, methods, successJson, withQuery } from "#app/http/json.server.ts";
import { counselorNamed } from "#app/model/catalogue.ts";
import { availabilitySchema } from "./offer-query.server.ts";

const route = methods({
  GET: withQuery(
    availabilitySchema,
    async ({ counselor, package: minutes, ...days }, { deps, request }) => {
      const chosen = counselorNamed(readBookable(deps), counselor);
      if (!chosen.ok) return failureJson(chosen);
      const ownHoldId = await readOwnHoldId(deps, request);
      const query = { counselorKey: chosen.value.key, ...days, minutes, ownHoldId };
      return successJson(readAvailability(deps, query));
    },
  ),
});

export { route as action, route as loader };
