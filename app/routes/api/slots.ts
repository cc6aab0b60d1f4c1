import { z } from "zod";
import { readSlots } from "#app/availability/read-slots.server.ts";
import { counselorSchema, dateSchema, packageSchema } from "#app/booking/booking-schema.ts";
import { readOwnHoldId } from "#app/booking/own-booking.server.ts";
import { findCounselorByName } from "#app/catalogue.ts";
import { methods, successJson, withQuery } from "#app/http/json.server.ts";

const querySchema = z.object({
  counselor: counselorSchema,
  date: dateSchema,
  package: packageSchema.optional(),
});

const route = methods({
  GET: withQuery(querySchema, async ({ counselor, date, package: minutes }, { deps, request }) => {
    const counselorKey = findCounselorByName(counselor)!.key;
    const ownHoldId = await readOwnHoldId(deps, request);
    return successJson(readSlots(deps, { counselorKey, date, minutes, ownHoldId }));
  }),
});

export { route as action, route as loader };
