import { z } from "zod";
import { readSlots } from "#app/availability/read-slots.server.ts";
import { counselorSchema, dateSchema, packageSchema } from "#app/booking/booking-fields.ts";
import { readOwnHoldId } from "#app/booking/own-booking.server.ts";
import { readBookable } from "#app/catalogue/read.server.ts";
import { failureJson, methods, successJson, withQuery } from "#app/http/json.server.ts";
import { counselorNamed } from "#app/model/catalogue.ts";

const querySchema = z.object({
  counselor: counselorSchema,
  date: dateSchema,
  package: packageSchema.optional(),
});

const route = methods({
  GET: withQuery(querySchema, async ({ counselor, date, package: minutes }, { deps, request }) => {
    const chosen = counselorNamed(readBookable(deps), counselor);
    if (!chosen.ok) return failureJson(chosen);
    const ownHoldId = await readOwnHoldId(deps, request);
    const query = { counselorKey: chosen.value.key, date, minutes, ownHoldId };
    return successJson(readSlots(deps, query));
  }),
});

export { route as action, route as loader };
